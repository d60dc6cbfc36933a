"""What the makers that call a Python package share."""

from importlib.metadata import version

import numpy as np
from cases import INPUTS

SIDES = ("two-sided", "greater", "less")


def data(name):
    """The input as an array."""
    return np.asarray(INPUTS[name], dtype=float)


def source(package, call):
    """Program, version, call."""
    return package, version(package), call
