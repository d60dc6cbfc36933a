"""Hotelling's test and MANOVA by number of folds and measures, and on folds whose training sets overlap."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import stats

from benchmarks.calibration import designs
from benchmarks.calibration.claims import ALPHA, Claim, above, at_most, exactly, near
from benchmarks.calibration.populations import MODEL
from benchmarks.calibration.resampling import ROWS, TESTED, answers, confusion, contenders, margins_of
from benchmarks.calibration.study import Case, Study
from benchmarks.calibration.theory import student
from bestofk.stats import multivariate

FOLDS = (5, 10, 30)
LEARNERS = 4
SPLITS = 30

_CAUTIOUS = "at most alpha: the correlation taken for granted is more than these learners have"

Pair = tuple[np.ndarray, np.ndarray]


def _mixing(p: int) -> np.ndarray:
    """Measures that depend on each other; the tests must not care."""
    return np.eye(p) + 0.6 * np.tri(p, k=-1)


def vectors(folds: int, p: int, rank: int, correlation: float = 0.0):
    """p measures of rank ``rank``; any two folds of a learner are correlated, as training sets that overlap make them.

    The second learner is 0; the first is ``effect`` standard deviations off along one direction.
    """

    def draw(rng: np.random.Generator, runs: int, effect: float) -> Pair:
        own = rng.normal(scale=(1 - correlation) ** 0.5, size=(runs, folds, rank))
        shared = rng.normal(scale=correlation**0.5, size=(runs, 1, rank))
        direction = effect * np.eye(rank)[0]
        first = (own + shared + direction) @ _mixing(p)[:, :rank].T
        return first, np.zeros_like(first)

    return draw


def _by_folds(folds: int, p: int, rank: int, runs: int) -> Study:
    kind = f"{p} measures" if rank == p else f"{p} measures of rank {rank}"
    return Study(
        name=f"{folds} folds, {kind}",
        null=f"{kind}, correlated and normal, on {folds} independent folds",
        draw=vectors(folds, p, rank),
        runs=runs,
        chunk=5_000,
        effects={"0.5 sd": 0.5, "1 sd": 1.0, "2 sd": 2.0},
        power_share=0.5,
        cases=(
            Case(
                "multivariate.hotelling",
                f"k = {folds}, p = {p}" + ("" if rank == p else f", rank {rank}"),
                lambda d: multivariate.hotelling(*d).rejects(),
                exactly(0.05),
                "exact (Hotelling 1931)",
                lambda effect: student.f_power(folds * effect**2, rank, folds - rank),
            ),
        ),
    )


def plain_size(folds: int, p: int, correlation: float) -> float:
    """Size of the plain test when folds are correlated: its F is that of independent folds times the inflation."""
    inflation = 1 + folds * correlation / (1 - correlation)
    return float(stats.f.sf(stats.f.isf(ALPHA, p, folds - p) / inflation, p, folds - p))


def _overlapping(folds: int, p: int) -> Study:
    share = 1 / folds
    return Study(
        name=f"overlapping folds, {folds} of {p} measures",
        null=f"{p} normal measures on {folds} folds with correlation 1/{folds}, the share that is tested",
        draw=vectors(folds, p, p, share),
        runs=80_000,
        chunk=5_000,
        effects={"1 sd": 1.0},
        cases=(
            Case(
                "multivariate.hotelling",
                f"plain, k = {folds}, p = {p}",
                lambda d: multivariate.hotelling(*d).rejects(),
                exactly(plain_size(folds, p, share)),
                "too often, by theory for this correlation",
            ),
            Case(
                "multivariate.hotelling",
                f"corrected, k = {folds}, p = {p}",
                lambda d: multivariate.hotelling(*d, test_fraction=share).rejects(),
                exactly(0.05),
                "exact for this correlation (after Nadeau and Bengio 2003)",
                lambda effect: student.f_power(
                    folds * effect**2 / (1 - share) / (1 + folds * share / (1 - share)), p, folds - p
                ),
            ),
        ),
    )


def _learners(folds: int) -> Study:
    share = 1 / folds

    def draw(rng: np.random.Generator, runs: int, effect: float) -> np.ndarray:
        own = rng.normal(scale=(1 - share) ** 0.5, size=(runs, LEARNERS, folds, 2))
        values = own + rng.normal(scale=share**0.5, size=(runs, LEARNERS, 1, 2))
        values[:, -1, :, 0] += effect
        return values @ _mixing(2).T

    return Study(
        name=f"overlapping folds, {folds} of {LEARNERS} learners",
        null=f"2 normal measures of {LEARNERS} learners on {folds} folds with correlation 1/{folds}",
        draw=draw,
        runs=40_000,
        chunk=5_000,
        effects={"one by 1 sd": 1.0},
        cases=(
            Case(
                "multivariate.manova",
                f"plain, {folds} folds",
                lambda values: multivariate.manova(values).rejects(),
                above(),
                "too often: learners' means vary more than folds say",
            ),
            Case(
                "multivariate.manova",
                f"corrected, {folds} folds",
                lambda values: multivariate.manova(values, test_fraction=share).rejects(),
                exactly(0.05),
                "exact for two measures and this correlation",
            ),
            Case(
                "multivariate.manova",
                f"corrected, {folds} folds, post-hoc ANOVA",
                lambda values: multivariate.manova(values, test_fraction=share).posthoc.pvalue[..., 0] <= ALPHA,
                exactly(0.05),
                "exact for this correlation",
            ),
        ),
    )


class Rates(NamedTuple):
    """(tpr, fpr) of two contenders: (runs, 2, folds or splits, 2)."""

    folds: np.ndarray
    splits: np.ndarray


def draw_rates(learner: str) -> Callable[[np.random.Generator, int, float], Rates]:
    def draw(rng: np.random.Generator, runs: int, effect: float) -> Rates:
        sample = MODEL.draw(rng, runs, ROWS, 2, effect)
        predictors = contenders(sample, learner)
        found = []
        for tested in (designs.folds(rng, runs, ROWS, 1, 10), designs.splits(rng, runs, ROWS, SPLITS, TESTED)):
            counts = confusion(margins_of(predictors, tested), answers(sample.truth, tested))
            found.append(multivariate.measures(*np.moveaxis(counts, -1, 0)))
        return Rates(*found)

    return draw


def _of(field: str, variant: str, fraction: float | None, claim: Claim, literature: str) -> Case:
    def rejects(rates: Rates) -> np.ndarray:
        values = getattr(rates, field)
        return multivariate.hotelling(values[:, 0], values[:, 1], test_fraction=fraction).rejects()

    return Case("multivariate.hotelling", variant, rejects, claim, literature)


def _learned(learner: str) -> Study:
    return Study(
        name=f"(tpr, fpr) of two × {learner}",
        null=f"two × {learner}, each with columns of its own, on {ROWS} rows of two normal classes",
        draw=draw_rates(learner),
        runs=4_000,
        chunk=100,
        effects={"the second's classes lie a quarter closer": 0.25},
        kind="folds",
        population=MODEL.name,
        learner=learner,
        cases=(
            # First claimed of plain folds: 0.05 to 0.12. Nearest mean refuted it (0.031 in 4,000): a stable learner on
            # disjoint test sets hardly correlates. The band is that of the same test in pairwise_folds, set before.
            _of("folds", "10 folds, plain", None, near(0.02, 0.15), "for independent values only; band stated here"),
            _of("folds", "10 folds, corrected", 0.1, at_most(), _CAUTIOUS),
            _of("splits", "30 random splits, plain", None, above(0.3), "far too often: the same rows again and again"),
            # First claimed: 0.01 to 0.08, "near alpha". Measured 0.016 and 0.007 in 4,000: cautious, not near.
            _of("splits", "30 random splits, corrected", TESTED / ROWS, at_most(), _CAUTIOUS),
        ),
    )


STUDIES = (
    *(_by_folds(folds, p, p, 40_000) for p in (2, 4) for folds in FOLDS),
    *(_by_folds(folds, 4, 2, 8_000) for folds in FOLDS),
    *(_overlapping(folds, p) for p in (2, 4) for folds in FOLDS),
    *(_learners(folds) for folds in (10, 30)),
    *(_learned(learner) for learner in ("nearest mean", "one column")),
)
