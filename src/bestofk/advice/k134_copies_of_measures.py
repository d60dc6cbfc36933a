"""K134: measures that follow from one another."""

from __future__ import annotations

from math import isinf
from typing import Any

from bestofk.advice.advice import Advice
from bestofk.advice.k13x_measures import MeasuresCase
from bestofk.core.phrases import counted

_RATES = "the same folds have the same positives and negatives, so the test is that of (tpr, fpr)"
_COUNTS = "on the same folds fn follows from tp, and tn from fp; large folds weigh more than in a test of (tpr, fpr)"


def advise(case: Any) -> Advice | None:
    """Fire when fewer measures vary independently than were named, on every pair that varies at all.

    A measure that differs by the same amount on every fold does not vary, and decides: then there is nothing to drop.
    """
    if not isinstance(case, MeasuresCase):
        return None
    pairs, number = case.comparison.pairs, len(case.comparison.names)
    most = max(pair.rank for pair in pairs)
    if most == 0 or most >= number or any(isinf(pair.statistic) for pair in pairs):
        return None
    counts = case.names == {"tp", "fn", "fp", "tn"}
    why = "the others follow from them, or never vary, and add nothing"
    if counts:
        why = _RATES if case.classes_are_constant else _COUNTS
    return Advice(
        "K134",
        f"of {counted(number, 'measure')} {most} {'varies' if most == 1 else 'vary'} independently: {why}",
        "name fewer measures; the degrees of freedom are those of the rank already",
    )
