"""Li's two-step adjustment."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.stats.adjust.family import pvalues


def li(p: Any) -> Array:
    """Li: p/(p + 1 − largest p). Rejects all when the largest p does; otherwise depends on it.

    A p value of 0 stays 0 even when the largest is 1.

    References
    ----------
    Li 2008. García, Fernández, Luengo and Herrera 2010.

    Examples
    --------
    >>> li([0.01, 0.04, 0.03]).round(6)
    array([0.010309, 0.04    , 0.030303])
    """
    array = pvalues(p, where="li")
    below = array + (1.0 - array.max(axis=-1, keepdims=True))  # in this order a tiny p is not lost beside 1
    return np.clip(np.where(array == 0, 0.0, array / np.where(below > 0, below, 1.0)), array, 1.0)
