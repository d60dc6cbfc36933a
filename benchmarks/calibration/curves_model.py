"""Performance curves: conventional and randomized two-way ANOVA on independent and on autocorrelated points."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from benchmarks.calibration.claims import ALPHA, Band, above, at_most, exactly
from benchmarks.calibration.study import Case, Study
from benchmarks.calibration.theory import counts
from bestofk.stats import curves

POINTS = 20
RUNS = 10  # curves per algorithm
FEW = 5  # as many as can be dealt out in all ways
AUTOCORRELATION = 0.9
SHUFFLES = 999


class Curves(NamedTuple):
    """Curves of two algorithms, and a seed for the tests that shuffle."""

    first: np.ndarray
    second: np.ndarray
    seed: int


def learning_curves(autocorrelation: float, count: int, change: str = "a"):
    """Rising curves whose noise is autocorrelated; the first algorithm's are changed by ``effect`` (Piater's f)."""

    def draw(rng: np.random.Generator, runs: int, effect: float) -> Curves:
        rise = 1.0 - np.exp(-np.arange(POINTS) / 5.0)
        noise = rng.normal(size=(2, runs, count, POINTS))
        for point in range(1, POINTS):
            fresh = (1 - autocorrelation**2) ** 0.5 * noise[..., point]
            noise[..., point] = autocorrelation * noise[..., point - 1] + fresh
        first, second = rise + 0.1 * noise
        if effect:
            first = curves.modify(first, change, effect)
        return Curves(first, second, int(rng.integers(2**32)))

    return draw


def _conventional(effect: str, claim, literature: str) -> Case:
    name = {"algorithm": "p_alg", "interaction": "p_int"}[effect]
    return Case(
        "curves.curve_anova",
        effect,
        lambda d: getattr(curves.curve_anova(d.first, d.second), name) <= ALPHA,
        claim,
        literature,
    )


def _randomized(effect: str, variant: str, claim: Band, literature: str) -> Case:
    name = {"algorithm": "p_alg", "interaction": "p_int"}[effect]
    return Case(
        "curves.randomized_anova",
        f"{effect}, {variant}",
        lambda d: getattr(curves.randomized_anova(d.first, d.second, shuffles=SHUFFLES, rng=d.seed), name) <= ALPHA,
        claim,
        literature,
    )


def _dealt_t(variant: str, claim: Band, literature: str) -> Case:
    return Case(
        "curves.randomized_t",
        variant,
        lambda d: curves.randomized_t(d.first, d.second, shuffles=SHUFFLES, rng=d.seed).rejects(),
        claim,
        literature,
    )


INDEPENDENT = Study(
    name="independent points",
    null=f"2 × {RUNS} curves of {POINTS} points with independent normal noise",
    draw=learning_curves(0.0, RUNS),
    runs=100_000,
    chunk=2_000,
    cases=(
        _conventional("algorithm", exactly(0.05), "exact for independent points (Fisher 1925)"),
        _conventional("interaction", exactly(0.05), "exact for independent points (Fisher 1925)"),
    ),
)

AUTOCORRELATED = Study(
    name="autocorrelated points",
    null=f"2 × {RUNS} curves of {POINTS} points, autocorrelation {AUTOCORRELATION}",
    draw=learning_curves(AUTOCORRELATION, RUNS),
    runs=100_000,
    chunk=2_000,
    cases=(
        _conventional("algorithm", above(0.3), "too many algorithm effects (Piater et al. 1998); here at least 0.3"),
        _conventional("interaction", at_most(), "too few interactions (Piater et al. 1998)"),
    ),
)

# A batch shares its dealings, so many small batches, each with dealings of its own.
SHUFFLED = Study(
    name="shuffled curves",
    null=f"2 × {RUNS} curves of {POINTS} points, autocorrelation {AUTOCORRELATION}",
    draw=learning_curves(AUTOCORRELATION, RUNS),
    runs=20_000,
    chunk=50,
    effects={"M_a, f = 10": 10.0},
    cases=(
        _randomized("algorithm", f"{SHUFFLES} shuffles", exactly(0.05), "exact (Piater et al. 1998)"),
        _randomized("interaction", f"{SHUFFLES} shuffles", exactly(0.05), "exact (Piater et al. 1998)"),
        _dealt_t(f"two-sided, {SHUFFLES} shuffles", exactly(0.05), "exact (Phipson and Smyth 2010)"),
    ),
)

SHUFFLED_INTERACTION = Study(
    name="shuffled curves, crossing",
    null=f"2 × {RUNS} curves of {POINTS} points, autocorrelation {AUTOCORRELATION}",
    draw=learning_curves(AUTOCORRELATION, RUNS, "b"),
    runs=10_000,
    chunk=50,
    effects={"M_b, f = 2": 2.0},
    cases=(_randomized("interaction", "curves that cross", exactly(0.05), "exact (Piater et al. 1998)"),),
)

_DEALT = exactly(counts.permutation_size(counts.two_group_splits(FEW)))

ENUMERATED = Study(
    name="all dealings",
    null=f"2 × {FEW} curves of {POINTS} points, autocorrelation {AUTOCORRELATION}",
    draw=learning_curves(AUTOCORRELATION, FEW),
    runs=40_000,
    chunk=1_000,
    effects={"M_a, f = 10": 10.0},
    cases=(
        _randomized("algorithm", "all 252 dealings", _DEALT, "exact; the largest level it can attain below 0.05"),
        _randomized("interaction", "all 252 dealings", _DEALT, "exact; the largest level it can attain below 0.05"),
        _dealt_t("two-sided, all 252 dealings", _DEALT, "exact; the largest level it can attain below 0.05"),
    ),
)


def _p(function, variant, test, claim, literature):
    return Case(f"curves.{function}", variant, lambda d: test(d) <= ALPHA, claim, literature)


def _options(d):
    return {"shuffles": SHUFFLES, "rng": d.seed}


def _to(d, sign):
    return curves.feature_test(
        sign * d.first, sign * d.second, feature="steps-to", threshold=-0.9, **_options(d)
    ).pvalue


BEYOND = Study(
    name="level, shape, features, intervals",
    null=f"2 × {RUNS} curves of {POINTS} points, autocorrelation {AUTOCORRELATION}",
    draw=learning_curves(AUTOCORRELATION, RUNS),
    runs=20_000,
    chunk=50,
    effects={"M_a, f = 10": 10.0},
    cases=(
        _p(
            "split_plot_anova",
            "level",
            lambda d: curves.split_plot_anova(*d[:2], **_options(d)).p_level,
            exactly(0.05),
            "exact (Anderson and ter Braak 2003)",
        ),
        _p(
            "split_plot_anova",
            "shape",
            lambda d: curves.split_plot_anova(*d[:2], **_options(d)).p_shape,
            exactly(0.05),
            "exact (Anderson and ter Braak 2003)",
        ),
        _p(
            "clusters",
            "two-sided",
            lambda d: curves.clusters(*d[:2], **_options(d)).pvalue,
            at_most(),
            "at most alpha, family-wise (Maris and Oostenveld 2007)",
        ),
        _p(
            "feature_test",
            "final",
            lambda d: curves.feature_test(*d[:2], **_options(d)).pvalue,
            exactly(0.05),
            "exact (Phipson and Smyth 2010)",
        ),
        _p("feature_test", "steps-to, censored", lambda d: _to(d, -1.0), at_most(), "at most alpha, ties (Gehan 1965)"),
    ),
)


def raised(rng, runs, effect):
    data = learning_curves(AUTOCORRELATION, RUNS)(rng, runs, 0.0)
    return data._replace(first=data.first + 0.2)


RAISED = Study(
    name="equal shapes at unequal levels",
    null=f"2 × {RUNS} curves of {POINTS} points, autocorrelation {AUTOCORRELATION}, one set higher by 2 sd",
    draw=raised,
    runs=10_000,
    chunk=50,
    cases=(
        _p(
            "split_plot_anova",
            "shape, levels differ",
            lambda d: curves.split_plot_anova(*d[:2], **_options(d)).p_shape,
            exactly(0.05),
            "exact whatever the levels",
        ),
        replace(
            _randomized(
                "interaction",
                "levels differ",
                above(0.2),
                "no interaction (Piater et al. 1998); it tests exchangeability",
            ),
            unlike=True,
        ),
    ),
)

STUDIES = (INDEPENDENT, AUTOCORRELATED, SHUFFLED, SHUFFLED_INTERACTION, ENUMERATED, BEYOND, RAISED)
