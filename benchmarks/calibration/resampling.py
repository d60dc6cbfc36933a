"""Learners on the folds of resampled data sets: what the two ``*_folds`` files share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from benchmarks.calibration.claims import Claim
from benchmarks.calibration.learners import PANEL, Margins
from benchmarks.calibration.populations import Population, Sample
from benchmarks.calibration.study import Case, Study

ROWS = 300
EFFECT = "the last contender's classes lie a quarter closer"
TESTED = 100  # rows tested in a random split


def contenders(sample: Sample, learner: str) -> list[Margins]:
    """The same algorithm once per contender, each with its own columns or rows."""
    train = PANEL[learner]
    return [train(sample.features[:, i], sample.truth, sample.trains[:, i]) for i in range(sample.features.shape[1])]


def margins_of(predictors: list[Margins], tested: np.ndarray) -> np.ndarray:
    """(runs, contenders, folds, tested)."""
    return np.stack([margins(tested) for margins in predictors], axis=1)


def answers(truth: np.ndarray, tested: np.ndarray) -> np.ndarray:
    """Truth of the tested rows: (runs, folds, tested)."""
    return np.take_along_axis(truth[:, None, :], tested, axis=-1)


def error(margins: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Share of wrong answers per contender and fold."""
    return ((margins > 0) != truth[:, None]).mean(axis=-1)


def confusion(margins: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Counts tp, fn, fp, tn per contender and fold."""
    said, true = margins > 0, truth[:, None]
    cells = (said & true, ~said & true, said & ~true, ~said & ~true)
    return np.stack([cell.sum(axis=-1) for cell in cells], axis=-1).astype(float)


class Said(NamedTuple):
    """A test on folds and what the literature says of its size.

    ``unlike`` has the claim where a learner or null is known to be unlike the literature's: the keys are
    ``"learner, null"``, ``"learner"`` or ``"null"``, and the first of these that is there counts.
    """

    function: str
    variant: str
    outcome: Callable[[Any], np.ndarray]
    claim: Claim | None
    literature: str
    unlike: dict[str, Claim] = {}  # noqa: RUF012 (never changed)

    def case(self, learner: str, null: str) -> Case:
        for key in (f"{learner}, {null}", learner, null):
            if key in self.unlike:
                return Case(self.function, self.variant, self.outcome, self.unlike[key], self.literature, unlike=True)
        return Case(self.function, self.variant, self.outcome, self.claim, self.literature)


def study_of(
    population: Population,
    learner: str,
    *,
    count: str,
    draw: Callable[[np.random.Generator, int, float], Any],
    tests: tuple[Said, ...],
    runs: int,
) -> Study:
    return Study(
        name=f"{count} learners, {learner}, {population.name}",
        null=f"{count} × {learner} on {ROWS} rows of {population.name}, {population.null}",
        draw=draw,
        cases=tuple(test.case(learner, population.null) for test in tests),
        runs=runs,
        chunk=50,
        effects={EFFECT: 0.25} if population.has_effects else {},
        kind="folds",
        population=population.name,
        learner=learner,
    )
