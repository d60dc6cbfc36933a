"""Running an experiment: what is missing, on which workers, into which store."""
