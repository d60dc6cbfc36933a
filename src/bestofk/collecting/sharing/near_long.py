"""Whole lists, all kinds in order, for the few kinds whose list of near ones is likely to end too early."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array

#: The neighbour that a training half hardly ever lacks all before; entries of whole lists that are held.
USUAL, ENTRIES = 7, 2_000_000
#: Columns of an outlier in which distances are measured before all others.
FIRST = 8


def whole_lists(table: Any, most: Any, beyond: Array, loops: Any) -> tuple[Any, Any, Any, Any]:
    """The line of each kind or -1, and for every line all kinds with their least distances, nearest first.

    Last, for every line, the columns in which the weights of folds may add most to the least distances.

    A kind has a line where its usual neighbours may be farther than what its list leaves out: it is an outlier, in
    columns whose weights vary much from half to half.
    """
    kinds = len(beyond)
    ratio = most[:, min(USUAL, most.shape[1] - 1)] / np.maximum(beyond, 1e-300)
    chosen = np.argsort(-ratio, kind="stable")[: ENTRIES // kinds]
    chosen = np.ascontiguousarray(chosen[ratio[chosen] > 1.0])
    least = loops.least_of(table, chosen, kinds)
    order = np.argsort(least, axis=1).astype(np.int32)
    lines = np.full(kinds, -1, dtype=np.int64)
    lines[chosen] = np.arange(len(chosen))
    return lines, order, np.take_along_axis(least, order, axis=1), _telling(table, chosen, order)


def _telling(table: Any, chosen: Any, order: Any) -> Any:
    numbers, (low, high, *_) = table[0], table[2]
    out = np.empty((len(chosen), min(FIRST, numbers.shape[1])), dtype=np.int64)
    for line, kind in enumerate(chosen):
        apart = np.nan_to_num(numbers[order[line, :100]] - numbers[kind])
        out[line] = np.argsort(-(apart * apart).sum(axis=0) * (high - low), kind="stable")[: out.shape[1]]
    return out
