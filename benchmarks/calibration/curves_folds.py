"""Learning curves of a real learner: error on a test set as the training set grows.

Every curve has a data set of its own, so that the curves of two equal learners are exchangeable; the points of a
curve share their test set and most of their training rows, and depend on each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from benchmarks.calibration.claims import ALPHA, Claim, above, at_most, near
from benchmarks.calibration.learners import nearest_mean
from benchmarks.calibration.populations import Population, available
from benchmarks.calibration.resampling import EFFECT
from benchmarks.calibration.study import Case, Study
from benchmarks.calibration.theory import counts
from bestofk.stats import curves

TRAINING_SIZES = np.arange(10, 110, 10)
TESTED = 100
CURVES = 5


class Curves(NamedTuple):
    first: np.ndarray  # (runs, curves, points)
    second: np.ndarray


def draw_curves(population: Population) -> Callable[[np.random.Generator, int, float], Curves]:
    def draw(rng: np.random.Generator, runs: int, effect: float) -> Curves:
        both = (error_curves(population, rng, runs * CURVES, worse) for worse in (0.0, effect))
        return Curves(*(found.reshape(runs, CURVES, -1) for found in both))

    return draw


def error_curves(population: Population, rng: np.random.Generator, count: int, effect: float) -> np.ndarray:
    """One curve per data set: (count, points)."""
    sample = population.draw(rng, count, TESTED + TRAINING_SIZES[-1], 1, effect)
    features, truth = sample.features[:, 0], sample.truth
    tested = np.broadcast_to(np.arange(TESTED), (count, 1, TESTED))
    points = []
    for size in TRAINING_SIZES:
        rows = slice(0, TESTED + size)
        margins = nearest_mean(features[:, rows], truth[:, rows], np.ones_like(truth[:, rows]))(tested)[:, 0]
        points.append(((margins > 0) != truth[:, :TESTED]).mean(axis=-1))
    return np.stack(points, axis=-1)


def _case(name: str, effect: str, claim: Claim, literature: str) -> Case:
    field = {"algorithm": "p_alg", "interaction": "p_int"}[effect]
    test = getattr(curves, name)
    return Case(
        f"curves.{name}",
        effect,
        lambda d: getattr(test(d.first, d.second), field) <= ALPHA,
        claim,
        literature,
    )


# Errors are multiples of 0.01, and two dealings may tie: a little below the level of the exact test.
_EXACT = near(0.04, counts.permutation_size(counts.two_group_splits(CURVES)))


def _study(population: Population) -> Study:
    return Study(
        name=f"learning curves, {population.name}",
        null=f"2 × {CURVES} learning curves of the nearest mean on {population.name}",
        draw=draw_curves(population),
        runs=4_000,
        chunk=100,
        effects={EFFECT: 0.25} if population.has_effects else {},
        kind="curves",
        population=population.name,
        learner="nearest mean",
        cases=(
            _case("curve_anova", "algorithm", above(), "too many algorithm effects (Piater et al. 1998)"),
            _case("curve_anova", "interaction", at_most(), "too few interactions (Piater et al. 1998)"),
            _case("randomized_anova", "algorithm", _EXACT, "exact (Piater et al. 1998); all 252 dealings"),
            _case("randomized_anova", "interaction", _EXACT, "exact (Piater et al. 1998); all 252 dealings"),
        ),
    )


STUDIES = tuple(_study(population) for population in available())
