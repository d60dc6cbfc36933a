"""Scatter of the training rows of a fold about their class means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.collecting.sharing.fold_matrix import FoldMatrix
from bestofk.core.arrays import Array


@dataclass(frozen=True, eq=False)
class ClassRows:
    """Training rows of a fold in the order of their classes, which begin at ``starts``; means and sizes of classes."""

    codes: npt.NDArray[np.intp]
    counts: Array
    starts: npt.NDArray[np.intp]
    rows: Array
    means: Array


def class_rows(matrix: FoldMatrix, y: Any, train: Any, classes: int) -> ClassRows:
    """Gather training rows by class; rows keep their order within a class."""
    of_class = y[train]
    every = np.bincount(of_class, minlength=classes)
    codes = np.flatnonzero(every)
    counts = every[codes]
    starts = np.cumsum(counts) - counts
    rows = matrix.values.take(train[np.argsort(of_class, kind="stable")], axis=0)
    means = np.add.reduceat(rows, starts, axis=0) / counts[:, None]
    return ClassRows(codes, counts.astype(np.float64), starts, rows, means)
