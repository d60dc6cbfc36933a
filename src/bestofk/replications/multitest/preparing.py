"""What a training half says of the columns: values for the gaps, means and spreads; for many halves at once."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.replications.multitest.table import Labels, Table


@dataclass(frozen=True, eq=False)
class Fills:
    """What stands for a missing value: ``numbers`` (folds, number columns), ``codes`` (folds, nominal columns)."""

    numbers: Array
    codes: Labels


@dataclass(frozen=True, eq=False)
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


@dataclass(frozen=True, eq=False)
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
