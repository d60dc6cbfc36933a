"""The features of a data set as one matrix of numbers, and what each fold's training rows fill into its gaps.

One fold after the other writes its medians and most frequent categories into the matrix (``FoldMatrix``). Many folds at
once leave it as it is (``FoldFillings``): a filled-in number is the fold's median times a column that is 1 in the gaps,
a filled-in category is a 1 in the fold's mode. So every gappy feature adds one column, and each fold says which column
of the matrix it adds to, and how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.frozen import frozen
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.encoding.matrices import Matrices, matrices_of
from bestofk.design.folds.base import Fold, Rows
from bestofk.sharing.arrays import kernels
from bestofk.sharing.case import Preparation

Codes = npt.NDArray[np.intp]


@frozen(eq=False)
class Learnt:
    """Medians of the numbers with gaps, modes of the categories with gaps, and which categories were seen."""

    medians: Array
    modes: Codes
    seen: npt.NDArray[np.bool_]


class Filling:
    """Learns from training rows what ``design.encoding`` learns, with columns sorted once for all folds."""

    def __init__(self, data: Matrices) -> None:
        self.rows = len(data.numbers)
        self.gappy = np.flatnonzero(np.isnan(data.numbers).any(axis=0))
        self.open = np.flatnonzero((data.codes < 0).any(axis=0))
        self.learns = bool(len(self.gappy) or len(self.open))
        self.nothing = not len(self.gappy) and not data.nominal
        self._loops = kernels()
        sorted_columns = [_known_in_order(data.numbers[:, column]) for column in self.gappy]
        self._starts, self._order = joined([order for order, _ in sorted_columns])
        self._values = np.concatenate([np.zeros(0), *(values for _, values in sorted_columns)])
        levels = [np.flatnonzero(data.codes[:, f] == k) for f, size in enumerate(data.sizes) for k in range(size)]
        self.level_starts, self.level_rows = joined(levels)
        self._open_levels = np.ascontiguousarray(data.codes[:, self.open])
        self._open_sizes = data.sizes[self.open]

    @property
    def in_order(self) -> tuple[Codes, Codes, Array]:
        """Columns with gaps, sorted: where each begins, its rows, and their values."""
        return self._starts, self._order, self._values

    def learn(self, train: Rows) -> Learnt:
        """Return what these rows teach; repeated rows count as often as they are there."""
        times = np.bincount(train, minlength=self.rows)
        medians = self._loops.medians(self._starts, self._order, self._values, times) if len(self.gappy) else _NONE
        modes = self._loops.modes(self._open_levels, self._open_sizes, times) if len(self.open) else _NO_MODES
        return Learnt(medians, modes, self._loops.seen(self.level_starts, self.level_rows, times))


def _known_in_order(values: Array) -> tuple[Codes, Array]:
    known = np.flatnonzero(~np.isnan(values))
    order = known[np.argsort(values[known], kind="stable")]
    return order, values[order]


def joined(parts: list[Codes]) -> tuple[Codes, Codes]:
    """Where each part begins, and all of them behind one another."""
    starts = np.append(0, np.cumsum([len(part) for part in parts], dtype=np.intp)).astype(np.intp)
    return starts, np.concatenate([np.zeros(0, dtype=np.intp), *parts])


_NONE = np.zeros(0)
_NO_MODES = np.zeros(0, dtype=np.intp)


#: Deviations up to this share of that of the whole data set are rounding: the column is constant.
CONSTANT = 1e-12
#: Multiples of one over this, a power of 2, are summed without rounding.
FINEST = 1024.0


class FoldMatrix:
    """Numbers first, then a column for every category of every nominal feature, whether a fold has it or not.

    Columns are centred and scaled by the whole data set, so that sums of squares lose no digits; ``deviation`` turns
    them back into the units of the data. From fold to fold only filled-in cells change. A category that the training
    rows lack is no column in the plain way; here its column is constant in all rows, which tells the classes nothing.
    """

    def __init__(self, dataset: Dataset, preparation: Preparation) -> None:
        self.data = matrices_of(dataset)
        self.preparation = preparation
        self.filling = Filling(self.data)
        self.numbers = self.data.numbers.shape[1]
        first = self.filling.learn(np.arange(dataset.rows))
        plain = self._expanded(first)
        self.mean: Array = plain.mean(axis=0)
        self.deviation: Array = plain.std(axis=0)
        self.deviation[self.deviation <= CONSTANT * np.abs(self.mean)] = 1.0
        self.values = np.ascontiguousarray((plain - self.mean) / self.deviation)
        self.zero, self._one = -self.mean / self.deviation, (1.0 - self.mean) / self.deviation
        self._now = first
        self._gaps = [np.flatnonzero(np.isnan(self.data.numbers[:, each])) for each in self.filling.gappy]
        self._open = [np.flatnonzero(self.data.codes[:, each] < 0) for each in self.filling.open]

    @property
    def columns(self) -> int:
        """Number of columns."""
        return int(self.values.shape[1])

    def learn(self, train: Rows, *, drop_unseen: bool = True) -> bool:
        """Bring the matrix up to date; false where the plain way might refuse a category that is not in these rows."""
        if self.filling.nothing:
            return True
        learnt = self.filling.learn(train)
        self._fill_numbers(learnt)
        self._fill_categories(learnt)
        if drop_unseen:
            self._drop_unseen(learnt)
        self._now = learnt if drop_unseen else Learnt(learnt.medians, learnt.modes, self._now.seen)
        return not (self.preparation.refuses_unseen and not learnt.seen.all())

    def units(self, deviation: Array) -> Array:
        """Factors from this matrix to the units that the learner sees, from the deviations in the training rows."""
        scaled: Array = np.where(deviation > CONSTANT, 1.0 / np.maximum(deviation, CONSTANT), self.deviation)
        wishes = (self.preparation.scaled_numbers, self.preparation.scaled_ones)
        if all(wishes):
            return scaled
        if not any(wishes):
            return self.deviation
        mixed: Array = np.where(np.arange(self.columns) < self.numbers, scaled, self.deviation)
        return mixed

    def whole_numbers(self, row: Array, columns: npt.NDArray[np.bool_]) -> bool:
        """Whether a row has whole numbers, halves, quarters, … in these columns, whose sums and means do not round."""
        values = (row[columns] * self.deviation[columns] + self.mean[columns]) * FINEST
        return bool((np.abs(values - np.rint(values)) <= CONSTANT * (1.0 + np.abs(values))).all())

    def _expanded(self, learnt: Learnt) -> Array:
        numbers, codes = self.data.numbers.copy(), self.data.codes.copy()
        for column, median in zip(self.filling.gappy, learnt.medians, strict=True):
            numbers[np.isnan(numbers[:, column]), column] = median
        for column, mode in zip(self.filling.open, learnt.modes, strict=True):
            codes[codes[:, column] < 0, column] = mode
        ones = np.zeros((len(codes), int(self.data.sizes.sum())))
        row, feature = np.nonzero(codes >= 0)
        ones[row, (codes + self.data.offsets)[row, feature]] = 1.0
        return np.hstack([numbers, ones])

    def _fill_numbers(self, learnt: Learnt) -> None:
        for place, column in enumerate(self.filling.gappy):
            if learnt.medians[place] != self._now.medians[place]:
                median = (learnt.medians[place] - self.mean[column]) / self.deviation[column]
                self.values[self._gaps[place], column] = median

    def _fill_categories(self, learnt: Learnt) -> None:
        for place, feature in enumerate(self.filling.open):
            old, new = self._now.modes[place], learnt.modes[place]
            if old != new:
                first = self.numbers + self.data.offsets[feature]
                if old >= 0:
                    self._write(self._open[place], first + old, self.zero)
                if new >= 0:
                    self._write(self._open[place], first + new, self._one)

    def _drop_unseen(self, learnt: Learnt) -> None:
        for level in np.flatnonzero(learnt.seen != self._now.seen):
            starts = self.filling.level_starts
            rows = self.filling.level_rows[starts[level] : starts[level + 1]]
            self._write(rows, self.numbers + level, self._one if learnt.seen[level] else self.zero)

    def _write(self, rows: Codes, column: int, values: Array) -> None:
        self.values[rows, column] = values[column]


#: Variances that are small beside the mean's square are summed again without its loss.
SMALL = 1e-3


@frozen(eq=False)
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
