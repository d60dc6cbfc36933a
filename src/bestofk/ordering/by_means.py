"""Learners by their means, where a last digit makes nobody better."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import ROUNDING, Array
from bestofk.stats.ranks import ascending


def smallest_first(means: Array) -> npt.NDArray[np.intp]:
    """Return places (..., K) from the smallest mean up; means that are equal up to rounding stay in the order given.

    Examples
    --------
    >>> smallest_first(np.array([0.1 + 0.2, 0.3, 0.1])).tolist()
    [2, 0, 1]
    """
    ordered = np.abs(np.sort(means, axis=-1))
    return ascending(means, ROUNDING * np.maximum(ordered[..., 1:], ordered[..., :-1]))


def is_smaller(one: float, other: float) -> bool:
    """Whether one mean is smaller than another by more than rounding.

    Examples
    --------
    >>> is_smaller(0.3, 0.1 + 0.2), is_smaller(0.2, 0.3)
    (False, True)
    """
    return other - one > ROUNDING * max(abs(one), abs(other))
