"""A comparison over data sets as a question that can be asked of other data sets."""

from __future__ import annotations

from math import comb
from weakref import WeakKeyDictionary

import numpy as np

from bestofk.comparing import Comparison
from bestofk.evidence import Evidence, Scores
from bestofk.stats.across import Question, leave_out
from bestofk.stats.across.influence import LeftOut
from bestofk.stats.across.question import TESTS

#: Answers on so many values of pairs at most are remembered: a few megabytes.
MOST_REMEMBERED = 1_500_000

_REMEMBERED: WeakKeyDictionary[Comparison, WeakKeyDictionary[Evidence, dict[int, LeftOut]]] = WeakKeyDictionary()


def question_of(evidence: Evidence, comparison: Comparison) -> Question | None:
    """The comparison as a question that can be asked of other data sets; None where it is not one over data sets."""
    if comparison.kind != "datasets" or comparison.test not in TESTS or not isinstance(evidence, Scores):
        return None
    if len(evidence.datasets) < 4 or comparison.sample.incomplete:
        return None
    places = [[comparison.learners.index(name) for name in pair] for pair in comparison.pairs]
    first, second = np.array(places, dtype=np.intp).T
    adjust = "none" if comparison.test == "nemenyi" else comparison.adjust
    return Question(comparison.test, first, second, adjust, comparison.alpha, comparison.seed)


def values_looked_at(question: Question, datasets: int, size: int) -> int:
    """Values of pairs that leaving out every ``size`` of the data sets takes."""
    return comb(datasets, size) * datasets * len(question.first)


def left_out_of(evidence: Evidence, comparison: Comparison, question: Question, size: int) -> LeftOut:
    """Leave out every ``size`` data sets; advice and verdict ask the same, so small answers live as long as both."""
    losses = comparison.sample.rows
    if values_looked_at(question, losses.shape[1], size) > MOST_REMEMBERED:
        return leave_out(losses, question, size)
    known = _REMEMBERED.setdefault(comparison, WeakKeyDictionary()).setdefault(evidence, {})
    if size not in known:
        known[size] = leave_out(losses, question, size)
    return known[size]
