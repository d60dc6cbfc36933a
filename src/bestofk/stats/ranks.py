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
    ordered = np.take_along_axis(values, order, axis=-1)
    n = values.shape[-1]
    position = np.arange(n)
    new_group = np.ones(values.shape, dtype=bool)
    new_group[..., 1:] = np.diff(ordered, axis=-1) > rounding
    start = np.maximum.accumulate(np.where(new_group, position, 0), axis=-1)
    last = np.ones(values.shape, dtype=bool)
    last[..., :-1] = new_group[..., 1:]
    end = np.minimum.accumulate(np.where(last, position, n)[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(values.shape)
    np.put_along_axis(ranks, order, 0.5 * (start + end) + 1.0, axis=-1)
    return ranks


def ascending(values: Array, rounding: Any = 0.0) -> npt.NDArray[np.intp]:
    """Return positions from the smallest value up; values equal up to rounding stay in the order given.

    Examples
    --------
    >>> ascending(np.array([0.3, 0.1 + 0.2, 0.1]), 1e-12)
    array([2, 0, 1])
    """
    return np.argsort(average_ranks(values, rounding), axis=-1, kind="stable")
