"""K123: folds that do not look paired."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.core.arrays import Array
from bestofk.evidence import Scores

#: Fewer folds cannot show it.
FEWEST = 10
#: Learners on the same folds err together; below this, with 95 % certainty, they do not look as if they did.
EXPECTED = 0.5


def advise(case: Case) -> Advice | None:
    """Fire when nothing says that all learners saw the same folds, and their losses do not go together."""
    evidence = case.evidence
    if case.comparison.kind != "folds" or not isinstance(evidence, Scores) or evidence.fingerprints is not None:
        return None
    rows = case.comparison.sample.rows
    if rows.shape[1] < FEWEST or np.isnan(rows).any() or (rows.std(axis=1) == 0).any():
        return None
    middle = _mean_correlation(rows)
    if np.tanh(np.arctanh(min(middle, 0.999)) + 1.645 / np.sqrt(rows.shape[1] - 3.0)) >= EXPECTED:
        return None
    return Advice(
        "K123",
        f"losses of different learners on the same fold correlate by {middle:.2f} only, as if folds differed",
        "make sure that every learner has the same folds in the same order; bestofk collect does that by itself",
    )


def _mean_correlation(rows: Array) -> float:
    """Mean over pairs of learners, on Fisher's scale."""
    correlation = np.asarray(np.corrcoef(rows))[np.triu_indices(len(rows), 1)]
    return float(np.tanh(np.arctanh(np.clip(correlation, -0.999, 0.999)).mean()))
