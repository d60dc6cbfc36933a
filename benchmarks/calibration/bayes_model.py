"""Bayesian comparisons: do their probabilities mean what they say when the two learners are equal?"""

from __future__ import annotations

import numpy as np

from benchmarks.calibration.claims import at_most, exactly, near
from benchmarks.calibration.pairwise_model import Pair, correlated_pair, normal_pair
from benchmarks.calibration.study import Case, Study
from benchmarks.calibration.theory import student
from bestofk.stats import bayes

CORRELATION = 1 / 10
DATA_SETS = 30
SAMPLES = 1_000


def zero_outside(pair: Pair) -> np.ndarray:
    """Whether the central 95 % of the posterior misses the true difference 0 (a rope of no width)."""
    result = bayes.correlated_t(pair.first, pair.second, rope=0.0, correlation=CORRELATION)
    return (result.probabilities[..., [0, 2]] <= 0.025).any(axis=-1)


def sure(test, pair: Pair, rope: float) -> np.ndarray:
    """Whether one of the two learners is called better with a probability of 0.95 or more."""
    result = test(pair.first, pair.second, rope=rope, samples=SAMPLES, rng=pair.seed)
    return (result.probabilities[..., [0, 2]] >= 0.95).any(axis=-1)


CORRELATED_T = Study(
    name="posterior of correlated folds",
    null="10 folds: differences with correlation 1/10",
    draw=correlated_pair(CORRELATION, 10),
    runs=400_000,
    effects={"1 sd": 1.0},
    cases=(
        Case(
            "bayes.correlated_t",
            "0 outside the central 95 %",
            zero_outside,
            exactly(0.05),
            "covers as the corrected t (Corani and Benavoli 2015)",
            lambda effect: student.t_power(effect / student.variance_of_mean(CORRELATION, 10) ** 0.5, 9),
        ),
    ),
)


def _sure_cases(rope: float, claim, literature: str) -> tuple[Case, ...]:
    said = "no rope" if rope == 0.0 else f"rope {rope:g} sd"
    return tuple(
        Case(
            f"bayes.{name}",
            f"{said}, one better with probability ≥ 0.95",
            lambda d, name=name: sure(getattr(bayes, name), d, rope),
            claim,
            literature,
        )
        for name in ("signed_rank", "sign")
    )


NO_ROPE = Study(
    name="posterior of data sets",
    null=f"{DATA_SETS} independent normal differences",
    draw=normal_pair(DATA_SETS),
    runs=4_000,
    chunk=500,
    effects={"0.5 sd": 0.5},
    power_share=0.3,
    cases=_sure_cases(0.0, near(0.05, 0.12), "no frequentist promise; 0.10 if each side errs as often as it says"),
)

ROPE = Study(
    name="posterior of data sets with a rope",
    null=f"{DATA_SETS} independent normal differences",
    draw=normal_pair(DATA_SETS),
    runs=4_000,
    chunk=500,
    effects={"0.5 sd": 0.5},
    power_share=0.3,
    cases=_sure_cases(0.3, at_most(0.05), "a rope takes away false claims (Benavoli et al. 2017)"),
)


def sure_over_data_sets(pair: Pair) -> np.ndarray:
    """Whether the hierarchical posterior calls one of the two better with a probability of 0.95 or more."""
    result = bayes.hierarchical(pair.first, pair.second, rope=0.3, correlation=0.0, samples=640, rng=pair.seed)
    return (result.probabilities[..., [0, 2]] >= 0.95).any(axis=-1)


HIERARCHICAL = Study(
    name="posterior of data sets with folds",
    null="8 data sets of 10 independent normal differences",
    draw=normal_pair(8, 10),
    runs=600,
    chunk=150,
    effects={"1 sd": 1.0},
    power_share=0.3,
    cases=(
        Case(
            "bayes.hierarchical",
            "rope 0.3 sd, one better with probability ≥ 0.95",
            sure_over_data_sets,
            at_most(0.05),
            "a rope and shrinkage take away false claims (Corani et al. 2017)",
        ),
    ),
)

STUDIES = (CORRELATED_T, NO_ROPE, ROPE, HIERARCHICAL)
