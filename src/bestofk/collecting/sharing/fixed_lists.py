"""Lists of near rows where no fold changes distances: numbers without gaps that nothing scales."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.collecting.sharing import fixed_loops
from bestofk.core.arrays import Array

#: Rows in a list at least, itself among them; entries of all lists at most; distances held at once.
LENGTH, ENTRIES, BLOCK = 20, 20_000_000, 500_000
#: Squares of whole numbers that single precision adds and multiplies without rounding.
WHOLE = 2**22
#: Columns above which ``KNeighborsClassifier`` takes distances from products of matrices, unless told otherwise.
TREE_COLUMNS = 15


@dataclass(frozen=True, eq=False)
class FixedLists:
    """``near[starts[i]:starts[i + 1]]`` are the rows near row i, nearest first, of equally near ones the lowest first.

    ``ends`` has, where rows begin that are equally near but for rounding and differ in class, the place where these
    end, less than 0; elsewhere the place where the next rows begin that have another class or are mixed.
    ``rounding[i]`` is what the plain way's own rounding may add to a squared distance of row i.
    """

    rows: Array
    starts: npt.NDArray[np.int64]
    near: npt.NDArray[np.int32]
    ends: npt.NDArray[np.int64]
    rounding: Array


def fixed_lists(rows: Array, y: Any, products: bool) -> FixedLists | None:
    """List the rows near every row; None where so many are equally near that lists would be endless.

    ``products``: the plain way takes distances from products of matrices, which round.
    """
    rows = np.ascontiguousarray(rows)
    whole = _whole(rows)
    table = rows.astype(np.float32) if whole else rows - rows.mean(axis=0)
    share = 0.0 if whole else np.finfo(float).eps * (rows.shape[1] + 4)
    squares, own = (np.einsum("ij,ij->i", each, each) for each in (table, rows))
    rounding = share * (own + own.max()) if products else np.zeros(len(rows))
    unsure = 2.0 * np.maximum(rounding, share * (squares + squares.max()))
    left = np.column_stack([table, squares, np.ones_like(squares)])
    right = np.ascontiguousarray(np.column_stack([-2.0 * table, np.ones_like(squares), squares]).T, dtype=table.dtype)
    length, step = min(LENGTH, len(rows)), max(1, BLOCK // len(rows))
    starts, parts = np.zeros(len(rows) + 1, dtype=np.int64), []
    for start in range(0, len(rows), step):
        block = slice(start, min(start + step, len(rows)))
        distances = left[block] @ right
        counts, near, ends = fixed_loops.near_in_block(distances, start, length, rows, y, rounding, unsure)
        starts[start + 1 : block.stop + 1] = starts[start] + np.cumsum(counts)
        parts.append((near, ends + np.where(ends < 0, -starts[start], starts[start])))
        if starts[block.stop] > ENTRIES:
            return None
    near, ends = (np.concatenate(each) for each in zip(*parts, strict=True))
    return FixedLists(rows, starts, near, ends, rounding)


def takes_products(estimator: Any, columns: int) -> bool:
    """Whether scikit-learn would take distances from products of matrices."""
    return estimator.algorithm == "brute" or (estimator.algorithm == "auto" and columns > TREE_COLUMNS)


def _whole(rows: Array) -> bool:
    """Whether single precision has all products and distances exactly."""
    return bool((rows == np.rint(rows)).all()) and float((rows * rows).sum(axis=1).max()) < WHOLE / 4
