"""Who is best on every choice of data sets, by the rule that made the verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from bestofk.comparing import Comparison
from bestofk.core.arrays import Array, Flags
from bestofk.ordering import Ordering
from bestofk.ordering.methods import unbeaten
from bestofk.ordering.multi2test import Multi2TestOrder
from bestofk.stats.across import Decided, Question, all_pairs
from bestofk.stats.across.question import Places


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
    if ordering.method not in ("multitest", "multi2test") or comparison.sides == "one":
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
