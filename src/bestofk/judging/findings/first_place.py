"""Who stands first on every choice of data sets, by the rule that made the verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from bestofk.comparing import Comparison
from bestofk.core.arrays import Array, Flags
from bestofk.ordering import Ordering
from bestofk.ordering.contest import smallest_first
from bestofk.ordering.multi2test import Multi2TestOrder
from bestofk.stats.across import Decided, Question, all_pairs
from bestofk.stats.across.question import Places

Winners = npt.NDArray[np.intp]


class FirstPlace:
    """The smallest mean without a preference; with one the most preferred learner that nobody is shown to beat.

    ``table`` and ``question`` are what the rule asks where that is not the comparison alone: Multi²Test asks the ranks
    (K, D) that each data set gives by itself as well, and leaving one out leaves the ranks on the others as they are.
    """

    def __init__(
        self,
        learners: tuple[str, ...],
        pairs: tuple[tuple[str, str], ...],
        prior: tuple[str, ...] | None,
        *,
        control: str | None = None,
        table: Array | None = None,
        question: Question | None = None,
    ) -> None:
        names = prior or tuple(sorted(learners))  # equal means are put in the order of names
        self.preferred = np.array([learners.index(name) for name in names], dtype=np.intp)
        self.by_mean = prior is None
        places = np.array([[names.index(name) for name in pair] for pair in pairs], dtype=np.intp)
        self.ahead, self.behind = places.min(axis=1), places.max(axis=1)
        self.turned = places[:, 0] != self.ahead
        self.control = None if control is None else names.index(control)
        self.table, self.question = table, question

    def of(self, decided: Decided) -> Winners:
        """The place (among the comparison's learners) of the first, for every choice."""
        if self.by_mean:
            return np.asarray(self.preferred[smallest_first(decided.means[:, self.preferred])[:, 0]])
        for_preferred = decided.conclusion * np.where(self.turned, -1.0, 1.0)
        outgoing = self.ahead[:, None] == np.arange(len(self.preferred))  # (pairs, learners)
        beaten = (for_preferred < 0).astype(float) @ outgoing > 0
        if self.control is not None:
            beaten |= self._beaten_across(for_preferred)
        return np.asarray(self.preferred[np.argmin(beaten, axis=1)])

    def _beaten_across(self, for_preferred: Array) -> Flags:
        """Worse than the control, which is worse than a learner that is less preferred: the two differ too."""
        against = np.zeros((len(for_preferred), len(self.preferred)))  # 1: better than the control, −1: worse
        behind = self.ahead == self.control  # the control is the preferred one of the pair
        against[:, np.where(behind, self.behind, self.ahead)] = np.where(behind, -for_preferred, for_preferred)
        better = against > 0
        later = np.logical_or.accumulate(better[:, ::-1], axis=1)[:, ::-1]  # a learner or one behind it is better
        return np.asarray((against < 0) & later)

    def changed(self, before: Decided, after: Decided) -> Flags:
        """One column: whether another learner stands first."""
        return np.asarray(self.of(after) != self.of(before)[0])[:, None]

    def paths(self, losses: Array, best: int) -> Callable[[int, int], Places]:
        """Leave out the data sets on which the best gains most on another learner, one order per other learner."""

        def ordered(_: int, upto: int) -> Places:
            tables = losses.reshape(-1, len(self.preferred), losses.shape[1])
            gains = np.concatenate([np.delete(each, best, axis=0) - each[best] for each in tables])
            return np.argsort(-gains, axis=1, kind="stable")[:, :upto]

        return ordered


def first_place(comparison: Comparison, ordering: Ordering, asked: Question) -> FirstPlace | None:
    """The rule of a verdict, with a control or without; None where it is another than MultiTest's or Multi²Test's."""
    if ordering.method not in ("multitest", "multi2test") or comparison.sides == "one":
        return None
    if ordering.ranks is None:
        return FirstPlace(comparison.learners, comparison.pairs, ordering.prior, control=comparison.control)
    return _by_ranks(comparison, ordering, ordering.ranks, asked)


def _by_ranks(comparison: Comparison, ordering: Ordering, found: Multi2TestOrder, asked: Question) -> FirstPlace | None:
    """Ranks and comparison overrule the preference, each by itself."""
    if found.across != "nemenyi":
        return None
    names = comparison.learners
    ranks = found.ranks[:, [found.learners.index(name) for name in names]].T
    return FirstPlace(
        names,
        (*combinations(names, 2), *comparison.pairs),
        ordering.prior,
        table=np.concatenate([ranks, comparison.sample.rows]),
        question=replace(all_pairs(len(names), "nemenyi", "none", found.alpha, comparison.seed), beside=asked),
    )
