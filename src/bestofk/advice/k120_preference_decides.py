"""K120: the best is best by preference."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case
from bestofk.core.phrases import listed
from bestofk.ordering.by_means import is_smaller
from bestofk.ordering.possible_best import possible_best


def advise(case: Case) -> Advice | None:
    """Fire when another preference would name another best, one with a better mean."""
    ordering, comparison = case.ordering, case.comparison
    if ordering.prior is None or ordering.method != "multitest" or not comparison.decidable:
        return None
    best = str(ordering.best)
    sign = -1.0 if comparison.larger_is_better else 1.0
    loss = {name: sign * mean for name, mean in comparison.means.items()}
    possible = (comparison.learners[i] for i in possible_best(comparison.shown.T))
    others = [name for name in possible if is_smaller(loss[name], loss[best])]
    if not others:
        return None
    return Advice(
        "K120",
        f"{best} is the choice by preference: {listed(others)} would be under another, and with a better mean",
        "say beside the verdict what the preference is, and that it was fixed before the results",
    )
