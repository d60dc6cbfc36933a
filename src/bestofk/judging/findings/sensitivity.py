"""How much a verdict hangs on the choice of data sets."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from bestofk.advice.over_datasets import left_out_of, question_of
from bestofk.comparing import Comparison
from bestofk.core.arrays import Array
from bestofk.core.options import count_of
from bestofk.evidence import Evidence, Scores
from bestofk.judging.findings import FEWEST_RESAMPLES
from bestofk.judging.findings.first_place import FirstPlace, first_place
from bestofk.judging.findings.robustness import Removal, Robustness, Sensitivity
from bestofk.ordering import Ordering
from bestofk.stats.across import Decided, Question, SmallestSet, influences, leave_out, resampled, share_alike
from bestofk.stats.across.conclusions import decide
from bestofk.stats.across.influence import LeftOut, kept_without, on_all
from bestofk.stats.across.smallest import smallest_sets

#: Leaving out two at a time holds at most so many values; beyond, one at a time only.
MOST_VALUES = 400_000_000
#: Values of all resamples together, and pairs times data sets beyond which only single data sets are tried.
MOST_DRAWN, MANY = 50_000_000, 20_000
#: Examples of removals that are named; all are counted.
MOST_NAMED = 20


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
