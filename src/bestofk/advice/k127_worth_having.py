"""K127: not more accurate, and worth having all the same."""

from __future__ import annotations

import numpy as np

from bestofk.advice.advice import Advice, Case
from bestofk.core.phrases import listed

#: A cost of at most this share is worth a sentence.
MUCH_LESS = 0.5
WORDS = {"fit_time": "fits faster", "predict_time": "predicts faster", "size": "is smaller", "price": "is cheaper"}


def advise(case: Case) -> Advice | None:
    """Fire when a learner that could be shown to be worse than the first and is not costs half as much or less."""
    if not case.comparison.decidable:
        return None  # not shown to be worse says nothing where no outcome could show it
    first = case.ordering.order[0]
    for name in case.ordering.order[1:]:
        overruled = (name, first) in case.ordering.edges  # by ranks, where the comparison may be silent
        if overruled or case.comparison.shows(first, name) or not case.comparison.compared(first, name):
            continue
        goods = [good for good in WORDS if _share(case, good, name, first) <= MUCH_LESS]
        if goods:
            said = listed([f"{WORDS[good]} ({_share(case, good, name, first):.2g} of {good})" for good in goods])
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
