"""The paper's experiment on one data set: runs of 5 × 2 halves, five learners, the errors of every fold."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from zlib import crc32

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.design.datasets.dataset import Dataset
from bestofk.replications.multitest.halves import error_rates, random_halves
from bestofk.replications.multitest.logistic import RATES, best_rate, logistic, starts_of
from bestofk.replications.multitest.most_frequent import most_frequent
from bestofk.replications.multitest.nearest_mean import nearest_mean
from bestofk.replications.multitest.nearest_neighbour import Neighbours
from bestofk.replications.multitest.preparing import Prepared, prepared
from bestofk.replications.multitest.published import LEARNERS
from bestofk.replications.multitest.table import table_of
from bestofk.replications.multitest.tree import held_out_rows, tree

#: Folds that are run at once; between them rates of the logistic learner are given up.
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


@dataclass(frozen=True, eq=False)
class Part:
    """Errors of some runs in a row: ``others`` (4, folds) of the learners without a rate, LGC's (rates, folds).

    ``rates`` are those that were still in the race when the runs began; one that was given up on the way has NaN.
    """

    start: int
    stop: int
    others: Array
    rates: tuple[float, ...]
    logistic: Array


class Course:
    """Runs on one data set, part by part. The first runs are the same however many follow.

    The seed and the name of the set give three streams: halves, held-out rows, first weights. They are
    ``numpy.random.SeedSequence(seed, spawn_key=(crc32(name),)).spawn(3)``, each behind a default generator.
    """

    def __init__(self, dataset: Dataset, seed: int) -> None:
        if seed < 0:
            raise InputError(f"seed is {seed}.", "fold_errors, argument seed", "give a whole number from 0 up.")
        self.dataset, self.table, self.done = dataset.name, table_of(dataset), 0
        streams = np.random.SeedSequence(seed, spawn_key=(crc32(dataset.name.encode()),)).spawn(3)
        self._halves, self._held_out, self._starts = map(np.random.default_rng, streams)
        self._neighbours = Neighbours(self.table)
        self._parts: list[Part] = []

    def run(self, runs: int) -> Part:
        """Run the next runs."""
        pieces = []
        ends = [*range(0, runs, max(1, FOLDS_AT_ONCE // 10)), runs]
        for start, stop in pairwise(ends):
            pieces.append(self._piece(stop - start))
            self._parts.append(pieces[-1])
        part = _joined(pieces)
        self._parts[-len(pieces) :] = [part]
        return part

    def take(self, part: Part) -> None:
        """Go past runs that were made before: their random numbers are drawn and not used."""
        train, _ = self._folds(part.stop - part.start)
        starts_of(self.table, len(train), self._starts)
        self._parts.append(part)
        self.done = part.stop

    def errors(self) -> FoldErrors:
        """Errors of all runs so far, LGC's at the rate with the lowest mean error."""
        whole = _joined(self._parts)
        running = ~np.isnan(whole.logistic).any(axis=1)
        errors, rates = whole.logistic[running], np.array(whole.rates)[running]
        chosen = best_rate(errors)
        most, nearest, grown, neighbour = whole.others
        by_learner = np.stack([most, nearest, errors[chosen], grown, neighbour])
        return FoldErrors(self.dataset, by_learner.reshape(len(LEARNERS), -1, 5, 2), float(rates[chosen]))

    def _folds(self, runs: int) -> tuple[Flags, Flags]:
        train = random_halves(self.table.rows, 5 * runs, self._halves)
        return train, held_out_rows(train, self._held_out)

    def _piece(self, runs: int) -> Part:
        train, held_out = self._folds(runs)
        ready = prepared(self.table, train)
        labels = [
            most_frequent(self.table, train),
            nearest_mean(self.table, train, ready),
            tree(self.table, train, held_out, fills=ready.fills),
            self._neighbours.labels(train, ready),
        ]
        others = np.stack([error_rates(self.table.y, train, each) for each in labels])
        rates = self._rates()
        start, self.done = self.done, self.done + runs
        return Part(start, self.done, others, rates, self._descended(train, ready, rates))

    def _rates(self) -> tuple[float, ...]:
        """Rates in the race. Those out of it are not run any further: some folds are enough to see it."""
        if not self._parts:
            return RATES
        whole = _joined(self._parts)
        running = ~np.isnan(whole.logistic).any(axis=1)
        near = in_the_race(whole.logistic[running])
        return tuple(np.array(whole.rates)[running][near].tolist())

    def _descended(self, train: Flags, ready: Prepared, rates: tuple[float, ...]) -> Array:
        starts = starts_of(self.table, len(train), self._starts)
        return error_rates(self.table.y, train, logistic(self.table, train, starts, rates, "auto", ready))


def fold_errors(dataset: Dataset, runs: int, seed: int) -> FoldErrors:
    """Run the experiment on one data set."""
    if runs < 1:
        raise InputError(f"runs is {runs}.", "fold_errors, argument runs", "ask for at least one run.")
    course = Course(dataset, seed)
    course.run(runs)
    return course.errors()


def in_the_race(errors: Array) -> Flags:
    """Rates that are not worse than the best one by more than GIVEN_UP standard errors; ``errors`` (rates, folds)."""
    worse = errors - errors[best_rate(errors)]
    near: Flags = worse.mean(axis=1) <= GIVEN_UP * worse.std(axis=1) / np.sqrt(worse.shape[1])
    return near


def _joined(parts: list[Part]) -> Part:
    """Parts in a row as one; a rate that a later part no longer ran has NaN there."""
    if len(parts) == 1:
        return parts[0]
    rates = parts[0].rates
    logistic = [_spread_over(part, rates) for part in parts]
    others = np.hstack([part.others for part in parts])
    return Part(parts[0].start, parts[-1].stop, others, rates, np.hstack(logistic))


def _spread_over(part: Part, rates: tuple[float, ...]) -> Array:
    errors = np.full((len(rates), part.logistic.shape[1]), np.nan)
    errors[[rates.index(rate) for rate in part.rates]] = part.logistic
    return errors
