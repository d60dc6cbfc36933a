"""K113: the order and the comparison disagree about a pair."""

from __future__ import annotations

from itertools import combinations

from bestofk.advice.advice import Advice, Case


def advise(case: Case) -> Advice | None:
    """Fire when a learner stands above one that the comparison shows to be better."""
    for above, below in combinations(case.ordering.order, 2):
        if case.comparison.shows(below, above):
            return Advice(
                "K113",
                f"{above} stands above {below}, which {case.comparison.test} shows to be better",
                f"do not claim that {above} is better than {below}; look at the pair in the comparison",
            )
    return None
