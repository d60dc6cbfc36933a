"""K113: the order and the comparison disagree about a pair."""

from __future__ import annotations

from itertools import combinations

from bestofk.advice.advice import Advice, Case


def advise(case: Case) -> Advice | None:
    """Fire when a learner stands above one that the two-sided comparison shows to be better.

    Step-down adjustments look at the whole family, and the one-sided tests of the order are another family than the
    two-sided ones of the comparison.
    """
    comparison = case.comparison
    for above, below in combinations(case.ordering.order, 2):
        if case.ordering.graph is not None and comparison.shows(below, above):
            return Advice(
                "K113",
                f"{above} stands above {below}, which the two-sided comparison shows to be better: adjusted by "
                f"{comparison.adjust}, the one-sided tests of the order show less",
                "with bonferroni this cannot happen; do not claim that the one is better",
            )
    return None
