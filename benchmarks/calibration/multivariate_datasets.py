"""Vectors of measures over data sets, several thresholds at once, and dominance."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.calibration.claims import ALPHA, Claim, at_most, exactly, near
from benchmarks.calibration.study import Case, Study
from bestofk.stats import multivariate

DATASETS, MEASURES, LEARNERS = 12, 2, 4
SHUFFLES = 999  # so that (b + 1)/(shuffles + 1) can be 0.05 itself
FOLDS, PER_FOLD, THRESHOLDS = 10, 40, (0.0, 0.25, 0.5, 0.75, 1.0)
MARGIN = 0.5

Pair = tuple[np.ndarray, np.ndarray]

#: All sign patterns are counted, so the size is the largest count of patterns that is at most 5 %.
EXACT = np.floor(ALPHA * 2 ** (DATASETS - 1)) / 2 ** (DATASETS - 1)


def differences(tail: str) -> Callable[[np.random.Generator, int, float], Pair]:
    """Differences of two measures on data sets, symmetric about ``effect``: normal, or with a few very large ones."""

    def draw(rng: np.random.Generator, runs: int, effect: float) -> Pair:
        d = rng.normal(size=(runs, DATASETS, MEASURES))
        if tail == "heavy":
            d /= np.sqrt(rng.chisquare(2, size=(runs, DATASETS, 1)) / 2)
        d[..., 0] += effect
        d = d @ np.array([[1.0, 0.0], [0.7, 0.6]]).T
        return d, np.zeros_like(d)

    return draw


def _two(tail: str) -> Study:
    def case(scores: str) -> Case:
        return Case(
            "multivariate.hotelling_over_datasets",
            f"{scores}, {tail} tails",
            lambda d: multivariate.hotelling_over_datasets(*d, scores=scores).rejects(),
            exactly(EXACT),
            "exact for symmetric differences",
        )

    return Study(
        name=f"two learners over data sets, {tail}",
        null=f"{MEASURES} measures on {DATASETS} data sets, differences with {tail} tails",
        draw=differences(tail),
        runs=12_000,
        chunk=1_000,
        effects={"1 sd": 1.0},
        cases=tuple(case(scores) for scores in ("signed-ranks", "signs", "means")),
    )


def several(rng: np.random.Generator, runs: int, effect: float) -> np.ndarray:
    """Measures of several learners whose data sets differ in level and scale."""
    scale = np.exp(rng.normal(size=(runs, 1, DATASETS, 1)))
    level = 5.0 * rng.normal(size=(runs, 1, DATASETS, MEASURES))
    values = rng.normal(size=(runs, LEARNERS, DATASETS, MEASURES))
    values[:, -1, :, 0] += effect
    return level + scale * (values @ np.array([[1.0, 0.0], [0.7, 0.6]]).T)


def _several(scores: str) -> Case:
    return Case(
        "multivariate.manova_over_datasets",
        scores,
        lambda values: multivariate.manova_over_datasets(values, scores=scores, shuffles=SHUFFLES, rng=1).rejects(),
        near(0.045, 0.055),  # one set of random deals serves a whole batch, so the runs hang together
        "alpha: deals within data sets; band for the shared deals",
    )


SEVERAL = Study(
    name="several learners over data sets",
    null=f"{MEASURES} measures of {LEARNERS} learners on {DATASETS} data sets of unequal level and scale",
    draw=several,
    runs=12_000,
    chunk=1_000,
    effects={"one by 1 sd": 1.0},
    cases=(_several("ranks"), _several("means")),
)


def scored(rng: np.random.Generator, runs: int, effect: float) -> list[tuple[list, list, list]]:
    """Scores of two learners, alike but for own noise; the second separates the classes by ``effect`` more."""
    found = []
    for _ in range(runs):
        y = [np.repeat([0, 1], PER_FOLD // 2) for _ in range(FOLDS)]
        base = [fold + rng.normal(size=PER_FOLD) for fold in y]
        one, two = ([scores + 0.7 * rng.normal(size=PER_FOLD) for scores in base] for _ in range(2))
        found.append((y, one, [scores + effect * fold for scores, fold in zip(two, y, strict=True)]))
    return found


def _threshold(choice: str, claim: Claim, literature: str) -> Case:
    def rejects(runs: list) -> np.ndarray:
        return np.array([multivariate.threshold_test(*run, THRESHOLDS, choice=choice).rejects() for run in runs])

    return Case("multivariate.threshold_test", choice, rejects, claim, literature)


SCORED = Study(
    name="several thresholds",
    null=f"(tpr, fpr) at {len(THRESHOLDS)} thresholds on {FOLDS} folds of {PER_FOLD} items",
    draw=scored,
    runs=4_000,
    chunk=200,
    effects={"classes 0.35 sd farther apart": 0.35},
    power_share=0.1,
    cases=(
        _threshold("shrinkage", near(0.04, 0.05), "at most alpha, ties of counts make it less: exact for signs"),
        _threshold("rank", near(0.04, 0.06), "near alpha: counts are nearly normal; band stated here"),
    ),
)


def at_the_edge(rng: np.random.Generator, runs: int, effect: float) -> Pair:
    """The first far better in one measure, and just as good in the other: the edge of "better in all"."""
    d = rng.normal(size=(runs, FOLDS, 2)) - np.array([5.0 + effect, effect])
    return d, np.zeros_like(d)


def at_the_margin(rng: np.random.Generator, runs: int, effect: float) -> Pair:
    """The first far better in one measure, and worse by just the margin in the other."""
    d = rng.normal(size=(runs, FOLDS, 2)) - np.array([5.0, effect - MARGIN])
    return d, np.zeros_like(d)


def equals(rng: np.random.Generator, runs: int, effect: float) -> Pair:
    d = rng.normal(size=(runs, FOLDS, 2)) - effect
    return d, np.zeros_like(d)


def _dominance(name: str, null: str, draw, margins: float, claim: Claim, literature: str) -> Study:
    return Study(
        name=f"dominance, {name}",
        null=f"2 measures on {FOLDS} folds, {null}",
        draw=draw,
        runs=60_000,
        effects={"1 sd better": 1.0},
        cases=(
            Case(
                "multivariate.dominance",
                name,
                lambda d: multivariate.dominance(*d, margins=margins).rejects(),
                claim,
                literature,
            ),
        ),
    )


STUDIES = (
    _two("normal"),
    _two("heavy"),
    SEVERAL,
    SCORED,
    _dominance(
        "in all measures, edge",
        "far better in one, equal in the other",
        at_the_edge,
        0.0,
        exactly(0.05),
        "exact at the edge of the null hypothesis (Berger 1982)",
    ),
    _dominance(
        "within margins, edge",
        "far better in one, worse by the margin in the other",
        at_the_margin,
        MARGIN,
        exactly(0.05),
        "exact at the edge of the null hypothesis (Berger 1982)",
    ),
    _dominance(
        "in all measures, equals", "equal learners", equals, 0.0, exactly(0.0025), "alpha² for two independent measures"
    ),
    _dominance("within margins, equals", "equal learners", equals, MARGIN, at_most(), "at most alpha"),
)
