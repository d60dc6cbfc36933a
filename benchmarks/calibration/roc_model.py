"""DeLong's test on normal scores of two classifiers for the same items."""

from __future__ import annotations

import numpy as np

from benchmarks.calibration.claims import near
from benchmarks.calibration.study import Case, Study
from bestofk.stats import roc

PER_CLASS = 50
TRUTH = np.repeat([0, 1], PER_CLASS)


def scores(correlation: float, separation: float = 1.0):
    """Scores whose errors are correlated; the first classifier separates the classes by ``effect`` more."""

    def draw(rng: np.random.Generator, runs: int, effect: float) -> tuple[np.ndarray, np.ndarray]:
        shared = rng.normal(scale=correlation**0.5, size=(runs, 2 * PER_CLASS))
        own = rng.normal(scale=(1 - correlation) ** 0.5, size=(2, runs, 2 * PER_CLASS))
        return shared + own[0] + (separation + effect) * TRUTH, shared + own[1] + separation * TRUTH

    return draw


def _delong(correlation: float) -> Study:
    return Study(
        name=f"scores, correlation {correlation:g}",
        null=f"{PER_CLASS} + {PER_CLASS} items, normal scores with correlation {correlation:g}, equal areas of 0.76",
        draw=scores(correlation),
        runs=40_000,
        chunk=4_000,
        effects={"area +0.07": 0.35, "area +0.14": 0.81},
        cases=(
            Case(
                "roc.delong",
                "",
                lambda d: roc.delong(TRUTH, *d).rejects(),
                near(0.04, 0.06),
                "alpha for many items (DeLong et al. 1988); band stated here for so few",
            ),
        ),
    )


STUDIES = (_delong(0.0), _delong(0.7))
