"""A data set as the learners of the paper see it: numbers, codes, labels; random halves and what a half says of it."""

from __future__ import annotations

import itertools
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.rng import Seed, generator
from bestofk.design.datasets.dataset import Dataset

Labels: TypeAlias = npt.NDArray[np.int64]

#: Exponentials of less are 0 for any purpose, and numbers too small for ordinary arithmetic would only cost time.
LOWEST = -700.0


@frozen(eq=False)
class Table:
    """Columns parted by type. A missing number is NaN, a missing code −1.

    ``columns`` keeps the order of the file: an index into ``numbers``, or ~index into ``codes``.
    ``whole`` says which number columns hold whole numbers only; ``levels`` how many values a nominal column declares.
    """

    numbers: Array
    codes: Labels
    levels: tuple[int, ...]
    columns: Labels
    whole: Flags
    y: Labels
    classes: int

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.y)


def table_of(dataset: Dataset) -> Table:
    """Part the columns of a classification data set by type."""
    if dataset.task != "classification":
        raise InputError(
            f"data set {dataset.name} has a number as its target.",
            f"data set {dataset.name}, {dataset.source}",
            "the learners of the MultiTest paper classify: give a target with classes.",
        )
    nominal = np.array([feature.nominal for feature in dataset.features])
    values = np.column_stack([np.asarray(feature.values, dtype=np.float64) for feature in dataset.features])
    numbers, codes = values[:, ~nominal], np.nan_to_num(values[:, nominal], nan=-1.0).astype(np.int64)
    place = np.where(nominal, ~(np.cumsum(nominal) - 1), np.cumsum(~nominal) - 1)
    whole = np.array([bool((part == np.floor(part)).all()) for part in _present(numbers)], dtype=bool)
    levels = tuple(len(feature.categories) for feature in dataset.features if feature.nominal)
    return Table(numbers, codes, levels, place, whole, dataset.y.astype(np.int64), len(dataset.classes))


def _present(numbers: Array) -> list[Array]:
    return [column[~np.isnan(column)] for column in numbers.T]


# Plain random halves: a permutation cut in two, not stratified, each half kept in file order.


def random_halves(rows: int, replications: int, rng: Seed) -> Flags:
    """Training rows of every fold (2 · replications, rows): fold 2r trains on one half, fold 2r + 1 on the other.

    Examples
    --------
    >>> train = random_halves(5, replications=1, rng=1)
    >>> train.sum(axis=1), bool((train[0] != train[1]).all())
    (array([2, 3]), True)
    """
    if rows < 4 or replications < 1:
        raise InputError(
            f"{replications} replications of halves of {rows} rows are asked for.",
            "random_halves, arguments rows and replications",
            "give at least 4 rows and 1 replication.",
        )
    random = generator(rng, where="random_halves")
    train = np.zeros((replications, 2, rows), dtype=bool)
    for first, second in train:
        first[random.permutation(rows)[: rows // 2]] = True
        second[:] = ~first
    return train.reshape(-1, rows)


def error_rates(y: Labels, train: Flags, predicted: Labels) -> Array:
    """Share of wrong predictions among the test rows of every fold; ``predicted`` (..., folds, rows)."""
    wrong: Array = ((predicted != y) & ~train).sum(axis=-1) / (~train).sum(axis=-1)
    return wrong


# What a training half says of the columns: values for the gaps, means and spreads; for many halves at once.


@frozen(eq=False)
class Fills:
    """What stands for a missing value: ``numbers`` (folds, number columns), ``codes`` (folds, nominal columns)."""

    numbers: Array
    codes: Labels


@frozen(eq=False)
class Spread:
    """Mean and standard deviation (n − 1) of the filled number columns in each training half: (folds, columns)."""

    mean: Array
    sd: Array

    @property
    def inverse(self) -> Array:
        """1 / sd, and 0 for a column that is constant in the half: it says nothing."""
        return np.divide(1.0, self.sd, out=np.zeros_like(self.sd), where=self.sd > 0)


def one_of_n(codes: Labels, levels: tuple[int, ...]) -> Array:
    """Nominal codes as columns of 0 and 1, one per declared level; a missing code is 0 in all of them."""
    parts = [codes[..., [column]] == np.arange(count) for column, count in enumerate(levels)]
    return np.concatenate([*parts, np.zeros((*codes.shape[:-1], 0))], axis=-1).astype(np.float64)


def fills_of(table: Table, train: Flags) -> Fills:
    """Mean of each training half (whole-numbered columns: cut to an integer), and mode (the first on a tie)."""
    weights = train.astype(np.float64)
    present = ~np.isnan(table.numbers)
    count = weights @ present.astype(np.float64)
    total = weights @ np.where(present, table.numbers, 0.0)
    mean = np.divide(total, count, out=np.zeros_like(total), where=count > 0)  # nothing known in the half: 0
    return Fills(np.where(table.whole, np.trunc(mean), mean), _modes(table, weights))


def _modes(table: Table, weights: Array) -> Labels:
    counts = weights @ one_of_n(table.codes, table.levels)
    modes = np.zeros((len(weights), len(table.levels)), dtype=np.int64)
    starts = np.cumsum((0, *table.levels))
    for column, (start, end) in enumerate(itertools.pairwise(starts)):
        modes[:, column] = counts[:, start:end].argmax(axis=1)
    return modes


def filled(table: Table, fills: Fills, fold: int) -> tuple[Array, Labels]:
    """Numbers and codes of all rows with the gaps filled as the training half of a fold says; not to be changed."""
    gaps, missing = np.isnan(table.numbers), table.codes < 0
    numbers = np.where(gaps, fills.numbers[fold], table.numbers) if gaps.any() else table.numbers
    return numbers, np.where(missing, fills.codes[fold], table.codes) if missing.any() else table.codes


def spread_of(table: Table, train: Flags, fills: Fills) -> Spread:
    """Means and standard deviations of every training half, in two passes; a constant column has exactly 0."""
    shape = (len(train), table.numbers.shape[1])
    spread, gaps = Spread(np.zeros(shape), np.zeros(shape)), bool(np.isnan(table.numbers).any())
    for fold, half in enumerate(train):
        known = table.numbers[half]
        if gaps:
            known = np.where(np.isnan(known), fills.numbers[fold], known)
        spread.mean[fold] = known.mean(axis=0)
        spread.sd[fold] = np.where((known == known[:1]).all(axis=0), 0.0, known.std(axis=0, ddof=1))
    return spread


def z_scores(values: Array, spread: Spread, fold: int) -> Array:
    """(x − mean) / sd as a fold sees it, and 0 in a column that is constant in its training half: it says nothing."""
    moved: Array = values - spread.mean[fold]
    scores: Array = np.divide(moved, spread.sd[fold], out=np.zeros_like(moved), where=spread.sd[fold] > 0)
    return scores


def mean_of_file(table: Table) -> Array:
    """Mean of each number column over all rows that have it, whatever the fold: only a handy origin."""
    present = ~np.isnan(table.numbers)
    mean: Array = np.where(present, table.numbers, 0.0).sum(axis=0) / np.maximum(present.sum(axis=0), 1)
    return mean


@frozen(eq=False)
class Prepared:
    """What all learners ask of the training halves, found once: values for the gaps, means and spreads."""

    fills: Fills
    spread: Spread

    def of(self, folds: slice) -> Prepared:
        """The same of some of the halves."""
        fills = Fills(self.fills.numbers[folds], self.fills.codes[folds])
        return Prepared(fills, Spread(self.spread.mean[folds], self.spread.sd[folds]))


def prepared(table: Table, train: Flags) -> Prepared:
    """Values for the gaps, means and spreads of every training half."""
    fills = fills_of(table, train)
    return Prepared(fills, spread_of(table, train, fills))
