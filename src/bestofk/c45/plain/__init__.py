"""C4.5 in numpy alone: a node at a time, all its rows at once."""

from bestofk.c45.plain.prediction import labels, probabilities, weights_on_the_way
from bestofk.c45.plain.tree import learn

__all__ = ["labels", "learn", "probabilities", "weights_on_the_way"]
