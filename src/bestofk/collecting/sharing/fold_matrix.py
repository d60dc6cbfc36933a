"""All features of a data set as one matrix of numbers, kept up to date with what each fold's training rows teach."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bestofk.collecting.sharing.filling import Codes, Filling, Learnt
from bestofk.collecting.sharing.preparation import Preparation
from bestofk.core.arrays import Array
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.encoding.matrices import matrices_of
from bestofk.design.folds.base import Rows

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

    def unseen_in(self, train: Rows) -> Codes:
        """Columns of categories that these rows lack."""
        if not self.data.nominal:
            return np.zeros(0, dtype=np.intp)
        unseen: Codes = np.flatnonzero(~self.filling.learn(train).seen) + self.numbers
        return unseen

    def filled_by(self, train: Rows) -> bytes:
        """What these rows fill in, to tell folds with equal matrices."""
        if not self.filling.learns:
            return b""
        learnt = self.filling.learn(train)
        return learnt.medians.tobytes() + learnt.modes.tobytes()

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
