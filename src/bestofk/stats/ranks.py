"""Average ranks along the last axis, with values equal up to rounding counted as ties."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array


def average_ranks(values: Array, rounding: Any = 0.0) -> Array:
    """Return the ranks: smallest value 1, ties share their average.

    Examples
    --------
    >>> average_ranks(np.array([3.0, 1.0, 3.0]))
    array([2.5, 1. , 2.5])
    """
    order = np.argsort(values, axis=-1)
    new = np.ones(values.shape, dtype=bool)
    np.greater(np.diff(np.take_along_axis(values, order, axis=-1), axis=-1), rounding, out=new[..., 1:])
    start = np.flatnonzero(new)  # of every set of ties, in all rows one after another
    size = np.diff(start, append=values.size)
    shared = start % max(1, values.shape[-1]) + 0.5 * (size + 1)
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, np.repeat(shared, size).reshape(values.shape), axis=-1)
    return ranks


def ascending(values: Array, rounding: Any = 0.0) -> npt.NDArray[np.intp]:
    """Return positions from the smallest value up; values equal up to rounding stay in the order given.

    Examples
    --------
    >>> ascending(np.array([0.3, 0.1 + 0.2, 0.1]), 1e-12)
    array([2, 0, 1])
    """
    return np.argsort(average_ranks(values, rounding), axis=-1, kind="stable")
