"""A comparison over data sets as a question that can be asked of other data sets."""

from __future__ import annotations

from math import comb
from weakref import WeakKeyDictionary

from bestofk.comparing import Comparison
from bestofk.evidence import Evidence, Scores
from bestofk.stats.across import Question, leave_out
from bestofk.stats.across.influence import LeftOut
from bestofk.stats.across.question import asks_datasets

#: Answers on so many values of pairs at most are remembered: a few megabytes.
MOST_REMEMBERED = 1_500_000

_REMEMBERED: WeakKeyDictionary[Comparison, WeakKeyDictionary[Evidence, dict[int, LeftOut]]] = WeakKeyDictionary()


def question_of(evidence: Evidence, comparison: Comparison) -> Question | None:
    """The comparison as a question of two sides that can be asked of other data sets; None where it is not one."""
    if (
        comparison.sides == "one"
        or comparison.kind != "datasets"
        or not asks_datasets(comparison.test)
        or not isinstance(evidence, Scores)
    ):
        return None
    if len(evidence.datasets) < 4 or comparison.sample.incomplete:
        return None
    adjust = "none" if comparison.test == "nemenyi" else comparison.adjust
    return Question(comparison.test, *comparison.places, adjust, comparison.alpha, comparison.seed)


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
