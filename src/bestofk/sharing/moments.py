"""Sums, means and scatter of training rows by class, of one fold or of many by products of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.frozen import frozen
from bestofk.design.folds.base import Fold
from bestofk.sharing.fold_matrix import FilledFolds, FoldFillings, FoldMatrix


@frozen(eq=False)
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


@frozen(eq=False)
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


@frozen(eq=False)
class ManyMoments:
    """Per fold: rows of each class, sums of columns in each class, mean and deviation of columns over all classes."""

    counts: Array
    sums: Array
    mean: Array
    deviation: Array


class FoldSums:
    """Rows in the order of their classes, the gap columns beside those of the matrix: prepared once for all folds."""

    def __init__(self, matrix: FoldMatrix, y: Any, classes: int) -> None:
        self.fillings = FoldFillings(matrix)
        self.y, self.classes, self.columns = y, classes, matrix.columns
        self.order = np.argsort(y, kind="stable")
        self.ends = np.append(0, np.cumsum(np.bincount(y, minlength=classes)))
        self.place = np.empty(len(y), dtype=np.intp)
        self.place[self.order] = np.arange(len(y))
        both = np.hstack([self.fillings.values, self.fillings.gaps])
        self.values = both[self.order]
        self.squares = self.fillings.squares[self.order]
        self.turned = np.ascontiguousarray(both.T)

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

    def moments(self, times: Array, rest: npt.NDArray[np.bool_], filled: FilledFolds) -> ManyMoments:
        """Sum the training rows by class."""
        lead = times[~rest]
        parts = list(zip(self.ends[:-1], self.ends[1:], strict=True))
        counts = np.stack([times[:, start:stop].sum(axis=1) for start, stop in parts], axis=1)
        sums = np.stack([self._with_rest(lead, rest, self.values, part) for part in parts], axis=1)
        whole = sums.sum(axis=1)
        squares = self._with_rest(lead, rest, self.squares, (0, len(self.values)))
        first, holes = whole[:, : self.columns].copy(), whole[:, self.columns :]
        spread = self.fillings.filled_spread(times[:, self.place], filled, first, squares, holes)
        own = np.ascontiguousarray(sums[:, :, : self.columns])
        filled.add_gap_slopes(own, sums[:, :, self.columns :])
        return ManyMoments(counts, own, *spread)

    def products(self, keep: Any) -> Any:
        """Products of all pairs of some columns and the gap columns, rows in the order of their classes."""
        chosen = self.values[:, self.with_gaps(keep)]
        one, other = np.tril_indices(chosen.shape[1])
        return chosen[:, one] * chosen[:, other]

    def with_gaps(self, keep: Any) -> Any:
        """Some columns, then the gap columns."""
        return np.concatenate([keep, np.arange(self.columns, self.values.shape[1])])

    def second_moments(
        self, times: Array, rest: npt.NDArray[np.bool_], products: Array, part: tuple[int, int], filled: FilledFolds
    ) -> Array:
        """Sums of products of columns over training rows from one place to another, (folds, columns, columns).

        ``filled`` is in terms of the columns of the products.
        """
        flat = self._with_rest(times[~rest], rest, products, part)
        width = int((np.sqrt(8 * products.shape[1] + 1) - 1) / 2 + 0.5)
        one, other = np.tril_indices(width)
        out = np.empty((len(flat), width, width))
        out[:, one, other] = flat
        out[:, other, one] = flat
        own = width - filled.sources.shape[1]
        if own == width:
            return out
        filled.add_gap_slopes(out, out[:, :, own:].copy())  # columns, then lines
        folds = np.arange(len(out))
        for gap in range(width - own):
            out[folds, filled.sources[:, gap], :own] += filled.factors[:, gap, None] * out[:, own + gap, :own]
        return np.ascontiguousarray(out[:, :own, :own])

    def scored(self, slopes: Array, filled: FilledFolds) -> Array:
        """Slopes of the columns with those of the gap columns that follow from them."""
        return np.concatenate([slopes, filled.gap_weights(slopes)], axis=2) if filled.sources.shape[1] else slopes

    @staticmethod
    def _with_rest(lead: Array, rest: npt.NDArray[np.bool_], columns: Array, part: tuple[int, int]) -> Array:
        chosen = columns[part[0] : part[1]]
        out = np.empty((len(rest), columns.shape[1]))
        out[~rest] = lead[:, part[0] : part[1]] @ chosen
        if rest.any():
            out[rest] = chosen.sum(axis=0) - out[np.flatnonzero(rest) - 1]
        return out
