"""Which folds of a cell have counts: those of an imported table may have their error alone."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.design.plan.cell import CellResult


def lacks_counts(cell: CellResult) -> bool:
    """Whether a cell has results and no counts at all."""
    return cell.confusion is None and not cell.failed_folds.all()


def counts_of(cell: CellResult) -> Array:
    """Confusion counts of every fold, NaN where a fold has none; of a cell without any, a single NaN."""
    if cell.confusion is None:
        return np.array(np.nan)
    counts: Any = cell.confusion.astype(np.float64)
    return np.where(counts.sum(axis=(2, 3), keepdims=True) == 0, np.nan, counts)
