"""C4.5 in numpy alone: a node at a time, all its rows at once."""

from bestofk.c45.plain.learning import learn
from bestofk.c45.plain.walking import labels, probabilities, weights_on_the_way

__all__ = ["labels", "learn", "probabilities", "weights_on_the_way"]
