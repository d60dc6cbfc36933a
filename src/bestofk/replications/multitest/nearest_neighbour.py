"""NN: the nearest row of the training half; on a tie the lowest row in file order."""

from __future__ import annotations

import numpy as np

from bestofk.core.extras import available
from bestofk.core.names import unknown
from bestofk.replications.multitest.preparing import Fills, Spread, filled, fills_of, spread_of, z_scores
from bestofk.replications.multitest.table import Labels, Table
from bestofk.stats.arrays import Array, Flags

#: The bounds of the shared list are lowered by this share and this much, far more than rounding can do.
SLACK = 1e-9
#: Length of the shared list of near rows; where it is not enough, all training rows are looked at.
NEAR = 128
BACKENDS = ("auto", "numpy", "numba")
#: Rows whose distances to all others are held at once.
BLOCK = 256


def nearest_neighbour(table: Table, train: Flags, backend: str = "auto") -> Labels:
    """Predicted labels (folds, rows) by each of many training halves ``train`` (folds, rows).

    Squared distance of the z-scored numbers plus 1 per nominal mismatch, compared as double precision has it: rounding
    decides between distances that are equal on paper, as it did for the authors (monks: 26.9 %, and 28.2 % when such
    distances count as ties). Only the rows outside the training half are
    filled in.
    """
    if backend not in BACKENDS:
        raise unknown(backend, BACKENDS, what="backend", where="the paper's nearest neighbour, argument backend")
    fills = fills_of(table, train)
    spread = spread_of(table, train, fills)
    compiled = backend == "numba" or (backend == "auto" and available("numba"))
    nearest = (_by_shared_list if compiled else _by_all_distances)(table, train, fills, spread)
    return np.where(nearest >= 0, table.y[nearest], -1)


def _by_all_distances(table: Table, train: Flags, fills: Fills, spread: Spread) -> Labels:
    """Nearest training row of each test row (folds, rows), −1 elsewhere: all distances of every fold."""
    nearest = np.full(train.shape, -1, dtype=np.int64)
    for fold, half in enumerate(train):
        numbers, codes = filled(table, fills, fold)
        scores = z_scores(numbers, spread, fold)
        known, asked = np.flatnonzero(half), np.flatnonzero(~half)
        for rows in np.split(asked, range(BLOCK, len(asked), BLOCK)):
            nearest[fold, rows] = known[_distances(scores, codes, rows, known).argmin(axis=1)]
    return nearest


def _distances(scores: Array, codes: Labels, rows: Labels, others: Labels) -> Array:
    total = np.zeros((len(rows), len(others)))
    for column in codes.T:
        total += column[rows][:, None] != column[others]
    for column in scores.T:
        total += (column[rows][:, None] - column[others]) ** 2
    return total


def _by_shared_list(table: Table, train: Flags, fills: Fills, spread: Spread) -> Labels:
    """The same rows, from one list of near rows that serves every fold."""
    from bestofk.replications.multitest import neighbour_kernel

    near, bounds = _near_rows(table, (spread.inverse**2).min(axis=0))
    nearest = np.full(train.shape, -1, dtype=np.int64)
    for fold, half in enumerate(train):
        numbers, codes = filled(table, fills, fold)
        scores = z_scores(numbers, spread, fold)
        neighbour_kernel.nearest(scores, codes, half, near, bounds, nearest[fold])
    return nearest


def _near_rows(table: Table, least: Array) -> tuple[Labels, Array]:
    """Rows nearest to each row by a distance that no fold's distance falls below, and that distance.

    Each number column counts by its least weight over the folds, and a column with a gap in either row not at all.
    """
    from bestofk.replications.multitest import neighbour_kernel

    numbers, codes = np.ascontiguousarray(table.numbers.T), np.ascontiguousarray(table.codes.T)
    length = min(NEAR, table.rows - 1)
    near = np.empty((table.rows, length), dtype=np.int64)
    bounds = np.empty((table.rows, length))
    for rows in np.split(np.arange(table.rows), range(BLOCK, table.rows, BLOCK)):
        lower = np.empty((len(rows), table.rows))
        neighbour_kernel.lower_bounds(numbers, codes, least, rows, lower)
        lower[np.arange(len(rows)), rows] = np.inf  # a row is no neighbour of itself
        chosen = np.argpartition(lower, length - 1, axis=1)[:, :length]
        distances = np.take_along_axis(lower, chosen, axis=1)
        order = np.argsort(distances, axis=1)
        near[rows], bounds[rows] = (np.take_along_axis(part, order, axis=1) for part in (chosen, distances))
    return near, bounds * (1 - SLACK) - SLACK
