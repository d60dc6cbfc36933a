"""The paper's experiment on one data set: runs of 5 × 2 halves, five learners, the errors of every fold."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

import numpy as np

from bestofk.core.errors import InputError
from bestofk.design.dataset import Dataset
from bestofk.replications.multitest.halves import error_rates, random_halves
from bestofk.replications.multitest.logistic import RATES, best_rate, logistic, starts_of
from bestofk.replications.multitest.most_frequent import most_frequent
from bestofk.replications.multitest.nearest_mean import nearest_mean
from bestofk.replications.multitest.nearest_neighbour import nearest_neighbour
from bestofk.replications.multitest.published import LEARNERS
from bestofk.replications.multitest.table import Table, table_of
from bestofk.replications.multitest.tree import held_out_rows, tree
from bestofk.stats.arrays import Array, Flags

#: Folds of the logistic learner whose predictions, at every rate, are held at once.
FOLDS_AT_ONCE = 100
#: Standard errors by which a rate must be behind the best to be given up: no chance that it would have won.
GIVEN_UP = 8.0


@dataclass(frozen=True, eq=False)
class FoldErrors:
    """Errors of each learner (learners, runs, 5, 2), learners in the order of LEARNERS; the rate that LGC took."""

    dataset: str
    errors: Array
    rate: float

    def of(self, learner: str) -> Array:
        """Errors (runs, 5, 2) of one learner."""
        errors: Array = self.errors[LEARNERS.index(learner)]
        return errors


def fold_errors(dataset: Dataset, runs: int, seed: int) -> FoldErrors:
    """Run the experiment. The seed and the name of the set give three streams: halves, held-out rows, first weights.

    They are ``numpy.random.SeedSequence(seed, spawn_key=(crc32(name),)).spawn(3)``, each behind a default generator.
    """
    _refuse(runs, seed)
    table = table_of(dataset)
    key = (crc32(dataset.name.encode()),)
    halves, held_out, starts = np.random.SeedSequence(seed, spawn_key=key).spawn(3)
    train = random_halves(table.rows, 5 * runs, halves)
    predicted = [
        most_frequent(table, train),
        nearest_mean(table, train),
        tree(table, train, held_out_rows(train, held_out)),
        nearest_neighbour(table, train),
    ]
    most, nearest, grown, neighbour = (error_rates(table.y, train, labels) for labels in predicted)
    descended, rate = _errors_at_best_rate(table, train, starts)
    errors = np.stack([most, nearest, descended, grown, neighbour])
    return FoldErrors(dataset.name, errors.reshape(len(LEARNERS), runs, 5, 2), rate)


def _errors_at_best_rate(table: Table, train: Flags, starts: np.random.SeedSequence) -> tuple[Array, float]:
    """Errors of the logistic learner at the rate with the lowest mean error, and the rate.

    Rates out of the race are not run any further: some hundred folds are enough to see it.
    """
    random = np.random.default_rng(starts)
    rates: tuple[float, ...] = RATES
    errors: Array = np.zeros((len(RATES), 0))
    for start in range(0, len(train), FOLDS_AT_ONCE):
        some = train[start : start + FOLDS_AT_ONCE]
        labels = logistic(table, some, starts_of(table, len(some), random), rates)
        errors = np.hstack([errors, error_rates(table.y, some, labels)])
        running = in_the_race(errors)
        errors, rates = errors[running], tuple(rate for rate, runs in zip(rates, running, strict=True) if runs)
    chosen = best_rate(errors)
    return errors[chosen], rates[chosen]


def in_the_race(errors: Array) -> Flags:
    """Rates that are not worse than the best one by more than GIVEN_UP standard errors; ``errors`` (rates, folds)."""
    worse = errors - errors[best_rate(errors)]
    near: Flags = worse.mean(axis=1) <= GIVEN_UP * worse.std(axis=1) / np.sqrt(worse.shape[1])
    return near


def _refuse(runs: int, seed: int) -> None:
    if runs < 1:
        raise InputError(f"runs is {runs}.", "fold_errors, argument runs", "ask for at least one run.")
    if seed < 0:
        raise InputError(f"seed is {seed}.", "fold_errors, argument seed", "give a whole number from 0 up.")
