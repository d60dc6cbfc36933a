"""Sums over the training rows of many folds by products of matrices; of complementary folds one, the other the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.collecting.sharing.fold_matrix import FoldMatrix
from bestofk.design.folds.base import Fold
from bestofk.stats.arrays import Array

#: Folds with the same filling from which on they go together.
FEW = 8


@dataclass(frozen=True, eq=False)
class ManyMoments:
    """Per fold: rows of each class, sums of columns in each class, mean and deviation of columns over all classes."""

    counts: Array
    sums: Array
    mean: Array
    deviation: Array


class FoldSums:
    """Prepared once for a matrix that no fold changes: rows in the order of their classes."""

    def __init__(self, matrix: FoldMatrix, y: Any, classes: int) -> None:
        self.order = np.argsort(y, kind="stable")
        self.ends = np.append(0, np.cumsum(np.bincount(y, minlength=classes)))
        self.place = np.empty(len(y), dtype=np.intp)
        self.place[self.order] = np.arange(len(y))
        self.values = matrix.values[self.order]
        self.squares = self.values * self.values
        self.turned = np.ascontiguousarray(matrix.values.T)

    def times(self, folds: list[Fold]) -> tuple[Array, npt.NDArray[np.bool_]]:
        """How often each fold trains on each row, and which folds are the rest of the one before."""
        times = np.zeros((len(folds), len(self.order)))
        for line, fold in zip(times, folds, strict=True):
            places = self.place.take(fold.train)
            line[places] = 1.0
            if len(places) > 1 and not (fold.train[1:] > fold.train[:-1]).all():
                line[:] = np.bincount(places, minlength=len(line))
        rest = np.zeros(len(folds), dtype=bool)
        sizes = [len(fold.train) for fold in folds]
        for each in range(1, len(folds), 2):
            if sizes[each] + sizes[each - 1] == times.shape[1]:
                rest[each] = bool((times[each] + times[each - 1] == 1.0).all())
        return times, rest

    def moments(self, times: Array, rest: npt.NDArray[np.bool_]) -> ManyMoments:
        """Sum the training rows by class."""
        lead = times[~rest]
        parts = list(zip(self.ends[:-1], self.ends[1:], strict=True))
        counts = np.stack([times[:, start:stop].sum(axis=1) for start, stop in parts], axis=1)
        sums = np.stack([self._with_rest(lead, rest, self.values, part) for part in parts], axis=1)
        total = counts.sum(axis=1)[:, None]
        mean = sums.sum(axis=1) / total
        squares = self._with_rest(lead, rest, self.squares, (0, len(self.values)))
        return ManyMoments(counts, sums, mean, self._deviation(times, squares / total - mean * mean, mean))

    def products(self, keep: Any) -> Any:
        """Products of all pairs of some columns, rows in the order of their classes."""
        chosen = self.values[:, keep]
        one, other = np.tril_indices(len(keep))
        return chosen[:, one] * chosen[:, other]

    def second_moments(
        self, times: Array, rest: npt.NDArray[np.bool_], products: Array, part: tuple[int, int]
    ) -> Array:
        """Sums of products of columns over training rows from one place to another, (folds, columns, columns)."""
        flat = self._with_rest(times[~rest], rest, products, part)
        width = int((np.sqrt(8 * products.shape[1] + 1) - 1) / 2 + 0.5)
        one, other = np.tril_indices(width)
        out = np.empty((len(flat), width, width))
        out[:, one, other] = flat
        out[:, other, one] = flat
        return out

    @staticmethod
    def _with_rest(lead: Array, rest: npt.NDArray[np.bool_], columns: Array, part: tuple[int, int]) -> Array:
        chosen = columns[part[0] : part[1]]
        out = np.empty((len(rest), columns.shape[1]))
        out[~rest] = lead[:, part[0] : part[1]] @ chosen
        if rest.any():
            out[rest] = chosen.sum(axis=0) - out[np.flatnonzero(rest) - 1]
        return out

    def _deviation(self, times: Array, variance: Array, mean: Array) -> Array:
        """Roots of the variances; those that are small beside the mean's square are summed again without its loss."""
        for fold, column in zip(*np.nonzero(variance <= 1e-3 * (1.0 + mean * mean)), strict=True):
            weight, values = times[fold], self.values[:, column]
            centre = weight @ values / weight.sum()
            variance[fold, column] = weight @ (values - centre) ** 2 / weight.sum()
        return np.sqrt(np.maximum(variance, 0.0))


class SumsOfFilling:
    """Sums for folds that fill in the same: prepared anew where the filling changes."""

    def __init__(self, matrix: FoldMatrix, y: Any, classes: int) -> None:
        self.matrix, self.y, self.classes = matrix, y, classes
        self._made: tuple[bytes, FoldSums] | None = None

    def groups(self, folds: Sequence[Fold]) -> list[list[int]]:
        """Places of folds that fill in the same, for groups that are large enough to gain from it."""
        found: dict[bytes, list[int]] = {}
        for place, fold in enumerate(folds):
            if len(fold.train) and len(fold.test):
                found.setdefault(self.matrix.filled_by(fold.train), []).append(place)
        return [places for places in found.values() if len(places) >= FEW or not self.matrix.filling.learns]

    def of(self, fold: Fold) -> FoldSums:
        """Sums over the matrix as this fold fills it, with every category of the data set in it."""
        key = self.matrix.filled_by(fold.train)
        if self._made is None or self._made[0] != key:
            self.matrix.learn(np.arange(len(self.y)))
            self.matrix.learn(fold.train, drop_unseen=False)
            self._made = key, FoldSums(self.matrix, self.y, self.classes)
        return self._made[1]
