"""How much a verdict hangs on the choice of data sets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from bestofk.advice.over_datasets import left_out_of, question_of
from bestofk.comparing import Comparison
from bestofk.core.arrays import Array, Flags
from bestofk.core.options import count_of
from bestofk.evidence import Evidence, Scores
from bestofk.judging.findings.robustness import Removal, Robustness, Sensitivity
from bestofk.ordering import Ordering
from bestofk.ordering.by_means import smallest_first
from bestofk.stats.across import (
    Decided,
    Question,
    SmallestSet,
    all_pairs,
    influences,
    leave_out,
    resampled,
    share_alike,
)
from bestofk.stats.across.conclusions import decide
from bestofk.stats.across.influence import LeftOut, kept_without, on_all
from bestofk.stats.across.question import Places
from bestofk.stats.across.smallest import smallest_sets

#: Leaving out two at a time holds at most so many values; beyond, one at a time only.
MOST_VALUES = 400_000_000
#: Values of all resamples together, and pairs times data sets beyond which only single data sets are tried.
MOST_DRAWN, MANY = 50_000_000, 20_000
#: Resamples that are drawn at least, however little effort is allowed.
FEWEST_RESAMPLES = 100
#: Examples of removals that are named; all are counted.
MOST_NAMED = 20


Winners = npt.NDArray[np.intp]


def sensitivity_of(
    evidence: Evidence,
    comparison: Comparison,
    ordering: Ordering | None = None,
    *,
    resamples: int = 1_000,
    seed: int = 0,
    two: bool = True,
    effort: int | None = None,
) -> Sensitivity | None:
    """Try other choices of data sets; None where the comparison is not one over complete data sets.

    Parameters
    ----------
    evidence : Scores
        As it was compared.
    comparison, ordering
        What was concluded; without an ordering the pairs alone are looked at.
    resamples : int
        Bootstrap samples of the data sets; fewer where tables are very large.
    seed : int
    two : bool
        Leave out two at a time as well.
    effort : int, optional
        Values of pairs that each part of the work may look at: beyond, data sets are left out one at a time only;
        resamples and the sets that are gone through become fewer. Thorough without it.
    """
    resamples = count_of(resamples, name="resamples", where="sensitivity")
    asked = question_of(evidence, comparison)
    if asked is None or not isinstance(evidence, Scores):
        return None
    losses = comparison.sample.rows
    datasets, pairs = len(evidence.datasets), len(asked.first)
    affordable = comb(datasets, 2) * pairs * datasets <= (effort or MOST_VALUES)
    two = two and affordable
    fewest, drawn_values = (
        (50, MOST_DRAWN) if effort is None else (FEWEST_RESAMPLES, effort // 30)
    )  # ties make resamples dear
    resamples = min(resamples, max(fewest, drawn_values // (pairs * datasets)))
    left_out = tuple(left_out_of(evidence, comparison, asked, size) for size in ((1, 2) if two else (1,)))
    tried = _tried(losses, asked, left_out, resamples, seed)
    searched = 100_000_000 if effort is None else effort // 10
    most_sets = int(np.clip(searched // (pairs * datasets), datasets, 20_000))
    most = 1 if pairs * datasets > MANY or (effort is not None and not affordable) else None
    found = smallest_sets(losses, asked, most=most, most_sets=most_sets, known=tried.left_out)
    names = _Names(evidence, comparison)
    place = first_place(comparison, ordering) if ordering is not None else None
    by_place = tried
    if place and place.table is not None and place.question is not None:
        ranks_left_out = tuple(leave_out(place.table, place.question, size) for size in ((1, 2) if two else (1,)))
        by_place = _tried(place.table, place.question, ranks_left_out, resamples, seed)
    return Sensitivity(
        datasets=evidence.datasets,
        learners=comparison.learners,
        test=comparison.test,
        adjust=comparison.adjust,
        alpha=comparison.alpha,
        pairs=tuple(names.pair(i, tried, found[i]) for i in range(pairs)),
        best=names.best(place, by_place, most, most_sets) if place else None,
        influence=influences(tried.everything, tried.left_out[0]),
        resamples=resamples,
        seed=seed,
    )


@dataclass(frozen=True, eq=False)
class _Tried:
    """What a question finds in a table (K, D): on all data sets, without one (and two) of them, and on resamples."""

    table: Array
    asked: Question
    everything: Decided
    left_out: tuple[LeftOut, ...]
    drawn: Decided

    def without(self, removed: tuple[int, ...]) -> Decided:
        """What it finds without some data sets."""
        kept = kept_without(np.array([removed], dtype=np.intp), self.table.shape[1])
        return decide(self.table, kept, self.asked)


def _tried(table: Array, asked: Question, left_out: tuple[LeftOut, ...], resamples: int, seed: int) -> _Tried:
    drawn = resampled(table, asked, resamples=resamples, rng=seed)
    return _Tried(table, asked, on_all(table, asked), left_out, drawn)


class _Names:
    """Puts the arrays' places into names."""

    def __init__(self, evidence: Scores, comparison: Comparison) -> None:
        self.evidence, self.comparison = evidence, comparison

    def removal(self, places: Array | tuple[int, ...], then: str | None, adjusted: float | None) -> Removal:
        without = tuple(self.evidence.datasets[int(i)] for i in places)
        return Removal(without=without, then=then, adjusted=adjusted)

    def better(self, pair: int, conclusion: float) -> str | None:
        first, second = self.comparison.pairs[pair]
        return None if conclusion == 0 else first if conclusion > 0 else second

    def pair(self, pair: int, tried: _Tried, found: SmallestSet) -> Robustness:
        before = float(tried.everything.conclusion[0, pair])
        rows = [np.flatnonzero(each.decided.conclusion[:, pair] != before) for each in tried.left_out]
        examples = [
            self.removal(
                each.removed[row],
                self.better(pair, each.decided.conclusion[row, pair]),
                float(each.decided.adjusted[row, pair]),
            )
            for each, places in zip(tried.left_out, rows, strict=True)
            for row in places[:MOST_NAMED]
        ]
        return Robustness(
            about=self.comparison.pairs[pair],
            conclusion=self.better(pair, before),
            adjusted=float(tried.everything.adjusted[0, pair]),
            flips_one=len(rows[0]),
            flips_two=len(rows[1]) if len(rows) > 1 else None,
            examples=tuple(examples[:MOST_NAMED]),
            smallest=self._smallest_of_pair(pair, tried, found),
            exact=found.exact,
            at_least=found.at_least,
            tried_up_to=found.tried_up_to,
            stability=float(share_alike(before, tried.drawn.conclusion[:, pair])),
        )

    def _smallest_of_pair(self, pair: int, tried: _Tried, found: SmallestSet) -> Removal | None:
        if not found.removed:
            return None
        after = tried.without(found.removed)
        then = self.better(pair, float(after.conclusion[0, pair]))
        return self.removal(found.removed, then, float(after.adjusted[0, pair]))

    def best(self, place: FirstPlace, tried: _Tried, most: int | None, most_sets: int) -> Robustness:
        learners = self.comparison.learners
        before = int(place.of(tried.everything)[0])
        after = [place.of(each.decided) for each in tried.left_out]
        rows = [np.flatnonzero(each != before) for each in after]
        examples = [
            self.removal(each.removed[row], learners[then[row]], None)
            for each, then, places in zip(tried.left_out, after, rows, strict=True)
            for row in places[:MOST_NAMED]
        ]
        (found,) = smallest_sets(
            tried.table,
            tried.asked,
            changed=place.changed,
            paths=place.paths(tried.table, before),
            most=most,
            most_sets=most_sets,
            known=tried.left_out,
        )
        return Robustness(
            about=(),
            conclusion=learners[before],
            adjusted=None,
            flips_one=len(rows[0]),
            flips_two=len(rows[1]) if len(rows) > 1 else None,
            examples=tuple(examples[:MOST_NAMED]),
            smallest=self._smallest_of_best(place, tried, found),
            exact=found.exact,
            at_least=found.at_least,
            tried_up_to=found.tried_up_to,
            stability=float(share_alike(before, place.of(tried.drawn))),
        )

    def _smallest_of_best(self, place: FirstPlace, tried: _Tried, found: SmallestSet) -> Removal | None:
        if not found.removed:
            return None
        then = self.comparison.learners[int(place.of(tried.without(found.removed))[0])]
        return self.removal(found.removed, then, None)


class FirstPlace:
    """The smallest mean without a preference; with one the most preferred learner that nobody is shown to beat.

    ``table`` and ``question`` are what the rule asks where that is not the comparison itself: Multi²Test asks the ranks
    (K, D) that each data set gives by itself, so that leaving one out leaves the ranks on the others as they are.
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
        place = {frozenset(pair): i for i, pair in enumerate(pairs)}
        asked = [(i, j) for i, j in combinations(range(len(names)), 2) if frozenset((names[i], names[j])) in place]
        self.ahead = np.array([i for i, _ in asked], dtype=np.intp)
        self.behind = np.array([j for _, j in asked], dtype=np.intp)
        self.pair = np.array([place[frozenset((names[i], names[j]))] for i, j in asked], dtype=np.intp)
        self.turned = np.array([pairs[p][0] != names[i] for p, i in zip(self.pair, self.ahead, strict=True)])
        self.control = None if control is None else names.index(control)
        self.table, self.question = table, question

    def of(self, decided: Decided) -> Winners:
        """The place (among the comparison's learners) of the first, for every choice."""
        if self.by_mean:
            return np.asarray(self.preferred[smallest_first(decided.means[:, self.preferred])[:, 0]])
        for_preferred = decided.conclusion[:, self.pair] * np.where(self.turned, -1.0, 1.0)
        outgoing = self.ahead[:, None] == np.arange(len(self.preferred))  # (pairs, learners)
        beaten = (for_preferred < 0).astype(float) @ outgoing > 0
        if self.control is not None:
            beaten |= self._beaten_across(for_preferred)
        return np.asarray(self.preferred[np.argmin(beaten, axis=1)])

    def _beaten_across(self, for_preferred: Array) -> Flags:
        """Worse than the control, which is worse than a learner that is less preferred: the two are told apart too."""
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
            gains = np.delete(losses, best, axis=0) - losses[best]
            return np.argsort(-gains, axis=1, kind="stable")[:, :upto]

        return ordered


def first_place(comparison: Comparison, ordering: Ordering) -> FirstPlace | None:
    """The rule of a verdict, with a control or without; None where it is another than MultiTest's or Multi²Test's."""
    if ordering.method == "multi2test":
        return _by_ranks(comparison, ordering)
    if ordering.method != "multitest" or comparison.sides == "one":
        return None
    return FirstPlace(comparison.learners, comparison.pairs, ordering.prior, control=comparison.control)


def _by_ranks(comparison: Comparison, ordering: Ordering) -> FirstPlace | None:
    graph = ordering.ranks
    if graph is None or graph.across != "nemenyi":
        return None
    names = comparison.learners
    places = [graph.learners.index(name) for name in names]
    question = all_pairs(len(names), "nemenyi", "none", graph.alpha, comparison.seed)
    return FirstPlace(
        names,
        tuple(combinations(names, 2)),
        ordering.prior,
        table=np.ascontiguousarray(graph.ranks[:, places].T),
        question=question,
    )
