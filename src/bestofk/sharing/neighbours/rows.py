"""Rows as nearest neighbours sees them: numbers and categories, and what a mismatch counts in a fold."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.frozen import frozen
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.encoding.matrices import matrices_of
from bestofk.design.folds.base import Rows
from bestofk.sharing.case import Preparation
from bestofk.sharing.fold_matrix import CONSTANT, Filling, Learnt

Marks = npt.NDArray[np.bool_]


@frozen(eq=False)
class Weights:
    """Squared distance = Σ number · (difference)² + Σ (level of one + level of the other) over mismatches.

    ``told`` marks columns that vary in the training rows: only those can tell training rows apart. ``odd`` marks kinds
    with a value that no training row has, of a column that is constant there; ``changed`` those with other filled-in
    values than the list of neighbours was made with.
    """

    number: Array
    level: Array
    told: Marks
    odd: Marks
    changed: Marks


class NeighbourRows:
    """The different rows of a data set, one of each *kind*; ``kind`` says of which every row is.

    Numbers are centred and scaled by the whole data set; levels number the categories of all features through.
    """

    def __init__(self, dataset: Dataset, preparation: Preparation, spreads: Any) -> None:
        self.data, self.preparation, self._spreads = matrices_of(dataset), preparation, spreads
        self.filling = Filling(self.data)
        self.first = self.filling.learn(np.arange(dataset.rows))
        rows, self.kind, self.count = _kinds(self.data)
        self._gaps = [np.flatnonzero(np.isnan(self.data.numbers[rows, each])) for each in self.filling.gappy]
        self._open = [np.flatnonzero(self.data.codes[rows, each] < 0) for each in self.filling.open]
        self.mean, self.deviation = np.nanmean(self.data.numbers, axis=0), np.nanstd(self.data.numbers, axis=0)
        self.deviation[self.deviation <= CONSTANT * np.abs(self.mean)] = 1.0
        self.numbers = np.ascontiguousarray((self.data.numbers[rows] - self.mean) / self.deviation)
        self.levels = np.ascontiguousarray((self.data.codes + self.data.offsets)[rows], dtype=np.int32)
        self.first_rows = rows
        self._nothing_odd = np.zeros(len(rows), dtype=bool)
        self._fill(self.first)

    @property
    def level_count(self) -> int:
        """Categories of all features together; one more stands for a gap that nothing fills."""
        return int(self.data.sizes.sum())

    def known(self) -> tuple[Array, npt.NDArray[np.int32]]:
        """Numbers and levels of the kinds before anything is filled in: gaps are NaN and -1."""
        numbers = (self.data.numbers[self.first_rows] - self.mean) / self.deviation
        codes = self.data.codes[self.first_rows]
        levels = np.where(codes < 0, -1, codes + self.data.offsets)
        return np.ascontiguousarray(numbers), np.ascontiguousarray(levels, dtype=np.int32)

    def learn(self, train: Rows, times: Any) -> Weights | None:
        """Bring filled-in values up to date and weigh the columns; None where the plain way refuses some row."""
        found = self.weigh(train, times)
        return None if self.preparation.refuses_unseen and not found.level[:-1].all() else found

    def weigh(self, train: Rows, times: Any) -> Weights:
        """The same, whatever the plain way makes of categories that the training rows lack."""
        learnt = self.filling.learn(train) if self.filling.learns else self.first
        changed = self._fill(learnt)
        mean, variance, counts = self._spreads(self.numbers, self.levels, times, self.level_count + 1)
        share = counts[:-1] / len(train)
        number, varies = self.number_weights(variance)
        level, told = self.level_weights(share)
        return Weights(number, level, np.concatenate([varies, told]), self._odd(share, varies, mean), changed)

    def _fill(self, learnt: Learnt) -> Marks:
        changed = np.zeros(len(self.numbers), dtype=bool) if self.filling.learns else self._nothing_odd
        for place, column in enumerate(self.filling.gappy):
            value = (learnt.medians[place] - self.mean[column]) / self.deviation[column]
            self.numbers[self._gaps[place], column] = value
            if learnt.medians[place] != self.first.medians[place]:
                changed[self._gaps[place]] = True
        for place, feature in enumerate(self.filling.open):
            self.levels[self._open[place], feature] = self.level(feature, learnt.modes[place])
            if learnt.modes[place] != self.first.modes[place]:
                changed[self._open[place]] = True
        return changed

    def level(self, feature: Any, mode: Any) -> int:
        """Number of a feature's category among the categories of all features; the last one for none."""
        return int(self.data.offsets[feature] + mode) if mode >= 0 else self.level_count

    def weights_in(self, train: Rows) -> tuple[Array, Marks]:
        """Weights of numbers and levels, behind one another, and which of them vary."""
        found = self.weigh(train, np.bincount(self.kind[train], minlength=self.count).astype(np.int32))
        return np.concatenate([found.number, found.level[:-1]]), found.told

    @cached_property
    def members(self) -> tuple[Any, Any]:
        """Where the rows of each kind begin, and the rows, kind after kind in the order of the data set."""
        counts = np.bincount(self.kind, minlength=self.count)
        return np.append(0, np.cumsum(counts)), np.argsort(self.kind, kind="stable")

    def number_weights(self, variance: Array) -> tuple[Array, Marks]:
        """Weights, and which columns vary in the training rows; one fold, or a line for each."""
        varies = variance > CONSTANT**2
        plain = np.broadcast_to(self.deviation**2, variance.shape)
        if not self.preparation.scaled_numbers:
            return np.array(plain, order="C"), varies  # of one layout, else loops are compiled for each
        return np.where(varies, 1.0 / np.where(varies, variance, 1.0), plain), varies

    def level_weights(self, share: Array) -> tuple[Array, Marks]:
        """Weights of the levels, 0 for one that no training row has, and which of them vary."""
        varies = (share > 0) & (share < 1)
        weights = np.zeros((*share.shape[:-1], share.shape[-1] + 1))
        weights[..., :-1] = share > 0
        if self.preparation.scaled_ones:
            scaled = np.where(varies, share * (1.0 - share), 1.0)
            weights[..., :-1] = np.where(varies, 1.0 / scaled, weights[..., :-1])
        return weights, varies

    def _odd(self, share: Array, varies: Marks, mean: Array) -> Marks:
        if varies.all() and share.all():
            return self._nothing_odd
        odd = np.zeros(len(self.numbers), dtype=bool)
        for column in np.flatnonzero(~varies):
            odd |= np.abs(self.numbers[:, column] - mean[column]) > CONSTANT
        unseen = np.append(share == 0, False)
        if unseen.any():
            odd |= unseen[self.levels].any(axis=1)
        return odd


def _kinds(data: Any) -> tuple[Any, Any, int]:
    """The first row of each kind, the kind of each row, and the number of kinds; equal rows have equal gaps too."""
    gaps = np.isnan(data.numbers)
    whole = np.ascontiguousarray(np.hstack([np.where(gaps, 0.0, data.numbers) + 0.0, gaps, data.codes]))
    lines = whole.view([("", whole.dtype)] * whole.shape[1]).ravel() if whole.shape[1] < 500 else None
    if lines is None:  # so many columns that rows are hardly ever equal: compared as bytes
        lines = np.array([line.tobytes() for line in whole], dtype=object)
    _, first, kind = np.unique(lines, return_index=True, return_inverse=True)
    order = np.argsort(first)  # kinds in the order in which the data set has them
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return first[order], place[kind.ravel()], len(order)
