"""Hotelling's test and MANOVA on normal vectors of measures, singular ones included."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.calibration.claims import ALPHA, Claim, above, exactly, near
from benchmarks.calibration.study import Case, Study
from benchmarks.calibration.theory import student
from bestofk.stats import multivariate

FOLDS, MEASURES = 10, 3
LEARNERS, MANOVA_MEASURES = 5, 2
FIRST_SIZE, SECOND_SIZE = 10, 12
POSITIVES, NEGATIVES = 40.0, 60.0

#: Measures that depend on each other; the tests must not care.
MIXING = np.array([[1.0, 0.0, 0.0], [0.8, 0.6, 0.0], [0.3, -0.5, 0.8]])

Pair = tuple[np.ndarray, np.ndarray]


def paired_vectors(rng: np.random.Generator, runs: int, effect: float) -> Pair:
    """Paired vectors whose difference is ``effect`` standard deviations along one direction."""
    difference = rng.normal(size=(runs, FOLDS, MEASURES)) + np.array([effect, 0.0, 0.0])
    shared = rng.normal(size=(runs, FOLDS, MEASURES))
    return shared + difference @ MIXING.T, shared


def unpaired_vectors(rng: np.random.Generator, runs: int, effect: float) -> Pair:
    first = rng.normal(size=(runs, FIRST_SIZE, MEASURES)) + np.array([effect, 0.0, 0.0])
    return first @ MIXING.T, rng.normal(size=(runs, SECOND_SIZE, MEASURES)) @ MIXING.T


def confusion_vectors(tp: np.ndarray, fp: np.ndarray) -> np.ndarray:
    """(tp, fp, fn, tn) of folds with fixed numbers of positives and negatives: four measures, two of them free."""
    return np.stack([tp, fp, POSITIVES - tp, NEGATIVES - fp], axis=-1)


def normal_counts(rng: np.random.Generator, runs: int, effect: float) -> Pair:
    """Counts as real numbers, so that the rank-2 test is exact."""
    tp = 30.0 + 2.0 * rng.normal(size=(2, runs, FOLDS))
    fp = 12.0 + 3.0 * rng.normal(size=(2, runs, FOLDS))
    tp[0] += effect * 2.0 * 2**0.5
    return confusion_vectors(tp[0], fp[0]), confusion_vectors(tp[1], fp[1])


def binomial_counts(rng: np.random.Generator, runs: int, effect: float) -> Pair:
    tp = rng.binomial(int(POSITIVES), 0.75, size=(2, runs, FOLDS)).astype(float)
    fp = rng.binomial(int(NEGATIVES), 0.2, size=(2, runs, FOLDS)).astype(float)
    return confusion_vectors(tp[0], fp[0]), confusion_vectors(tp[1], fp[1])


def learners_vectors(rng: np.random.Generator, runs: int, effect: float) -> np.ndarray:
    """Vectors of several learners; the last is ``effect`` standard deviations off in one measure."""
    values = rng.normal(size=(runs, LEARNERS, FOLDS, MANOVA_MEASURES))
    values[:, -1, :, 0] += effect
    return values @ MIXING[:2, :2].T


def _hotelling_power(rank: int, size: float, error_df: float) -> Callable[[float], float]:
    return lambda effect: student.f_power(size * effect**2, rank, error_df - rank + 1)


PAIRED = Study(
    name="paired vectors",
    null=f"{MEASURES} correlated normal measures on {FOLDS} folds",
    draw=paired_vectors,
    runs=200_000,
    effects={"1 sd": 1.0, "1.5 sd": 1.5},
    cases=(
        Case(
            "multivariate.hotelling",
            "paired",
            lambda d: multivariate.hotelling(*d).rejects(),
            exactly(0.05),
            "exact (Hotelling 1931)",
            _hotelling_power(MEASURES, FOLDS, FOLDS - 1),
        ),
        Case(
            "multivariate.hotelling",
            "post-hoc t of the first measure",
            lambda d: multivariate.hotelling(*d).posthoc.pvalue[..., 0] <= ALPHA,
            exactly(0.05),
            "exact; eq. 4 of Yıldız et al. 2011 without the root would reject nearly always",
            lambda effect: student.t_power(effect * FOLDS**0.5, FOLDS - 1),
        ),
    ),
)

UNPAIRED = Study(
    name="unpaired vectors",
    null=f"{MEASURES} correlated normal measures, {FIRST_SIZE} and {SECOND_SIZE} runs",
    draw=unpaired_vectors,
    runs=200_000,
    effects={"1 sd": 1.0, "2 sd": 2.0},
    cases=(
        Case(
            "multivariate.hotelling",
            "unpaired",
            lambda d: multivariate.hotelling(*d, unpaired=True).rejects(),
            exactly(0.05),
            "exact (Hotelling 1931)",
            _hotelling_power(
                MEASURES, FIRST_SIZE * SECOND_SIZE / (FIRST_SIZE + SECOND_SIZE), FIRST_SIZE + SECOND_SIZE - 2
            ),
        ),
    ),
)

SINGULAR = Study(
    name="singular vectors",
    null=f"(tp, fp, fn, tn) with normal tp and fp on {FOLDS} folds: rank 2 of 4",
    draw=normal_counts,
    runs=40_000,
    chunk=5_000,
    effects={"1 sd": 1.0},
    cases=(
        Case(
            "multivariate.hotelling",
            "singular, rank 2",
            lambda d: multivariate.hotelling(*d).rejects(),
            exactly(0.05),
            "exact with the rank in place of p (Rao and Mitra 1971)",
            _hotelling_power(2, FOLDS, FOLDS - 1),
        ),
    ),
)

COUNTED = Study(
    name="confusion counts",
    null=f"(tp, fp, fn, tn) with binomial tp and fp on {FOLDS} folds",
    draw=binomial_counts,
    runs=40_000,
    chunk=5_000,
    cases=(
        Case(
            "multivariate.hotelling",
            "2×2 counts",
            lambda d: multivariate.hotelling(*d).rejects(),
            near(0.045, 0.055),
            "near alpha: counts are nearly normal (Yıldız et al. 2011); band stated here",
        ),
    ),
)


def _criterion(field: str, variant: str, claim: Claim, literature: str) -> Case:
    return Case(
        "multivariate.manova",
        variant,
        lambda values: getattr(multivariate.manova(values), field).pvalue <= ALPHA,
        claim,
        literature,
    )


MANOVA = Study(
    name="vectors of learners",
    null=f"{MANOVA_MEASURES} correlated normal measures of {LEARNERS} learners on {FOLDS} folds",
    draw=learners_vectors,
    runs=100_000,
    chunk=5_000,
    effects={"one by 1 sd": 1.0, "one by 1.5 sd": 1.5},
    cases=(
        Case(
            "multivariate.manova",
            "Wilks",
            lambda values: multivariate.manova(values).rejects(),
            exactly(0.05),
            "exact for two measures (Rao 1951)",
        ),
        Case(
            "multivariate.manova",
            "Wilks, Bartlett χ²",
            lambda values: multivariate.manova(values).chi2_pvalue <= ALPHA,
            near(0.045, 0.055),
            "near alpha (Bartlett 1938); band stated here",
        ),
        _criterion("pillai", "Pillai", near(0.04, 0.055), "near alpha (Olson 1974); band stated here"),
        _criterion(
            "hotelling_lawley", "Hotelling–Lawley", near(0.045, 0.055), "near alpha (McKeon 1974); band stated here"
        ),
        _criterion("roy", "Roy", above(), "above alpha: its F is an upper bound (Rencher 1995)"),
        Case(
            "multivariate.manova",
            "post-hoc ANOVA of the first measure",
            lambda values: multivariate.manova(values).posthoc.pvalue[..., 0] <= ALPHA,
            exactly(0.05),
            "exact (Fisher 1925)",
        ),
    ),
)

STUDIES = (PAIRED, UNPAIRED, SINGULAR, COUNTED, MANOVA)
