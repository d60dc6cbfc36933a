"""First and second moments of the training rows of a fold, by class, and the units that the learner sees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.collecting.sharing.fold_matrix import FoldMatrix
from bestofk.core.arrays import Array


@dataclass(frozen=True, eq=False)
class Moments:
    """Classes that the training rows have, their sizes and means, deviations of all, and units of the learner."""

    codes: npt.NDArray[np.intp]
    counts: Array
    means: Array
    deviation: Array
    units: Array

    @property
    def rows(self) -> float:
        """Number of training rows."""
        return float(self.counts.sum())


def moments_of(matrix: FoldMatrix, y: Any, train: Any, classes: int, kernels: Any) -> Moments:
    """Sum the training rows by class."""
    counts, sums, squares = kernels.class_sums(matrix.values, y, train, classes)
    codes = np.flatnonzero(counts)
    if len(codes) < classes:
        counts, sums = counts[codes], sums[codes]
    mean = sums.sum(axis=0) / len(train)
    deviation = _deviation(matrix, train, mean, squares)
    return Moments(codes, counts, sums / counts[:, None], deviation, matrix.units(deviation))


def _deviation(matrix: FoldMatrix, train: Any, mean: Array, squares: Array) -> Array:
    """Roots of the variances; those that are small beside the mean's square are summed again without its loss."""
    variance = squares / len(train) - mean * mean
    doubtful = np.flatnonzero((variance <= 1e-3 * (1.0 + mean * mean)) & (squares > 0.0))
    if len(doubtful):
        values = matrix.values[np.ix_(train, doubtful)]
        variance[doubtful] = values.var(axis=0)
    return np.sqrt(np.maximum(variance, 0.0))
