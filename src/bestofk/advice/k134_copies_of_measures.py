"""K134: measures that follow from one another."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.core.phrases import counted
from bestofk.evidence.vectors import Vectors

_RATES = "the same folds have the same positives and negatives, so the test is that of (tpr, fpr)"
_COUNTS = "on the same folds fn follows from tp, and tn from fp; large folds weigh more than in a test of (tpr, fpr)"


def advise(case: Case) -> Advice | None:
    """Fire when fewer measures vary independently than were named, on every pair that varies at all.

    A measure that differs by the same amount on every fold does not vary, and decides: then there is nothing to drop.
    """
    if case.vectors is None:
        return None
    several, number = case.comparison.several, len(case.comparison.names)
    if several is None:
        return None
    most = int(several.rank.max())
    if most == 0 or most >= number or np.isinf(case.comparison.statistic).any():
        return None
    counts = case.names == {"tp", "fn", "fp", "tn"}
    why = "the others follow from them, or never vary, and add nothing"
    if counts:
        why = _RATES if _classes_are_constant(case.vectors) else _COUNTS
    return Advice(
        "K134",
        f"of {counted(number, 'measure')} {most} {'varies' if most == 1 else 'vary'} independently: {why}",
        "name fewer measures; the degrees of freedom are those of the rank already",
    )


def _classes_are_constant(vectors: Vectors) -> bool:
    """Whether every fold has the same number of positives and of negatives."""
    if vectors.counts is None:
        return False
    planned = np.asarray(vectors.counts)[:, np.asarray(vectors.planned)]
    sizes = np.stack([planned[..., :2].sum(axis=-1), planned[..., 2:].sum(axis=-1)])
    return bool((sizes == sizes[:, :1, :1]).all())
