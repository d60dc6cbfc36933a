"""All pairs in batches that fit in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array

#: Values per side and batch: K = 200 learners on many items stay within some hundred megabytes.
MOST_VALUES = 4_000_000

Places = npt.NDArray[np.intp]


def batches(first: Places, second: Places, values_each: int) -> Iterator[tuple[Places, Places]]:
    """Cut the list of pairs so that no batch holds more than ``MOST_VALUES`` values per side."""
    step = max(1, MOST_VALUES // max(1, values_each))
    return ((first[i : i + step], second[i : i + step]) for i in range(0, len(first), step))


def per_pair(effect: Callable[[Array, Array], Array], rows: Array, first: Places, second: Places) -> Array:
    """One number per pair; a pair with gaps uses the columns that both have."""
    if not np.isnan(rows).any():
        parts = (np.atleast_1d(effect(rows[a], rows[b])) for a, b in batches(first, second, rows.shape[1]))
        return np.concatenate(list(parts))
    return np.array([effect(*common(rows[i], rows[j])) for i, j in zip(first, second, strict=True)], dtype=float)


def common(one: Array, two: Array) -> tuple[Array, Array]:
    """The values at places where neither is missing."""
    both = ~np.isnan(one) & ~np.isnan(two)
    return one[both], two[both]
