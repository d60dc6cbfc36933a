"""K120: the best is best by preference."""

from __future__ import annotations

from bestofk.advice.advice import Advice, Case
from bestofk.core.phrases import listed
from bestofk.ordering import MultiTestOrder
from bestofk.ordering.by_means import is_smaller

#: Adjustments that look at the whole family try all preferences, up to this many learners.
MOST_TRIED = 7


def advise(case: Case) -> Advice | None:
    """Fire when another preference would name another best, one with a better mean."""
    ordering, comparison = case.ordering, case.comparison
    graph = ordering.graph
    if ordering.prior is None or ordering.best is None or not isinstance(graph, MultiTestOrder):
        return None
    if graph.adjust not in ("none", "bonferroni") and len(graph.learners) > MOST_TRIED:
        return None
    sign = -1.0 if comparison.larger_is_better else 1.0
    loss = {name: sign * mean for name, mean in comparison.means.items()}
    others = [name for name in graph.possible_best().under_some if is_smaller(loss[name], loss[ordering.best])]
    if not others:
        return None
    return Advice(
        "K120",
        f"{ordering.best} is best by preference: {listed(others)} would be best under another, and with a better mean",
        "say beside the verdict what the preference is, and that it was fixed before the results",
    )
