"""Pairwise tests on data drawn from their own assumptions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from benchmarks.calibration.claims import Claim, at_most, exactly, near
from benchmarks.calibration.study import Case, Study
from benchmarks.calibration.theory import counts, ranks, student
from bestofk.stats import pairwise

FOLDS = 10
DATA_SETS = 12
SIGNS = 20
SHUFFLES = 4999


class Pair(NamedTuple):
    """Losses of two learners; ``seed`` is for tests that shuffle."""

    first: np.ndarray
    second: np.ndarray
    seed: int = 0


def normal_pair(*design: int):
    """Losses that share a difficulty of the fold; the difference has standard deviation 1 and mean ``effect``."""

    def draw(rng: np.random.Generator, runs: int, effect: float) -> Pair:
        difficulty = rng.normal(size=(runs, *design))
        noise = rng.normal(scale=0.5**0.5, size=(2, runs, *design))
        return Pair(difficulty + noise[0] + effect, difficulty + noise[1], int(rng.integers(2**32)))

    return draw


def correlated_pair(correlation: float, *design: int):
    """Differences of variance 1 whose every two folds have the same correlation: Nadeau and Bengio's model."""

    def draw(rng: np.random.Generator, runs: int, effect: float) -> Pair:
        shared = rng.normal(scale=correlation**0.5, size=(runs, *(1 for _ in design)))
        own = rng.normal(scale=(1 - correlation) ** 0.5, size=(runs, *design))
        return Pair(effect + shared + own, np.zeros((runs, *design)))

    return draw


def rounded_pair(n: int):
    """Differences on a grid of half standard deviations: about 20 % zeros, and ties."""

    def draw(rng: np.random.Generator, runs: int, effect: float) -> Pair:
        difference = np.round(2 * rng.normal(loc=effect, size=(runs, n)))
        return Pair(difference, np.zeros((runs, n)))

    return draw


def _rejects(function: Callable[..., Any], pair: Pair, **options: Any) -> np.ndarray:
    return function(pair.first, pair.second, **options).rejects()


INDEPENDENT_FOLDS = Study(
    name="independent folds",
    null=f"{FOLDS} independent normal differences",
    draw=normal_pair(FOLDS),
    runs=400_000,
    effects={"0.5 sd": 0.5, "1 sd": 1.0},
    cases=(
        Case(
            "pairwise.paired_t",
            "",
            lambda d: _rejects(pairwise.paired_t, d),
            exactly(0.05),
            "exact (Student 1908)",
            power_theory=lambda effect: student.t_power(effect * FOLDS**0.5, FOLDS - 1),
        ),
        Case(
            "pairwise.paired_t",
            "one-sided",
            lambda d: _rejects(pairwise.paired_t, d, alternative="greater"),
            exactly(0.05),
            "exact (Student 1908)",
        ),
    ),
)

PERMUTED_FOLDS = Study(
    name="permuted folds",
    null=f"{FOLDS} independent normal differences",
    draw=normal_pair(FOLDS),
    runs=100_000,
    effects={"0.5 sd": 0.5, "1 sd": 1.0},
    cases=(
        Case(
            "pairwise.permutation_t",
            "all 2^10 sign patterns",
            lambda d: _rejects(pairwise.permutation_t, d),
            exactly(counts.permutation_size(2 ** (FOLDS - 1))),
            "exact; the largest level it can attain below 0.05 (Fisher 1935)",
        ),
    ),
)

# A batch shares its random patterns, so many small batches, each with patterns of its own.
RANDOM_SIGNS = Study(
    name="random signs",
    null=f"{SIGNS} independent normal differences",
    draw=normal_pair(SIGNS),
    runs=40_000,
    chunk=200,
    effects={"0.5 sd": 0.5},
    cases=(
        Case(
            "pairwise.permutation_t",
            f"{SHUFFLES} random sign patterns",
            lambda d: _rejects(pairwise.permutation_t, d, shuffles=SHUFFLES, rng=d.seed),
            exactly(0.05),
            "exact when (b + 1)/(z + 1) is used (Phipson and Smyth 2010)",
        ),
    ),
)

FIVE_BY_TWO = Study(
    name="5×2 independent",
    null="5×2 independent normal differences",
    draw=normal_pair(5, 2),
    runs=400_000,
    effects={"1 sd": 1.0, "2 sd": 2.0},
    cases=(
        Case(
            "pairwise.five_by_two_t",
            "",
            lambda d: _rejects(pairwise.five_by_two_t, d),
            exactly(student.five_by_two_t_size()),
            "at or below alpha (Dietterich 1998); this value by quadrature, since p₁⁽¹⁾ is also in s₁²",
        ),
        Case(
            "pairwise.five_by_two_f",
            "",
            lambda d: _rejects(pairwise.five_by_two_f, d),
            exactly(student.five_by_two_f_size()),
            "below alpha (Alpaydın 1999); here the statistic is exactly ½ + ½·F(5, 5)",
        ),
    ),
)

SPLIT_CORRELATION = 1 / 3
SPLITS = 15
SPLIT_VARIANCE = student.variance_of_mean(SPLIT_CORRELATION, SPLITS)

RANDOM_SPLITS = Study(
    name="random splits, correlated",
    null="15 random splits, a third tests: differences with correlation 1/3",
    draw=correlated_pair(SPLIT_CORRELATION, SPLITS),
    runs=400_000,
    effects={"1 sd": 1.0, "2 sd": 2.0},
    cases=(
        Case(
            "pairwise.corrected_t",
            "test_fraction = 1/3",
            lambda d: _rejects(pairwise.corrected_t, d, test_fraction=SPLIT_CORRELATION),
            exactly(0.05),
            "exact when the correlation is n₂/(n₁+n₂) (Nadeau and Bengio 2003)",
            power_theory=lambda effect: student.t_power(effect / SPLIT_VARIANCE**0.5, SPLITS - 1),
        ),
        Case(
            "pairwise.paired_t",
            "resampled t, uncorrected",
            lambda d: _rejects(pairwise.paired_t, d),
            exactly(student.scaled_t_size((SPLIT_VARIANCE * SPLITS / (1 - SPLIT_CORRELATION)) ** 0.5, SPLITS - 1)),
            "far above alpha (Dietterich 1998; Nadeau and Bengio 2003)",
        ),
    ),
)

REPEATED_CORRELATION = 1 / 10
REPEATED_VARIANCE = student.variance_of_mean(REPEATED_CORRELATION, 100)
CALIBRATED_DF = 10


def _calibrated_scale(sample_variance: float) -> float:
    """Ratio of the mean's true standard deviation to the one that calibrated_t takes it to have."""
    return (REPEATED_VARIANCE / (sample_variance / (CALIBRATED_DF + 1))) ** 0.5


def _calibrated(scheme: str, claim: Claim, literature: str) -> Case:
    return Case(
        "pairwise.calibrated_t",
        f"{scheme}, df 10",
        lambda d: _rejects(pairwise.calibrated_t, d, scheme=scheme, df=CALIBRATED_DF),
        claim,
        literature,
    )


_AVERAGED = exactly(student.scaled_t_size(_calibrated_scale((1 - REPEATED_CORRELATION) / 10), 9, CALIBRATED_DF))

REPEATED_FOLDS = Study(
    name="10×10 folds, correlated",
    null="10×10 folds: differences with correlation 1/10",
    draw=correlated_pair(REPEATED_CORRELATION, 10, 10),
    runs=100_000,
    chunk=5_000,
    effects={"0.5 sd": 0.5, "1 sd": 1.0},
    cases=(
        Case(
            "pairwise.corrected_t",
            "repeated folds",
            lambda d: _rejects(pairwise.corrected_t, d),
            exactly(0.05),
            "exact when the correlation is 1/F (Bouckaert and Frank 2004)",
            power_theory=lambda effect: student.t_power(effect / REPEATED_VARIANCE**0.5, 99),
        ),
        _calibrated(
            "all",
            exactly(student.scaled_t_size(_calibrated_scale(1 - REPEATED_CORRELATION), 99, CALIBRATED_DF)),
            "near alpha (Bouckaert 2003); this value by formula",
        ),
        _calibrated("sorted-runs", near(0.03, 0.08), "near alpha (Bouckaert 2003); band stated here"),
        _calibrated("runs", _AVERAGED, "by formula: 10 is not the df of averages, whose variance is a tenth"),
        _calibrated("folds", _AVERAGED, "by formula: 10 is not the df of averages, whose variance is a tenth"),
    ),
)


def _wilcoxon(method: str, zeros: str, claim: Claim, literature: str) -> Case:
    return Case(
        "pairwise.wilcoxon",
        f"{method}, zeros {zeros}",
        lambda d: _rejects(pairwise.wilcoxon, d, method=method, zeros=zeros),
        claim,
        literature,
    )


DATA_SET_RANKS = Study(
    name="data sets",
    null=f"{DATA_SETS} independent normal differences, one per data set",
    draw=normal_pair(DATA_SETS),
    runs=200_000,
    effects={"0.5 sd": 0.5, "1 sd": 1.0},
    cases=(
        _wilcoxon(
            "exact", "drop", exactly(ranks.wilcoxon_size(DATA_SETS, "exact")), "exact (Wilcoxon 1945), by counting"
        ),
        _wilcoxon(
            "normal", "drop", exactly(ranks.wilcoxon_size(DATA_SETS, "normal")), "near alpha (Demšar 2006), by counting"
        ),
        Case(
            "pairwise.sign_test",
            "zeros drop",
            lambda d: _rejects(pairwise.sign_test, d),
            exactly(counts.sign_rate(DATA_SETS)),
            "exact binomial (Demšar 2006), by counting",
            power_theory=lambda effect: counts.sign_rate(DATA_SETS, counts.chance_of_positive(effect)),
        ),
    ),
)


# Every zeros mode meets its own tied ranks; exact p values of tied ranks cost most here.
DATA_SET_ZEROS = Study(
    name="data sets with zeros",
    null=f"{SIGNS} rounded differences, a fifth of them 0, many tied",
    draw=rounded_pair(SIGNS),
    runs=20_000,
    chunk=5_000,
    effects={"0.5 sd": 0.5},
    cases=(
        *(
            _wilcoxon("exact", zeros, at_most(), "conditional on ties and zeros, so at most alpha (Pratt 1959)")
            for zeros in ("drop", "pratt", "split")
        ),
        *(_wilcoxon("normal", zeros, near(0.04, 0.055), "near alpha; band stated here") for zeros in ("drop", "pratt")),
        _wilcoxon("normal", "split", at_most(), "below alpha: its variance counts the zeros (Demšar 2006)"),
        *(
            Case(
                "pairwise.sign_test",
                f"zeros {zeros}",
                lambda d, zeros=zeros: _rejects(pairwise.sign_test, d, zeros=zeros),
                at_most(),
                "at most alpha (Demšar 2006)",
            )
            for zeros in ("drop", "split")
        ),
    ),
)


def unequal_runs(rng: np.random.Generator, runs: int, effect: float) -> Pair:
    """Runs of two learners: 6 of spread 2, and 12 of spread 1."""
    return Pair(effect + 2.0 * rng.normal(size=(runs, 6)), rng.normal(size=(runs, 12)), int(rng.integers(2**32)))


def equal_runs(rng: np.random.Generator, runs: int, effect: float) -> Pair:
    """Six runs of two learners, of spread 1."""
    return Pair(effect + rng.normal(size=(runs, 6)), rng.normal(size=(runs, 6)), int(rng.integers(2**32)))


def runs_in_tasks(rng: np.random.Generator, runs: int, effect: float) -> Pair:
    """Five runs of two learners on each of five tasks, whose spreads differ."""
    spread = np.array([0.5, 1.0, 1.0, 1.5, 2.0])[:, None]
    return Pair(effect + spread * rng.normal(size=(runs, 5, 5)), spread * rng.normal(size=(runs, 5, 5)))


RUNS_UNEQUAL = Study(
    name="unequal runs",
    null="6 normal runs of standard deviation 2, and 12 of 1",
    draw=unequal_runs,
    runs=40_000,
    chunk=10_000,
    effects={"2": 2.0},
    cases=(
        Case(
            "pairwise.welch_t",
            "6 and 12 runs",
            lambda d: pairwise.welch_t(d.first, d.second).rejects(),
            near(0.045, 0.056),
            "near alpha (Welch 1947); band stated here",
        ),
    ),
)

RUNS_EQUAL = Study(
    name="equal runs",
    null="6 normal runs each",
    draw=equal_runs,
    runs=4_000,
    chunk=500,
    effects={"2": 2.0},
    cases=(
        Case(
            "pairwise.welch_permutation",
            "6 and 6 runs",
            lambda d: pairwise.welch_permutation(d.first, d.second, rng=d.seed).rejects(),
            exactly(46 / 924),
            "46 of 924 dealings: exact for equal distributions (Janssen 1997)",
        ),
    ),
)


def _few_runs(first: int, second: int, shape: str, permuted: Claim | None) -> Study:
    """Few runs, of spread 3 and of spread 1: which of the two tests of runs is the default was decided here."""

    def draw(rng: np.random.Generator, runs: int, effect: float) -> Pair:
        sides = ((3.0, (runs, first)), (1.0, (runs, second)))
        drawn = rng.normal if shape == "normal" else lambda size: rng.exponential(size=size) - 1.0
        one, two = (spread * drawn(size=size) for spread, size in sides)
        return Pair(one + effect, two, int(rng.integers(2**32)))

    return Study(
        name=f"{first} and {second} {shape} runs",
        null=f"{first} {shape} runs of standard deviation 3, and {second} of 1",
        draw=draw,
        runs=4_000,
        chunk=500,
        cases=(
            Case(
                "pairwise.welch_t",
                f"{first} and {second} runs",
                lambda d: pairwise.welch_t(d.first, d.second).rejects(),
                near(0.04, 0.06) if shape == "normal" else None,
                "near alpha for normal runs (Welch 1947); band stated here",
            ),
            Case(
                "pairwise.welch_permutation",
                f"{first} and {second} runs",
                lambda d: pairwise.welch_permutation(d.first, d.second, rng=d.seed).rejects(),
                permuted,
                "near alpha for many runs only (Janssen 1997); band stated here",
            ),
        ),
    )


RUNS_FEW = (
    _few_runs(5, 20, "normal", near(0.065, 0.09)),
    _few_runs(3, 3, "normal", exactly(0.0)),  # the smallest p is 0.1
    _few_runs(5, 5, "normal", near(0.06, 0.08)),
    _few_runs(10, 10, "normal", near(0.05, 0.07)),
    *(_few_runs(first, second, "skewed", None) for first, second in ((5, 20), (3, 3), (5, 5), (10, 10))),
)

RUNS_IN_TASKS = Study(
    name="runs in tasks",
    null="5 normal runs each on 5 tasks of unequal spread",
    draw=runs_in_tasks,
    runs=40_000,
    chunk=10_000,
    effects={"1": 1.0},
    cases=(
        Case(
            "pairwise.stratified_t",
            "5 tasks of 5 runs",
            lambda d: pairwise.stratified_t(pairwise.welch_t(d.first, d.second)).rejects(),
            near(0.045, 0.056),
            "near alpha (Satterthwaite 1946); band stated here",
        ),
    ),
)

STUDIES = (
    RUNS_UNEQUAL,
    RUNS_EQUAL,
    *RUNS_FEW,
    RUNS_IN_TASKS,
    INDEPENDENT_FOLDS,
    PERMUTED_FOLDS,
    RANDOM_SIGNS,
    FIVE_BY_TWO,
    RANDOM_SPLITS,
    REPEATED_FOLDS,
    DATA_SET_RANKS,
    DATA_SET_ZEROS,
)
