"""One cell: train and test one learner on the folds of some replications of one data set."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np

from bestofk.collecting.failures import reason_of
from bestofk.collecting.labels import class_codes, finite_numbers
from bestofk.collecting.measuring import measures_to_take, scores_of
from bestofk.collecting.model_size import fitted_numbers
from bestofk.collecting.probabilities import probability_scores
from bestofk.collecting.seeds import Seeding, borrowed_global_random, fold_seed, seed_global_random
from bestofk.collecting.shared_folds import SHARED
from bestofk.collecting.tally import FoldOutcome, Tally
from bestofk.core.errors import InputError
from bestofk.design.cell import CellKey, CellResult, kept_in_cells
from bestofk.design.dataset import Dataset
from bestofk.design.encoding import encoded
from bestofk.design.folds.base import Fold, Folds
from bestofk.design.learner import Learner
from bestofk.design.measures import Measure


def key_of(
    dataset: Dataset,
    learner: Learner,
    folds: Folds,
    seed: int,
    start: int,
    stop: int,
    measures: Sequence[str] = (),
    keep_predictions: bool = False,
) -> CellKey:
    """Name a cell by the fingerprints of all that decides its results."""
    return CellKey(
        *(dataset.name, dataset.fingerprint, learner.name, learner.fingerprint, folds.spec, seed, start, stop),
        measures=kept_in_cells(measures, keep_predictions),
    )


def run_cell(
    dataset: Dataset,
    learner: Learner,
    folds: Folds,
    seed: int,
    start: int,
    stop: int,
    measures: Sequence[str] = (),
    keep_predictions: bool = False,
) -> CellResult:
    """Train and test a learner on every fold of replications ``start`` to ``stop`` (not included).

    A fold that raises is kept with the reason and the others go on. A measure that cannot be taken of a fold (its
    learner gives no probabilities, its test rows have one class) is NaN there, and the fold is no failure. Seconds are
    those of ``fit`` and of ``predict`` alone; the size of a model is the count of numbers that fitting left in it.
    Warnings of learners are not shown: there would be one per fold.
    """
    key = key_of(dataset, learner, folds, seed, start, stop, measures, keep_predictions)
    taken = measures_to_take(measures, dataset)
    tally = Tally(key, dataset.classes, folds.folds, [each.name for each in taken], keep_predictions)
    with warnings.catch_warnings(), borrowed_global_random():
        warnings.simplefilter("ignore")
        runner = FoldRunner(dataset, learner, key, taken, keep_predictions)
        for replication in range(start, stop):
            _run_replication(tally, runner, folds, replication)
    return tally.result()


def _run_replication(tally: Tally, runner: FoldRunner, folds: Folds, replication: int) -> None:
    line = replication - tally.key.start
    runner.begin(replication)
    divided = divided_or_reason(runner.dataset, folds, replication, tally.key.seed)
    for number in range(folds.folds):
        if isinstance(divided, str):
            tally.fail((line, number), divided)
            continue
        fold, fingerprint = divided[number]
        tally.divide((line, number), fold, fingerprint)
        try:
            tally.add((line, number), runner.run(fold, replication, number))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever a learner raises is a failed row, sys.exit() included
            tally.fail((line, number), reason_of(error))


def divided_or_reason(dataset: Dataset, folds: Folds, replication: int, seed: int) -> list[tuple[Fold, int]] | str:
    """Return the folds of a replication with their fingerprints, or why the data set cannot be divided like this."""
    try:
        divided = SHARED.split(folds, dataset, replication, seed)
        if len(divided) != folds.folds:
            raise InputError(
                f"{folds.spec} gave {len(divided)} folds instead of {folds.folds}.",
                f"data set {dataset.name}, replication {replication}",
                "use folds that divide every replication into the same number.",
            )
        return divided
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return reason_of(error)


class FoldRunner:
    """Runs one learner on folds of one data set; what does not change from fold to fold is found out once."""

    def __init__(
        self, dataset: Dataset, learner: Learner, key: CellKey, measures: Sequence[Measure], keep: bool
    ) -> None:
        self.dataset, self.learner, self.key = dataset, learner, key
        self.measures, self.keep = tuple(measures), keep
        self.classification = dataset.task == "classification"
        self.y = dataset.y.astype(np.int64) if self.classification else dataset.y
        self._seeding: Seeding | None = None

    def begin(self, replication: int) -> None:
        """Start a replication: learners that draw from the global generators find the same ones there."""
        seed_global_random(self._fold_seed(replication, -1))

    def run(self, fold: Fold, replication: int, number: int) -> FoldOutcome:
        """Encode, fit, predict and count one fold."""
        estimator = self._seeded(replication, number)
        before = tuple(getattr(estimator, "__dict__", ()))
        train, test = encoded(self.dataset, self.learner.encoding, fold.train, fold.test)
        y = self.y[fold.train]
        started = perf_counter()
        estimator.fit(train, y)
        fitted = perf_counter()
        answer = estimator.predict(test)
        outcome = FoldOutcome(fitted - started, perf_counter() - fitted, fitted_numbers(estimator, before))
        return self._scored(outcome, estimator, test, answer, self.y[fold.test])

    def _seeded(self, replication: int, number: int) -> Any:
        if self._seeding is None:
            self._seeding = Seeding(self.learner.make())
        return self._seeding.apply(self.learner.make(), self._fold_seed(replication, number))

    def _fold_seed(self, replication: int, number: int) -> int:
        key = self.key
        return fold_seed(key.seed, key.dataset_fingerprint, key.learner_fingerprint, replication, number)

    def _scored(self, outcome: FoldOutcome, estimator: Any, test: Any, answer: Any, truth: Any) -> FoldOutcome:
        if not self.classification:
            predicted = finite_numbers(answer, len(truth))
            outcome.scores = scores_of(self.measures, truth, predicted)
            outcome.predictions = predicted if self.keep else None
            return outcome
        classes = len(self.dataset.classes)
        codes = class_codes(answer, len(truth), self.dataset.classes)
        outcome.confusion = np.bincount(truth * classes + codes, minlength=classes * classes).reshape(classes, classes)
        if self.keep:
            outcome.predictions = codes.astype(np.min_scalar_type(classes - 1))
        if self.measures or self.keep:
            outcome.scores, given = probability_scores(self.measures, estimator, test, truth, classes)
            outcome.probabilities = given if self.keep else None
        return outcome
