"""LGC: softmax regression by 50 epochs of full-batch gradient descent, many halves and rates at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.compiled import compiled_wanted
from bestofk.core.names import unknown
from bestofk.core.rng import Seed, generator
from bestofk.replications.multitest.preparing import Fills, Prepared, Spread, filled, one_of_n, prepared, z_scores
from bestofk.replications.multitest.table import Labels, Table

RATES = (1.0, 0.1, 0.01, 0.001, 0.0001)
EPOCHS = 50
#: The rate is multiplied by this after each epoch.
DECAY = 0.95
#: Weights start uniform between − this and + this.
START = 0.01
#: Cells of the block of outputs (folds × rates × classes × rows) that is held at once: it stays in the cache.
BLOCK = 60_000
#: Below this the share is 0 for any purpose, and numbers too small for ordinary arithmetic would only cost time.
LOWEST = -700.0
BACKENDS = ("auto", "numpy", "numba")


def starts_of(table: Table, folds: int, rng: Seed) -> Array:
    """Weights to start from (folds, classes, inputs + 1), uniform; the last one is the constant's."""
    inputs = table.numbers.shape[1] + sum(table.levels)
    random = generator(rng, where="starts_of")
    return random.uniform(-START, START, size=(folds, table.classes, inputs + 1))


def logistic(
    table: Table,
    train: Flags,
    starts: Array,
    rates: tuple[float, ...] = RATES,
    backend: str = "auto",
    ready: Prepared | None = None,
) -> Labels:
    """Predicted labels (rates, folds, rows) by each of many training halves ``train`` (folds, rows).

    The inputs are the numbers and 1-of-n, every one z-scored. Only the rows outside the training half are filled in.
    """
    ready = ready or prepared(table, train)
    fills, spread = ready.fills, _spread_of_inputs(table, train, ready)
    if _compiled(backend):
        from bestofk.replications.multitest.descent import descended_labels

        return descended_labels(table, train, starts, rates, ready, spread)
    predicted = np.full((len(rates), *train.shape), -1, dtype=np.int64)
    for folds in _blocks(train, table.classes * len(rates)):
        inputs = np.stack([_inputs(table, fills, spread, fold) for fold in folds])
        known = np.stack([np.flatnonzero(train[fold]) for fold in folds])
        asked = np.stack([np.flatnonzero(~train[fold]) for fold in folds])
        weights = descend(_rows(inputs, known), table.y[known], starts[folds], rates)
        outputs = weights @ _rows(inputs, asked).transpose(0, 2, 1)
        labels = outputs.reshape(len(folds), len(rates), table.classes, -1).argmax(axis=2)
        predicted[:, folds[:, None], asked] = labels.transpose(1, 0, 2)
    return predicted


def descend(inputs: Array, y: Labels, starts: Array, rates: tuple[float, ...]) -> Array:
    """Weights (folds, rates · classes, inputs) after all epochs; ``inputs`` (folds, rows, inputs), ``y`` (folds, rows).

    The gradient is the sum over rows, not the mean, and there is no penalty.
    """
    folds, classes, _ = starts.shape
    weights = np.tile(starts, (1, len(rates), 1))
    targets = (y[:, None, :] == np.arange(classes)[:, None]).astype(np.float64) @ inputs
    wanted = np.tile(targets, (1, len(rates), 1))
    rate = np.repeat(rates, classes)[:, None]
    turned = np.ascontiguousarray(inputs.transpose(0, 2, 1))
    for epoch in range(EPOCHS):
        outputs = weights @ turned
        softmax(outputs.reshape(folds, len(rates), classes, -1))
        weights += rate * DECAY**epoch * (wanted - outputs @ inputs)
    return weights


def _compiled(backend: str) -> bool:
    if backend not in BACKENDS:
        raise unknown(backend, BACKENDS, what="backend", where="the paper's logistic learner, argument backend")
    return backend == "numba" or (backend == "auto" and compiled_wanted())


def softmax(outputs: Array) -> None:
    """Turn outputs (..., classes, rows) into shares of the classes, in place."""
    outputs -= outputs.max(axis=-2, keepdims=True)
    np.maximum(outputs, LOWEST, out=outputs)
    np.exp(outputs, out=outputs)
    outputs *= 1.0 / outputs.sum(axis=-2, keepdims=True)


def best_rate(errors: Array) -> int:
    """Position of the rate with the lowest mean error, the first on a tie; ``errors`` (rates, ...)."""
    return int(errors.reshape(len(errors), -1).mean(axis=1).argmin())


def _blocks(train: Flags, outputs: int) -> Iterator[Labels]:
    """Folds whose training halves have one size, a few at a time."""
    sizes = train.sum(axis=1)
    for size in np.unique(sizes):
        folds = np.flatnonzero(sizes == size)
        step = max(1, BLOCK // int(size * outputs))
        yield from (folds[start : start + step] for start in range(0, len(folds), step))


def _spread_of_inputs(table: Table, train: Flags, ready: Prepared) -> Spread:
    """Spread of numbers, then of the 0/1 columns: with share p of ones it is √(n p (1 − p) / (n − 1))."""
    weights = train.astype(np.float64)
    ones = weights @ one_of_n(table.codes, table.levels)
    missing = weights @ (table.codes < 0).astype(np.float64)
    ones += one_of_n(ready.fills.codes, table.levels) * np.repeat(missing, table.levels, axis=1)
    n = weights.sum(axis=1, keepdims=True)
    numbers = ready.spread
    sd = np.sqrt(ones * (n - ones) / (n * (n - 1)))
    return Spread(np.hstack([numbers.mean, ones / n]), np.hstack([numbers.sd, sd]))


def _inputs(table: Table, fills: Fills, spread: Spread, fold: int) -> Array:
    """z-scores of all rows as a fold sees them, and the constant 1."""
    numbers, codes = filled(table, fills, fold)
    raw = np.hstack([numbers, one_of_n(codes, table.levels)])
    return np.hstack([z_scores(raw, spread, fold), np.ones((table.rows, 1))])


def _rows(inputs: Array, rows: Labels) -> Array:
    return np.take_along_axis(inputs, rows[:, :, None], axis=1)
