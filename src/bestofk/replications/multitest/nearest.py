"""NMC, the nearest class centre, and NN, the nearest row of the training half; numbers are z-scored."""

from __future__ import annotations

import itertools
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, Flags
from bestofk.core.compiled import compiled_wanted
from bestofk.replications.multitest.table import (
    Fills,
    Labels,
    Prepared,
    Spread,
    Table,
    filled,
    mean_of_file,
    one_of_n,
    prepared,
    z_scores,
)

#: Centres whose squared distances differ by less are equally near: the first class wins.
TIE = 1e-9
#: Cells of the block of distances (rows × folds × classes) that is held at once.
MOST_CELLS = 1_000_000


def nearest_mean(table: Table, train: Flags, ready: Prepared | None = None) -> Labels:
    """Predicted labels (folds, rows) of every row by each of many training halves ``train`` (folds, rows)."""
    ready = ready or prepared(table, train)
    step = max(1, MOST_CELLS // (table.rows * table.classes))
    parts = [slice(start, start + step) for start in range(0, len(train), step)]
    return np.concatenate([_predicted(table, train[part], ready.of(part)) for part in parts])


def _predicted(table: Table, train: Flags, ready: Prepared) -> Labels:
    distances = np.zeros((table.classes, *train.shape))
    if table.numbers.shape[1]:
        distances += _number_distances(table, train, ready)
    if table.levels:
        distances += _mismatches(table, train, ready.fills)
    limit, labels = distances.min(axis=0) + TIE, np.zeros(train.shape, dtype=np.int64)
    for label in reversed(range(table.classes)):  # the first class within the limit stays
        np.copyto(labels, label, where=distances[label] <= limit)
    return labels


def _number_distances(table: Table, train: Flags, ready: Prepared) -> Array:
    """Σ (z − centre)² less the part that all classes share, from one product of matrices: (classes, folds, rows)."""
    fills, spread = ready.fills, ready.spread
    centres = _class_means(table, train, fills, spread)
    offset, scale = spread.mean[:, None, :], spread.inverse[:, None, :]
    gaps = np.isnan(table.numbers)
    middle = mean_of_file(table)
    moved = np.where(gaps, 0.0, table.numbers - middle)
    weight = scale * centres  # z · centre = (x − middle) · weight + (middle − mean) · weight
    constant = ((middle - offset) * weight).sum(axis=2)
    of_gaps = weight * (fills.numbers[:, None, :] - middle)
    some = gaps.any()
    both = np.concatenate([weight, of_gaps], axis=2) if some else weight
    products = _products(np.hstack([moved, gaps]) if some else moved, both)
    shared: Array = ((centres**2).sum(axis=2) - 2.0 * constant).T[:, :, None]
    return shared - 2.0 * products


def _class_means(table: Table, train: Flags, fills: Fills, spread: Spread) -> Array:
    """Class means of the z-scores (folds, classes, columns); a class that the half lacks keeps 0."""
    gaps = np.isnan(table.numbers)
    known = np.where(gaps, 0.0, table.numbers)
    means = np.zeros((len(train), table.classes, table.numbers.shape[1]))
    for label in range(table.classes):
        own = table.y == label
        weights = train[:, own].astype(np.float64)
        count = weights.sum(axis=1, keepdims=True)
        total = weights @ known[own] + (weights @ gaps[own].astype(np.float64)) * fills.numbers
        centred = (total - count * spread.mean) * spread.inverse
        means[:, label] = np.divide(centred, count, out=np.zeros_like(centred), where=count > 0)
    return means


def _mismatches(table: Table, train: Flags, fills: Fills) -> Array:
    """Nominal columns in which a row differs from the mode of a class: (classes, folds, rows), whole numbers."""
    encoded, gaps = one_of_n(table.codes, table.levels), table.codes < 0
    modes = _class_modes(table, train, fills, encoded)
    of_gaps = modes == fills.codes[:, None, :]
    both = np.concatenate([one_of_n(modes, table.levels), of_gaps], axis=2)
    return len(table.levels) - _products(np.hstack([encoded, gaps]), both)


def _class_modes(table: Table, train: Flags, fills: Fills, encoded: Array) -> Labels:
    """Most frequent level of each class (folds, classes, columns), gaps filled first; the first level on a tie."""
    modes = np.zeros((len(train), table.classes, len(table.levels)), dtype=np.int64)
    folds = np.arange(len(train))
    starts = np.cumsum((0, *table.levels))
    for label in range(table.classes):
        own = table.y == label
        weights = train[:, own].astype(np.float64)
        counts = weights @ encoded[own]
        missing = weights @ (table.codes[own] < 0).astype(np.float64)
        for column, (start, end) in enumerate(itertools.pairwise(starts)):
            counts[folds, start + fills.codes[:, column]] += missing[:, column]
            modes[:, label, column] = counts[:, start:end].argmax(axis=1)
    return modes


def _products(rows: Array, centres: Array) -> Array:
    """Inner products (classes, folds, rows) of rows with the centres (folds, classes, columns) of every fold."""
    folds, classes, width = centres.shape
    products = centres.transpose(1, 0, 2).reshape(classes * folds, width) @ rows.T
    return products.reshape(classes, folds, len(rows))


#: The bounds of the shared list are lowered by this share and this much, far more than rounding can do.
SLACK = 1e-9
#: Where a half's weights fall below this share of those that the list counts with, the list is made anew.
LEAST_SHARE = 0.5
#: Length of the shared list of near rows; where it is not enough, all training rows are looked at.
NEAR = 384
#: Rows whose distances to all others are held at once.
BLOCK = 256
Rows: TypeAlias = npt.NDArray[np.int32]


def nearest_neighbour(table: Table, train: Flags) -> Labels:
    """Predicted labels (folds, rows) by each of many training halves ``train`` (folds, rows).

    Squared distance of the z-scored numbers plus 1 per nominal mismatch, compared as double precision has it: rounding
    decides between distances that are equal on paper, as it did for the authors (monks: 26.9 %, and 28.2 % when such
    distances count as ties). Only the rows outside the training half are
    filled in.
    """
    return Neighbours(table).labels(train, prepared(table, train))


class Neighbours:
    """NN on one data set: the list of near rows is kept, for the next halves need hardly ever another one."""

    def __init__(self, table: Table) -> None:
        self.table, self._least = table, np.full(table.numbers.shape[1], np.inf)
        self._list: tuple[Rows, Array] | None = None

    def labels(self, train: Flags, ready: Prepared) -> Labels:
        """Predicted labels (folds, rows); see ``nearest_neighbour``."""
        nearest = (self._by_shared_list if compiled_wanted() else self._by_all_distances)(train, ready)
        return np.where(nearest >= 0, self.table.y[nearest], -1)

    def _by_all_distances(self, train: Flags, ready: Prepared) -> Labels:
        """Nearest training row of each test row (folds, rows), −1 elsewhere: all distances of every fold."""
        nearest = np.full(train.shape, -1, dtype=np.int64)
        for fold, half in enumerate(train):
            numbers, codes = filled(self.table, ready.fills, fold)
            scores = z_scores(numbers, ready.spread, fold)
            known, asked = np.flatnonzero(half), np.flatnonzero(~half)
            for rows in np.split(asked, range(BLOCK, len(asked), BLOCK)):
                nearest[fold, rows] = known[_distances(scores, codes, rows, known).argmin(axis=1)]
        return nearest

    def _by_shared_list(self, train: Flags, ready: Prepared) -> Labels:
        """The same rows, from one list of near rows that serves every fold."""
        from bestofk.replications.multitest import neighbour_kernel

        weights = ready.spread.inverse**2
        if self._list is None or self._shares(weights).min() < LEAST_SHARE:
            self._least = np.minimum(weights.min(axis=0), self._least)
            self._list = _near_rows(self.table, self._least)
        nearest = np.full(train.shape, -1, dtype=np.int64)
        small = self.table.codes.astype(np.int16)  # more of them in the cache
        for fold, (half, share) in enumerate(zip(train, self._shares(weights), strict=True)):
            numbers, codes = filled(self.table, ready.fills, fold)
            of_fold = small if codes is self.table.codes else codes.astype(np.int16)
            scores = z_scores(numbers, ready.spread, fold)
            neighbour_kernel.nearest(scores, of_fold, half, *self._list, share, nearest[fold])
        return nearest

    def _shares(self, weights: Array) -> Array:
        """For every half a factor by which the list's distances are still bounds: its least weight by the list's.

        A nominal mismatch counts 1 in every half, so with nominal columns the factor is at most 1.
        """
        shares = np.divide(weights, self._least, out=np.full_like(weights, np.inf), where=self._least > 0)
        found: Array = shares.min(axis=1, initial=1.0 if self.table.levels else np.inf)
        return np.where(np.isinf(found), 1.0, found)


def _distances(scores: Array, codes: Labels, rows: Labels, others: Labels) -> Array:
    total = np.zeros((len(rows), len(others)))
    for column in codes.T:
        total += column[rows][:, None] != column[others]
    for column in scores.T:
        total += (column[rows][:, None] - column[others]) ** 2
    return total


def _near_rows(table: Table, least: Array) -> tuple[Rows, Array]:
    """Rows nearest to each row by a distance that no fold's distance falls below, and that distance.

    Each number column counts by its least weight over the folds, and a column with a gap in either row not at all.
    Rows that are equally far stand in file order.
    """
    from bestofk.replications.multitest import neighbour_kernel

    numbers, codes = np.ascontiguousarray(table.numbers.T), np.ascontiguousarray(table.codes.T)
    length = min(NEAR, table.rows - 1)
    near = np.empty((table.rows, length), dtype=np.int32)
    bounds = np.empty((table.rows, length))
    for rows in np.split(np.arange(table.rows), range(BLOCK, table.rows, BLOCK)):
        lower = np.empty((len(rows), table.rows))
        neighbour_kernel.lower_bounds(numbers, codes, least, rows, lower)
        lower[np.arange(len(rows)), rows] = np.inf  # a row is no neighbour of itself
        chosen = np.sort(np.argpartition(lower, length - 1, axis=1)[:, :length], axis=1)
        distances = np.take_along_axis(lower, chosen, axis=1)
        order = np.argsort(distances, axis=1, kind="stable")
        near[rows], bounds[rows] = (np.take_along_axis(part, order, axis=1) for part in (chosen, distances))
    return near, bounds * (1 - SLACK) - SLACK
