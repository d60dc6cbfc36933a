"""Multinomial selection: χ² of equal chances to win an item."""

from __future__ import annotations

import numpy as np

from benchmarks.calibration.claims import exactly
from benchmarks.calibration.study import Case, Study
from benchmarks.calibration.theory import counts
from bestofk.stats import selection

ITEMS, CLASSIFIERS = 60, 4


def posteriors(rng: np.random.Generator, runs: int, effect: float) -> np.ndarray:
    """Posteriors of the true class; the last classifier's are raised to the power 1 − effect, nearer to 1."""
    values = rng.random((runs, ITEMS, CLASSIFIERS))
    values[..., -1] **= 1.0 - effect
    return values


def _decisions(tables: np.ndarray) -> np.ndarray:
    # One table at a time, as the function takes it; its simulation of correct selection is not needed here.
    return np.array([selection.multinomial_selection(table, samples=1).rejects() for table in tables])


STUDIES = (
    Study(
        name="equal chances",
        null=f"{ITEMS} items, {CLASSIFIERS} exchangeable classifiers",
        draw=posteriors,
        runs=20_000,
        chunk=2_000,
        effects={"wins 1.5 : 1": 1 / 3, "wins 2 : 1": 1 / 2},
        cases=(
            Case(
                "selection.multinomial_selection",
                "χ² of equal chances",
                _decisions,
                exactly(counts.equal_chances_size(ITEMS)),
                "near alpha (Alsing et al. 2002), by counting",
            ),
        ),
    ),
)
