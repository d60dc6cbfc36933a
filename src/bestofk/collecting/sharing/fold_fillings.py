"""What many folds fill into gaps, as columns beside the matrix: one matrix then serves folds that fill in differently.

A filled-in number is the fold's median times a column that is 1 in the gaps; a filled-in category is a 1 in the fold's
mode. So every gappy feature adds one column, and each fold says which column of the matrix it adds to, and how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.collecting.sharing.fold_matrix import CONSTANT, FoldMatrix
from bestofk.core.arrays import Array
from bestofk.design.folds.base import Fold

#: Variances that are small beside the mean's square are summed again without its loss.
SMALL = 1e-3


@dataclass(frozen=True, eq=False)
class FilledFolds:
    """Per fold and gap column: the column of the matrix that it adds to, and what it adds there."""

    sources: npt.NDArray[np.intp]
    factors: Array
    seen: npt.NDArray[np.bool_]

    def only(self, folds: Any) -> FilledFolds:
        """Some of the folds."""
        return FilledFolds(self.sources[folds], self.factors[folds], self.seen[folds])

    def among(self, keep: Any, columns: int) -> FilledFolds:
        """The same for some of the columns; what others are filled with is left out."""
        place = np.full(columns, -1, dtype=np.intp)
        place[keep] = np.arange(len(keep))
        sources = place[self.sources]
        return FilledFolds(np.maximum(sources, 0), np.where(sources >= 0, self.factors, 0.0), self.seen)

    def gap_weights(self, weights: Array) -> Array:
        """Weights of the gap columns that follow from those of the matrix, (folds, scores, gap columns)."""
        taken: Array = np.take_along_axis(weights, self.sources[:, None, :], axis=2)
        return taken * self.factors[:, None, :]

    def add_gap_slopes(self, slopes: Array, of_gaps: Array) -> None:
        """Add slopes in the weights of gap columns to those of the matrix, (folds, scores, columns)."""
        folds = np.arange(len(self.sources))
        for gap in range(self.sources.shape[1]):
            slopes[folds, :, self.sources[:, gap]] += self.factors[:, gap, None] * of_gaps[:, :, gap]


class FoldFillings:
    """``values`` are the matrix with nothing filled in (numbers 0, no category), ``gaps`` the columns beside it."""

    def __init__(self, matrix: FoldMatrix) -> None:
        self.matrix, data, filling = matrix, matrix.data, matrix.filling
        gappy, self.open = filling.gappy, filling.open
        numbers = np.nan_to_num((data.numbers - matrix.mean[: matrix.numbers]) / matrix.deviation[: matrix.numbers])
        zeros = np.broadcast_to(matrix.zero[matrix.numbers :], (len(numbers), len(matrix.zero) - matrix.numbers))
        self.values = np.ascontiguousarray(np.hstack([numbers, zeros]))
        row, feature = np.nonzero(data.codes >= 0)
        columns = matrix.numbers + (data.codes + data.offsets)[row, feature]
        self.values[row, columns] = (matrix.zero + 1.0 / matrix.deviation)[columns]
        self.gaps = np.hstack([np.isnan(data.numbers[:, gappy]), data.codes[:, self.open] < 0]).astype(np.float64)
        self.squares = self.values * self.values
        self._centre = np.concatenate([np.zeros(matrix.numbers), matrix.zero[matrix.numbers :]])

    def largest(self, filled: FilledFolds) -> Array:
        """What no row exceeds in each column in each fold, but for its sign."""
        out = np.tile(np.abs(self.values).max(axis=0, initial=0.0), (len(filled.sources), 1))
        line = np.arange(len(out))[:, None]
        np.maximum.at(out, (line, filled.sources), np.abs(self._centre[filled.sources] + filled.factors))
        return out

    def of(self, folds: Sequence[Fold]) -> FilledFolds:
        """What each fold learns from its training rows."""
        matrix, filling = self.matrix, self.matrix.filling
        levels = len(matrix.zero) - matrix.numbers
        if filling.nothing:
            return FilledFolds(
                np.zeros((len(folds), 0), dtype=np.intp), np.zeros((len(folds), 0)), np.ones((len(folds), levels), bool)
            )
        learnt = [filling.learn(fold.train) for fold in folds]
        medians, modes = np.stack([each.medians for each in learnt]), np.stack([each.modes for each in learnt])
        numbers = np.broadcast_to(filling.gappy, medians.shape)
        categories = matrix.numbers + matrix.data.offsets[self.open] + np.maximum(modes, 0)
        amounts = (medians - matrix.mean[filling.gappy]) / matrix.deviation[filling.gappy]
        ones = np.where(modes >= 0, 1.0 / matrix.deviation[categories], 0.0)
        return FilledFolds(
            np.hstack([numbers, categories]).astype(np.intp),
            np.hstack([amounts, ones]),
            np.stack([each.seen for each in learnt]),
        )

    def spread(self, times: Array, filled: FilledFolds) -> tuple[Array, Array]:
        """Mean and deviation of every column over the training rows of every fold; ``times`` is (folds, rows)."""
        first, second = times @ self.values, times @ self.squares
        return self.filled_spread(times, filled, first, second, times @ self.gaps)

    def filled_spread(
        self, times: Array, filled: FilledFolds, first: Array, second: Array, holes: Array
    ) -> tuple[Array, Array]:
        """The same from sums of the columns, of their squares and of the gaps, which are overwritten."""
        total = times.sum(axis=1)[:, None]
        if self.gaps.shape[1]:
            line, base = np.arange(len(times))[:, None], self._centre[filled.sources]
            np.add.at(first, (line, filled.sources), holes * filled.factors)
            np.add.at(second, (line, filled.sources), holes * ((base + filled.factors) ** 2 - base**2))
        mean = first / total
        variance = second / total - mean * mean
        for fold, column in zip(*np.nonzero(variance <= SMALL * (1.0 + mean * mean)), strict=True):
            variance[fold, column] = self._variance(times[fold], filled, fold, column)
        return mean, np.where(variance > CONSTANT**2, np.sqrt(np.maximum(variance, 0.0)), 0.0)

    def _variance(self, times: Array, filled: FilledFolds, fold: int, column: int) -> float:
        values = self.values[:, column]
        for gap in np.flatnonzero(filled.sources[fold] == column):
            values = values + filled.factors[fold, gap] * self.gaps[:, gap]
        apart = values - times @ values / times.sum()
        return float(times @ (apart * apart) / times.sum())
