"""One cell: a learner trained and tested on the folds of some replications of a data set."""
