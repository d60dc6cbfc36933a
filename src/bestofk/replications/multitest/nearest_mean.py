"""NMC: the nearest class centre: means of z-scored numbers, modes of nominal values, 1 per nominal mismatch."""

from __future__ import annotations

import itertools

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.replications.multitest.table import (
    Fills,
    Labels,
    Prepared,
    Spread,
    Table,
    mean_of_file,
    one_of_n,
    prepared,
)

#: Centres whose squared distances differ by less are equally near: the first class wins.
TIE = 1e-9
#: Cells of the block of distances (rows × folds × classes) that is held at once.
BLOCK = 1_000_000


def nearest_mean(table: Table, train: Flags, ready: Prepared | None = None) -> Labels:
    """Predicted labels (folds, rows) of every row by each of many training halves ``train`` (folds, rows)."""
    ready = ready or prepared(table, train)
    step = max(1, BLOCK // (table.rows * table.classes))
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
