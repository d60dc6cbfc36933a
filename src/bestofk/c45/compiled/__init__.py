"""C4.5 as compiled loops (extra ``fast``): the same trees as in numpy alone."""

from bestofk.c45.compiled.prediction import labels, probabilities
from bestofk.c45.compiled.tree import learn
from bestofk.c45.plain import weights_on_the_way

__all__ = ["labels", "learn", "probabilities", "weights_on_the_way"]
