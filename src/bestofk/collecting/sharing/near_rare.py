"""Values that so few rows have that some half has none of them: no list bounds what they add to a distance."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array

#: Kinds with such a value in a column up to which they are compared one by one, and those of all columns of a row.
MOST_HOLDERS, BESIDE = 64, 512


def rare_values(numbers: Array, levels: npt.NDArray[np.int32], low: Array, likely: Any) -> tuple[Any, ...]:
    """For each kind the columns in which it is rare, for each column the kinds that are, and what is usual there.

    Columns are the numbers, then the levels; only those without a least weight count, numbers without gaps and
    levels that nothing fills in (``likely`` are those that are).
    """
    kinds, columns = len(levels), numbers.shape[1]
    usual, pairs = np.zeros(columns), [np.zeros((0, 2), dtype=np.int64)]
    for column in np.flatnonzero(low == 0):
        if column < columns:
            usual[column], holders = _unusual(numbers[:, column])
        else:
            if likely[column - columns]:
                continue
            holders = np.flatnonzero((levels == column - columns).any(axis=1))
        if 0 < len(holders) <= MOST_HOLDERS:
            pairs.append(np.column_stack([holders, np.full(len(holders), column)]))
    both = np.concatenate(pairs)
    of_kind = both[np.argsort(both[:, 0], kind="stable")]
    return (
        _starts(both[:, 0], kinds),
        np.ascontiguousarray(of_kind[:, 1]),
        _starts(both[:, 1], len(low) + 1),
        np.ascontiguousarray(both[:, 0]),
        usual,
        np.empty(BESIDE, dtype=np.int64),
    )


def _unusual(values: Array) -> tuple[float, Any]:
    """The most frequent value, and who has another; nobody where there are gaps."""
    if np.isnan(values).any():
        return 0.0, np.zeros(0, dtype=np.intp)
    found, counts = np.unique(values, return_counts=True)
    usual = float(found[counts.argmax()])
    return usual, np.flatnonzero(values != usual)


def _starts(owners: Any, count: int) -> Any:
    return np.append(0, np.cumsum(np.bincount(owners, minlength=count))).astype(np.int64)
