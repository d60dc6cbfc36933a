"""MANOVA: 2,000 sets of 5 learners, 10 folds, 2 measures."""

from __future__ import annotations

import numpy as np
import pandas as pd
from statsmodels.multivariate.manova import MANOVA

from benchmarks.speed.measure import Row, contest, same
from bestofk.stats.multivariate import manova

SETS, LEARNERS, FOLDS, MEASURES = 2_000, 5, 10, 2
PEER_SETS = 10
LEARNER = np.repeat(np.arange(LEARNERS), FOLDS)


def by_formula(values: np.ndarray) -> pd.DataFrame:
    """As statsmodels documents it: a formula over a table; it tests the intercept along with the learners."""
    table = pd.DataFrame(values.reshape(-1, MEASURES), columns=["first", "second"]).assign(learner=LEARNER)
    model = MANOVA.from_formula("first + second ~ C(learner)", table)
    return model.mv_test().results["C(learner)"]["stat"]


def by_contrast(values: np.ndarray) -> pd.DataFrame:
    """As an expert would write it for speed: a ready design matrix and nothing but the contrast of learners."""
    design = np.column_stack([np.ones(len(LEARNER)), LEARNER[:, None] == np.arange(1, LEARNERS)]).astype(float)
    contrast = np.eye(LEARNERS)[1:]
    return MANOVA(values.reshape(-1, MEASURES), design).mv_test([("learner", contrast)]).results["learner"]["stat"]


def rows() -> list[Row]:
    rng = np.random.default_rng(2)
    values = rng.normal(size=(SETS, LEARNERS, FOLDS, MEASURES)) + 0.2 * rng.normal(size=(SETS, LEARNERS, 1, 1))
    return [
        _row(values, by_formula, "statsmodels `MANOVA.from_formula` in a loop", 1500),
        _row(values, by_contrast, "statsmodels `MANOVA`, design matrix ready, only the contrast wanted", None),
    ]


def _row(values: np.ndarray, one, against: str, demand: float | None) -> Row:
    few = values[:PEER_SETS]
    _check(values, [one(entry) for entry in few])
    our_time, peer_time = contest(lambda: manova(values), lambda: [one(entry) for entry in few])
    return Row(
        f"MANOVA, {SETS:,} sets of L = {LEARNERS}, k = {FOLDS}, p = {MEASURES}",
        against,
        our_time,
        peer_time * SETS / PEER_SETS,
        demand=demand,
        note=f"peer timed on {PEER_SETS} sets",
    )


def _check(values: np.ndarray, theirs: list[pd.DataFrame]) -> None:
    ours = manova(values)
    criteria = {
        "Wilks' lambda": ours,
        "Pillai's trace": ours.pillai,
        "Hotelling-Lawley trace": ours.hotelling_lawley,
        "Roy's greatest root": ours.roy,
    }
    for name, criterion in criteria.items():
        same(criterion.statistic[:PEER_SETS], [float(table.loc[name, "Value"]) for table in theirs], name)
        same(criterion.pvalue[:PEER_SETS], [float(table.loc[name, "Pr > F"]) for table in theirs], f"p of {name}")
