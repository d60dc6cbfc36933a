"""LGC: softmax regression by 50 epochs of full-batch gradient descent, many halves and rates at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, Flags
from bestofk.core.compiled import compiled_wanted
from bestofk.core.frozen import frozen
from bestofk.core.rng import Seed, generator
from bestofk.replications.multitest.table import (
    LOWEST,
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

RATES = (1.0, 0.1, 0.01, 0.001, 0.0001)
EPOCHS = 50
#: The rate is multiplied by this after each epoch.
DECAY = 0.95
#: Weights start uniform between − this and + this.
START = 0.01
#: Cells of the block of outputs (folds × rates × classes × rows) that is held at once: it stays in the cache.
BLOCK = 60_000


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
    ready: Prepared | None = None,
) -> Labels:
    """Predicted labels (rates, folds, rows) by each of many training halves ``train`` (folds, rows).

    The inputs are the numbers and 1-of-n, every one z-scored. Only the rows outside the training half are filled in.
    """
    ready = ready or prepared(table, train)
    fills, spread = ready.fills, _spread_of_inputs(table, train, ready)
    if compiled_wanted():
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


#: A group of nominal columns has no more combinations than this share of the rows: summing them up must stay cheap.
ROWS_PER_COMBINATION = 32
LEAST_COMBINATIONS = 16
Codes = npt.NDArray[np.int32]


@frozen(eq=False)
class Descent:
    """``numbers`` (columns filled up to fours, rows), ``codes`` (rows, groups) and the levels that an entry stands for.

    ``middle`` and ``width`` scale the numbers once for the whole file; ``weight`` is what a level adds to its group's
    code. Gaps hold 0 until a fold fills them. ``order`` are the rows by their code in the first group.
    """

    table: Table
    numbers: Array
    codes: Codes
    members: Codes
    group: tuple[int, ...]
    weight: tuple[int, ...]
    middle: Array
    width: Array
    order: Labels

    @classmethod
    def of(cls, table: Table) -> Descent:
        """Prepare a data set for all its folds."""
        middle = mean_of_file(table)
        moved = np.nan_to_num(table.numbers - middle)
        width = np.where((moved**2).sum(axis=0) > 0, np.sqrt((moved**2).mean(axis=0)), 1.0)
        columns = table.numbers.shape[1]
        numbers = np.zeros((-(-columns // 4) * 4, table.rows))
        numbers[:columns] = (moved / width).T
        group, weight, members = _grouped(table)
        codes = np.zeros((table.rows, max(group, default=-1) + 1), dtype=np.int32)
        first = np.searchsorted(members[:, 0], np.arange(codes.shape[1])).astype(np.int32)
        codes += first
        for column, (place, times) in enumerate(zip(group, weight, strict=True)):
            codes[:, place] += np.maximum(table.codes[:, column], 0).astype(np.int32) * times
        order = np.argsort(codes[:, 0], kind="stable") if group else np.arange(table.rows)
        return cls(table, numbers, codes, members[:, 1:].astype(np.int32), group, weight, middle, width, order)

    def spread(self, spread: Spread, fold: int) -> tuple[Array, Array]:
        """Mean and 1 / sd of a fold's inputs in the scale of the file; the columns that fill up to four have 0."""
        columns, filled = len(self.middle), len(self.numbers)
        mean, inverse = (np.zeros(filled + len(spread.mean[fold]) - columns) for _ in range(2))
        mean[:columns] = (spread.mean[fold, :columns] - self.middle) / self.width
        inverse[:columns] = spread.inverse[fold, :columns] * self.width
        mean[filled:], inverse[filled:] = spread.mean[fold, columns:], spread.inverse[fold, columns:]
        return mean, inverse

    def fill(self, ready: Prepared, fold: int, numbers: Array, codes: Codes) -> None:
        """Write the fold's values into the gaps of copies of ``numbers`` and ``codes``."""
        rows, columns = np.nonzero(np.isnan(self.table.numbers))
        numbers[columns, rows] = ((ready.fills.numbers[fold] - self.middle) / self.width)[columns]
        missing = self.table.codes < 0
        for place in {self.group[column] for column in np.flatnonzero(missing.any(axis=0))}:
            codes[:, place] = self.codes[:, place]
        for column in np.flatnonzero(missing.any(axis=0)):
            codes[missing[:, column], self.group[column]] += ready.fills.codes[fold, column] * self.weight[column]


def _grouped(table: Table) -> tuple[tuple[int, ...], tuple[int, ...], Labels]:
    """Group and weight of every nominal column; for every entry its group, then the inputs that its levels are."""
    most = max(LEAST_COMBINATIONS, table.rows // ROWS_PER_COMBINATION)
    group: list[int] = []
    weight: list[int] = []
    sizes: list[int] = []
    for levels in table.levels:
        if not sizes or sizes[-1] * levels > most:
            sizes.append(1)
        group.append(len(sizes) - 1)
        weight.append(sizes[-1])
        sizes[-1] *= levels
    starts = -(-table.numbers.shape[1] // 4) * 4 + np.cumsum((0, *table.levels))
    longest = max((group.count(each) for each in set(group)), default=1)
    members = np.full((sum(sizes), 1 + longest), -1, dtype=np.int64)
    first = 0
    for place, size in enumerate(sizes):
        entries = np.arange(size)
        members[first : first + size, 0] = place
        own = [column for column, of in enumerate(group) if of == place]
        for at, column in enumerate(own, 1):
            digit = entries // weight[column] % table.levels[column]
            members[first : first + size, at] = starts[column] + digit
        first += size
    return tuple(group), tuple(weight), members


def descended_labels(
    table: Table, train: Flags, starts: Array, rates: tuple[float, ...], ready: Prepared, spread: Spread
) -> Labels:
    """Predicted labels (rates, folds, rows) of the rows outside the training half, −1 elsewhere: compiled."""
    from bestofk.replications.multitest import logistic_kernel

    view = Descent.of(table)
    numbers, codes = view.numbers.copy(), view.codes.copy()
    predicted = np.full((len(rates), *train.shape), -1, dtype=np.int64)
    for fold, half in enumerate(train):
        view.fill(ready, fold, numbers, codes)
        mean, inverse = view.spread(spread, fold)
        inner = half[view.order]
        known, asked = view.order[inner], view.order[~inner]
        inside = (logistic_kernel.in_chunks(numbers, known), _by_group(codes, known), table.y[known])
        outside = (logistic_kernel.in_chunks(numbers, asked), _by_group(codes, asked))
        for place, rate in enumerate(rates):
            weights = _first_weights(starts[fold], len(view.middle), len(view.numbers))
            steps = rate * DECAY ** np.arange(EPOCHS) * (2.0 if table.classes == 2 else 1.0)
            logistic_kernel.descend(*inside, view.members, mean, inverse, weights, steps)
            found = np.empty(len(asked), dtype=np.int64)
            logistic_kernel.labels(*outside, view.members, mean, inverse, weights, found)
            predicted[place, fold, asked] = found
    return predicted


def _by_group(codes: Codes, rows: Labels) -> npt.NDArray[np.uint32]:
    """Codes (groups, rows) of some rows; without a sign they are looked up faster."""
    return np.ascontiguousarray(codes[rows].T, dtype=np.uint32)


def _first_weights(start: Array, columns: int, filled: int) -> Array:
    """Weights (inputs + 1, outputs); of two classes only the difference, which takes steps of twice the size."""
    both = np.zeros((start.shape[1] + filled - columns, len(start)))
    both[:columns], both[filled:] = start.T[:columns], start.T[columns:]
    return np.ascontiguousarray(both[:, 1:] - both[:, :1]) if len(start) == 2 else both
