"""Advice on preferences and costs."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.core.phrases import listed
from bestofk.ordering.contest import is_smaller
from bestofk.ordering.methods import best_set_of, winner_of


def k109(case: Case) -> Advice | None:
    """K109: learners of equal cost are ordered by their means.

    Fire when a cost does not tell learners apart.
    """
    if not case.ordering.prior_ties:
        return None
    groups = "; ".join(", ".join(group) for group in case.ordering.prior_ties)
    by = "mean" if case.comparison.mean_ranks is None else "mean rank"
    by = by if case.comparison.sides == "two" else "name"
    return Advice(
        "K109",
        f"the cost is equal for {groups}; among them they are preferred by their {by}",
        "name the learners in --prior if you prefer one",
    )


def k120(case: Case) -> Advice | None:
    """K120: the preference chose, not the results.

    Fire when another preference would name another best, one with a better mean, or mean rank where the test ranks.
    """
    ordering, comparison = case.ordering, case.comparison
    if not case.preferred or ordering.method != "multitest":
        return None
    best = str(ordering.best)
    sign = -1.0 if comparison.larger_is_better else 1.0
    loss = comparison.mean_ranks or {name: sign * mean for name, mean in comparison.means.items()}
    others = [name for name in best_set_of(comparison, comparison.learners) if is_smaller(loss[name], loss[best])]
    if not others:
        return None
    by = "mean" if comparison.mean_ranks is None else "mean rank"
    return Advice(
        "K120",
        f"{best} is the choice by preference: another would choose {listed(others)}, with a better {by}",
        "say beside the verdict what the preference is, and that it was fixed before the results",
    )


#: A cost of at most this share is worth a sentence.
MUCH_LESS = 0.5
WORDS = {"fit_time": "fits faster", "predict_time": "predicts faster", "size": "is smaller", "price": "is cheaper"}


def k127(case: Case) -> Advice | None:
    """K127: a learner that costs less is not shown to be worse.

    Fire when nobody is best, and a learner that could be shown to be worse than the first and is not costs half as much
    or less. No other may be at least as good in mean and in that cost.
    """
    if case.within or not case.comparison.decidable or winner_of(case.comparison) is not None:
        return None  # a margin asks for more, and where no outcome could show it, not shown to be worse says nothing
    first = case.ordering.order[0]
    for name in case.ordering.order[1:]:
        overruled = (name, first) in case.ordering.edges  # by ranks, where the comparison may be silent
        if overruled or case.comparison.shows(first, name) or not case.comparison.compared(first, name):
            continue
        goods = [g for g in WORDS if _share(case, g, name, first) <= MUCH_LESS and not _is_dominated(case, g, name)]
        if goods:
            at = [f"(at {_share(case, each, name, first):.2g} of the {each.replace('_', ' ')})" for each in goods]
            said = listed([f"{WORDS[good]} {share}" for good, share in zip(goods, at, strict=True)])
            return Advice(
                "K127",
                f"{name} is not shown to be worse than {first}, and {said}",
                f"accuracy is not all: prefer it with --prior {goods[0].replace('_', '-')} if that matters to you",
            )
    return None


def _share(case: Case, good: str, name: str, first: str) -> float:
    costs = case.evidence.costs.get(good, {})
    one, two = costs.get(name, np.nan), costs.get(first, np.nan)
    return float(one / two) if np.isfinite([one, two]).all() and two > 0 and one >= 0 else np.inf


def _is_dominated(case: Case, good: str, name: str) -> bool:
    """Whether another learner equals or beats this one in the mean and in the cost, and beats it in one of them."""
    costs, comparison = case.evidence.costs[good], case.comparison
    sign = -1.0 if comparison.larger_is_better else 1.0
    own = (sign * comparison.means[name], costs[name])
    others = [(sign * comparison.means[each], costs.get(each, np.nan)) for each in comparison.learners]
    no_worse = (each for each in others if not any(map(is_smaller, own, each)) and not np.isnan(each[1]))
    return any(is_smaller(one, two) for each in no_worse for one, two in zip(each, own, strict=True))
