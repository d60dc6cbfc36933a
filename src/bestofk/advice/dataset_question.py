"""A comparison over data sets as a question that can be asked of other data sets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import comb
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import numpy as np

from bestofk.comparing import Comparison
from bestofk.core.arrays import Array, Flags
from bestofk.evidence import Evidence, Scores
from bestofk.ordering import Ordering
from bestofk.ordering.methods import CORRECTED, unbeaten
from bestofk.stats.across import Decided, Question, all_pairs, leave_out
from bestofk.stats.across.influence import LeftOut
from bestofk.stats.across.question import Places, asks_datasets

if TYPE_CHECKING:
    from bestofk.ordering.multi2test import Multi2TestOrder

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
    pairs = len(question.first) + (0 if question.beside is None else len(question.beside.first))
    return comb(datasets, size) * datasets * pairs


def left_out_of(evidence: Evidence, comparison: Comparison, question: Question, size: int) -> LeftOut:
    """Leave out every ``size`` data sets; advice and verdict ask the same, so small answers live as long as both."""
    losses = comparison.sample.rows
    if values_looked_at(question, losses.shape[1], size) > MOST_REMEMBERED:
        return leave_out(losses, question, size)
    known = _REMEMBERED.setdefault(comparison, WeakKeyDictionary()).setdefault(evidence, {})
    if size not in known:
        known[size] = leave_out(losses, question, size)
    return known[size]


class FirstPlace:
    """The winner, or with a preference the most preferred of the set of the best; else nobody.

    ``table`` and ``question`` are what the rule asks where that is not the comparison alone: Multi²Test asks the ranks
    (K, D) that each data set gives by itself as well, and leaving one out leaves the ranks on the others as they are.
    It has no winner, and overrules a preference only where the other learner is less preferred.
    """

    def __init__(
        self,
        comparison: Comparison,
        prior: tuple[str, ...] | None,
        table: Array | None = None,
        question: Question | None = None,
    ) -> None:
        learners = comparison.learners
        self.learners = len(learners)
        self.preferred = np.array([learners.index(name) for name in prior or ()], dtype=np.intp)
        self.first, self.second = comparison.places
        self.control = None if comparison.control is None else learners.index(comparison.control)
        self.alpha = comparison.alpha
        self.table, self.question = table, question

    def left_out(self, evidence: Evidence, comparison: Comparison, asked: Question, size: int) -> LeftOut:
        """Leave out every ``size`` data sets of what the rule asks."""
        if self.table is None or self.question is None:
            return left_out_of(evidence, comparison, asked, size)
        return leave_out(self.table, self.question, size)

    def of(self, decided: Decided) -> Places:
        """The place (among the comparison's learners) of the best, −1 for nobody, for every choice."""
        if self.question is not None:
            return self._by_edges(decided)
        shown = self._matrix(decided.conclusion)
        if self.control is not None:
            shown |= shown[:, :, [self.control]] & shown[:, [self.control]]
        wins = shown | self._matrix(np.where(decided.pvalue <= self.alpha, decided.side, 0.0))
        wins |= np.eye(self.learners, dtype=bool)
        winner = np.asarray(wins.all(axis=2))
        best = self._preferred(shown) if len(self.preferred) else np.full(len(shown), -1, dtype=np.intp)
        return np.asarray(np.where(winner.any(axis=1), np.argmax(winner, axis=1), best))

    def _preferred(self, shown: Flags) -> Places:
        """The most preferred learner that is not shown to be worse than another."""
        worse = np.swapaxes(shown, 1, 2)[:, self.preferred[:, None], self.preferred]
        beaten = np.asarray(worse.any(axis=2))
        best = self.preferred[np.argmax(~beaten, axis=1)]
        for row in np.flatnonzero(beaten.all(axis=1)):  # differences go round in a circle
            best[row] = self.preferred[int(np.argmax(unbeaten(worse[row])))]
        return np.asarray(best)

    def _matrix(self, side: Array) -> Flags:
        """(choices, learners, learners): the row is on the better side of the column."""
        found = np.zeros((len(side), self.learners, self.learners), dtype=bool)
        found[:, self.first, self.second], found[:, self.second, self.first] = side > 0, side < 0
        return found

    def _by_edges(self, decided: Decided) -> Places:
        """The most preferred learner that neither ranks nor comparison show to be worse than a less preferred one."""
        ranks, compared = np.split(decided.conclusion, [len(self.first)], axis=1)
        better = self._matrix(ranks) | self._matrix(compared)
        worse = np.swapaxes(better, 1, 2)[:, self.preferred[:, None], self.preferred]
        return np.asarray(self.preferred[np.argmin(np.triu(worse).any(axis=2), axis=1)])

    def changed(self, before: Decided, after: Decided) -> Flags:
        """One column: whether another learner is best, or nobody."""
        return np.asarray(self.of(after) != self.of(before)[0])[:, None]

    def paths(self, losses: Array, best: int) -> Callable[[int, int], Places]:
        """Leave out the data sets on which the best gains most on another learner, one order per other learner.

        Where nobody is best, anybody may become it.
        """

        def ordered(_: int, upto: int) -> Places:
            tables = losses.reshape(-1, self.learners, losses.shape[1])
            if best < 0:
                gains = np.concatenate([each[:, None] - each[None] for each in tables])
                gains = gains[~np.eye(self.learners, dtype=bool)]
            else:
                gains = np.concatenate([np.delete(each, best, axis=0) - each[best] for each in tables])
            return np.argsort(-gains, axis=1, kind="stable")[:, :upto]

        return ordered


def first_place(comparison: Comparison, ordering: Ordering, asked: Question) -> FirstPlace | None:
    """The rule of a verdict, with a control or without; None where it is another than MultiTest's or Multi²Test's."""
    if ordering.method not in CORRECTED or comparison.sides == "one":
        return None
    if ordering.ranks is None:
        return FirstPlace(comparison, ordering.prior)
    return _by_ranks(comparison, ordering, ordering.ranks, asked)


def _by_ranks(comparison: Comparison, ordering: Ordering, found: Multi2TestOrder, asked: Question) -> FirstPlace | None:
    """Ranks and comparison overrule the preference, each by itself."""
    if found.across != "nemenyi":
        return None
    names = comparison.learners
    ranks = found.ranks[:, [found.learners.index(name) for name in names]].T
    return FirstPlace(
        comparison,
        ordering.prior,
        table=np.concatenate([ranks, comparison.sample.rows]),
        question=replace(all_pairs(len(names), "nemenyi", "none", found.alpha, comparison.seed), beside=asked),
    )
