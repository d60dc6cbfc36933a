"""The paper's learners, each on many training halves at once."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, Flags
from bestofk.core.compiled import compiled_wanted
from bestofk.core.frozen import frozen
from bestofk.core.rng import Seed, generator
from bestofk.replications.multitest import tree_plain
from bestofk.replications.multitest.table import (
    LOWEST,
    Fills,
    Labels,
    Prepared,
    Spread,
    Table,
    filled,
    fills_of,
    mean_of_file,
    one_of_n,
    prepared,
    z_scores,
)

# LGC: softmax regression by 50 epochs of full-batch gradient descent, many rates at once.

RATES = (1.0, 0.1, 0.01, 0.001, 0.0001)
EPOCHS = 50
#: The rate is multiplied by this after each epoch.
DECAY = 0.95
#: Weights start uniform between − this and + this.
START = 0.01
#: Cells of the block of outputs (folds × rates × classes × rows) that is held at once: it stays in the cache.
OUTPUTS = 60_000


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
        step = max(1, OUTPUTS // int(size * outputs))
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
ROWS_PER_COMBINATION = 64
LEAST_COMBINATIONS = 16
Codes = npt.NDArray[np.int32]


@frozen(eq=False)
class Descent:
    """``numbers`` (columns, rows), ``codes`` (rows, groups) and the levels that an entry stands for.

    ``middle`` and ``width`` scale the numbers once for the whole file; ``weight`` is what a level adds to its group's
    code. Gaps hold 0 until a fold fills them.
    """

    table: Table
    numbers: Array
    codes: Codes
    members: Codes
    group: tuple[int, ...]
    weight: tuple[int, ...]
    middle: Array
    width: Array

    @classmethod
    def of(cls, table: Table) -> Descent:
        """Prepare a data set for all its folds."""
        middle = mean_of_file(table)
        moved = np.nan_to_num(table.numbers - middle)
        width = np.where((moved**2).sum(axis=0) > 0, np.sqrt((moved**2).mean(axis=0)), 1.0)
        group, weight, members = _grouped(table)
        codes = np.zeros((table.rows, max(group, default=-1) + 1), dtype=np.int32)
        first = np.searchsorted(members[:, 0], np.arange(codes.shape[1])).astype(np.int32)
        codes += first
        for column, (place, times) in enumerate(zip(group, weight, strict=True)):
            codes[:, place] += np.maximum(table.codes[:, column], 0).astype(np.int32) * times
        numbers = np.ascontiguousarray((moved / width).T)
        return cls(table, numbers, codes, members[:, 1:].astype(np.int32), group, weight, middle, width)

    def spread(self, spread: Spread, fold: int) -> tuple[Array, Array]:
        """Mean and 1 / sd of a fold's inputs in the scale of the file."""
        columns, mean, inverse = len(self.middle), spread.mean[fold].copy(), spread.inverse[fold].copy()
        mean[:columns] = (mean[:columns] - self.middle) / self.width
        inverse[:columns] *= self.width
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
    starts = table.numbers.shape[1] + np.cumsum((0, *table.levels))
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
        known, asked = np.flatnonzero(half), np.flatnonzero(~half)
        inside = (_in_chunks(numbers, known, logistic_kernel.CHUNK), _by_group(codes, known), table.y[known])
        for place, rate in enumerate(rates):
            weights = _first_weights(starts[fold])
            steps = rate * DECAY ** np.arange(EPOCHS) * (2.0 if table.classes == 2 else 1.0)
            logistic_kernel.descend(*inside, view.members, mean, inverse, weights, steps)
            scaled = weights[:-1] * inverse[:, None]
            outputs = numbers[:, asked].T @ scaled[: len(numbers)] + (weights[-1] - mean @ scaled)
            entries = np.where(view.members[:, :, None] >= 0, scaled[view.members], 0.0).sum(axis=1)
            outputs += entries[codes[asked]].sum(axis=1)
            predicted[place, fold, asked] = outputs[:, 0] > 0 if table.classes == 2 else outputs.argmax(axis=1)
    return predicted


def _in_chunks(numbers: Array, rows: Labels, length: int) -> Array:
    """Some rows of ``numbers`` (columns, rows) as (chunks, columns, length), the last one filled up with 0."""
    chunks = -(-len(rows) // length)
    filled = np.zeros((len(numbers), chunks * length))
    filled[:, : len(rows)] = numbers[:, rows]
    return np.ascontiguousarray(filled.reshape(len(numbers), chunks, length).transpose(1, 0, 2))


def _by_group(codes: Codes, rows: Labels) -> npt.NDArray[np.uint32]:
    """Codes (groups, rows) of some rows; without a sign they are looked up faster."""
    return np.ascontiguousarray(codes[rows].T, dtype=np.uint32)


def _first_weights(start: Array) -> Array:
    """Weights (inputs + 1, outputs); of two classes only the difference, which takes steps of twice the size."""
    return np.array(start[1:].T - start[:1].T if len(start) == 2 else start.T, order="C")


# NMC, the nearest class centre, and NN, the nearest row of the training half; numbers are z-scored.

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


# "C4.5": entropy alone, grown until pure, pruned from the top down on a fifth of the training half.

#: Share of the training half that prunes.
HELD_OUT = 0.2


def held_out_rows(train: Flags, rng: Seed) -> Flags:
    """A fifth (rounded down) of each training half, plainly at random: (folds, rows)."""
    random = generator(rng, where="held_out_rows")
    held = np.zeros_like(train)
    for fold, half in enumerate(train):
        known = np.flatnonzero(half)
        held[fold, random.permutation(known)[: int(HELD_OUT * len(known))]] = True
    return held


def tree(table: Table, train: Flags, held_out: Flags, fills: Fills | None = None) -> Labels:
    """Predicted labels (folds, rows) by each of many training halves ``train`` (folds, rows).

    A split leaves the least entropy; on a tie the first column. Numbers are cut at a midpoint, nominal columns part
    into all declared levels, and an empty branch predicts the first class. A node becomes a leaf if that loses no
    correct held-out case, else its children are tried. Only the rows outside the training half are filled in.
    """
    (grown, cut_back, labelled), fills, view = _forms(), fills or fills_of(table, train), _View.of(table)
    levels = np.array(table.levels, dtype=np.int64)
    predicted = np.full(train.shape, -1, dtype=np.int64)
    for fold in range(len(train)):
        numbers, codes, order = view.filled(fills, fold)
        grown_on = train[fold] & ~held_out[fold]
        asked, pruning = np.flatnonzero(~train[fold]), np.flatnonzero(held_out[fold])
        rows = order[grown_on[order]].reshape(len(order), -1)
        nodes = grown(numbers, codes, levels, table.columns, table.y, table.classes, rows)
        leaves = cut_back(nodes, numbers, codes, table.columns, table.y, pruning)
        predicted[fold, asked] = labelled(nodes, leaves, numbers, codes, table.columns, asked)
    return predicted


def _forms() -> tuple[Callable[..., Any], ...]:
    """What grows, prunes and asks a tree: compiled loops, or their plain forms."""
    if not compiled_wanted():
        return tree_plain.grow, tree_plain.pruned, tree_plain.labels
    from bestofk.replications.multitest import tree_kernel

    return tree_kernel.grow, tree_kernel.pruned, tree_kernel.labels


@frozen(eq=False)
class _View:
    """Numbers and codes by column, and the rows sorted by each number column, then in file order."""

    table: Table
    numbers: Array
    codes: Labels
    order: npt.NDArray[np.int32]
    gaps: Labels
    missing: bool

    @classmethod
    def of(cls, table: Table) -> _View:
        file_order = np.arange(table.rows)[:, None]
        by_value = np.argsort(table.numbers, axis=0, kind="stable")
        order = np.hstack([by_value, file_order]).T.astype(np.int32, order="C")
        numbers, codes = np.ascontiguousarray(table.numbers.T), np.ascontiguousarray(table.codes.T)
        gaps, missing = np.flatnonzero(np.isnan(numbers).any(axis=1)), bool((codes < 0).any())
        return cls(table, numbers, codes, order, gaps, missing)

    def filled(self, fills: Fills, fold: int) -> tuple[Array, Labels, npt.NDArray[np.int32]]:
        """The same as a fold sees it; a column with gaps is sorted anew, since its fill moves."""
        if not len(self.gaps) and not self.missing:
            return self.numbers, self.codes, self.order
        by_row, codes_by_row = filled(self.table, fills, fold)
        numbers, codes = by_row.T.copy(), codes_by_row.T.copy()
        order = self.order.copy()
        for column in self.gaps:
            order[column] = np.argsort(numbers[column], kind="stable")
        return numbers, codes, order
