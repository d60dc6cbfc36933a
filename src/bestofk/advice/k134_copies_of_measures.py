"""K134: measures that follow from one another."""

from __future__ import annotations

from typing import Any

from bestofk.advice.advice import Advice
from bestofk.advice.k13x_measures import MeasuresCase
from bestofk.core.phrases import counted


def advise(case: Any) -> Advice | None:
    """Fire when fewer measures vary independently than were named, on every pair that varies at all."""
    if not isinstance(case, MeasuresCase):
        return None
    ranks = [pair.rank for pair in case.comparison.pairs]
    number = len(case.comparison.names)
    if max(ranks) == 0 or max(ranks) >= number:
        return None
    counts = case.names == {"tp", "fn", "fp", "tn"}
    same = "the same folds have the same positives and negatives, so the test is that of (tpr, fpr)"
    return Advice(
        "K134",
        f"of {counted(number, 'measure')} {max(ranks)} vary independently: "
        + (same if counts else "the others follow from them, and add nothing"),
        "name fewer measures; the degrees of freedom are those of the rank already",
    )
