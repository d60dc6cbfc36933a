"""How much a verdict hangs on the choice of data sets."""

from __future__ import annotations

from math import comb

import numpy as np

from bestofk.advice.over_datasets import question_of
from bestofk.comparing import Comparison, design_of
from bestofk.evidence import Evidence, Scores
from bestofk.judging.first_place import FirstPlace, first_place
from bestofk.judging.robustness import Removal, Robustness, Sensitivity
from bestofk.ordering import Ordering
from bestofk.stats.across import Decided, Question, SmallestSet, influences, leave_out, resampled, share_alike
from bestofk.stats.across.deciding import decide
from bestofk.stats.across.leaving_out import LeftOut, kept_without, on_all
from bestofk.stats.across.smallest import smallest_sets
from bestofk.stats.arrays import Array
from bestofk.stats.options import count_of

#: Leaving out two at a time holds at most so many values; beyond, one at a time only.
MOST_VALUES = 400_000_000
#: Values of all resamples together, and pairs times data sets beyond which only single data sets are tried.
MOST_DRAWN, MANY = 50_000_000, 20_000
#: Resamples that are drawn at least, however little effort is allowed.
FEWEST_RESAMPLES = 100
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
    losses = design_of(evidence).rows
    datasets, pairs = len(evidence.datasets), len(asked.first)
    affordable = comb(datasets, 2) * pairs * datasets <= (effort or MOST_VALUES)
    two = two and affordable
    everything, one = on_all(losses, asked), leave_out(losses, asked, 1)
    both = leave_out(losses, asked, 2) if two else None
    fewest, drawn_values = (
        (50, MOST_DRAWN) if effort is None else (FEWEST_RESAMPLES, effort // 30)
    )  # ties make resamples dear
    resamples = min(resamples, max(fewest, drawn_values // (pairs * datasets)))
    drawn = resampled(losses, asked, resamples=resamples, rng=seed)
    searched = 100_000_000 if effort is None else effort // 10
    most_sets = int(np.clip(searched // (pairs * datasets), datasets, 20_000))
    known = (one, both) if both else (one,)
    most = 1 if pairs * datasets > MANY or (effort is not None and not affordable) else None
    found = smallest_sets(losses, asked, most=most, most_sets=most_sets, known=known)
    names = _Names(evidence, comparison, asked)
    place = first_place(comparison, ordering) if ordering is not None else None
    return Sensitivity(
        datasets=evidence.datasets,
        learners=comparison.learners,
        test=comparison.test,
        adjust=comparison.adjust,
        alpha=comparison.alpha,
        pairs=tuple(names.pair(i, everything, one, both, drawn, found[i]) for i in range(pairs)),
        best=names.best(place, losses, everything, one, both, drawn, most, most_sets) if place else None,
        influence=influences(everything, one),
        resamples=resamples,
        seed=seed,
    )


class _Names:
    """Puts the arrays' places into names."""

    def __init__(self, evidence: Scores, comparison: Comparison, asked: Question) -> None:
        self.evidence, self.comparison, self.asked = evidence, comparison, asked

    def removal(self, places: Array | tuple[int, ...], then: str | None, adjusted: float | None) -> Removal:
        without = tuple(self.evidence.datasets[int(i)] for i in places)
        return Removal(without=without, then=then, adjusted=adjusted)

    def better(self, pair: int, conclusion: float) -> str | None:
        first, second = self.comparison.pairs[pair]
        return None if conclusion == 0 else first if conclusion > 0 else second

    def pair(
        self,
        pair: int,
        everything: Decided,
        one: LeftOut,
        both: LeftOut | None,
        drawn: Decided,
        found: SmallestSet,
    ) -> Robustness:
        before = float(everything.conclusion[0, pair])
        rows = [(each, np.flatnonzero(each.decided.conclusion[:, pair] != before)) for each in (one, both) if each]
        examples = [
            self.removal(
                each.removed[row],
                self.better(pair, each.decided.conclusion[row, pair]),
                float(each.decided.adjusted[row, pair]),
            )
            for each, places in rows
            for row in places[:MOST_NAMED]
        ]
        return Robustness(
            about=self.comparison.pairs[pair],
            conclusion=self.better(pair, before),
            adjusted=float(everything.adjusted[0, pair]),
            flips_one=len(rows[0][1]),
            flips_two=len(rows[1][1]) if both else None,
            examples=tuple(examples[:MOST_NAMED]),
            smallest=self._smallest_of_pair(pair, found),
            exact=found.exact,
            at_least=found.at_least,
            tried_up_to=found.tried_up_to,
            stability=float(share_alike(before, drawn.conclusion[:, pair])),
        )

    def _smallest_of_pair(self, pair: int, found: SmallestSet) -> Removal | None:
        if not found.removed:
            return None
        kept = kept_without(np.array([found.removed], dtype=np.intp), len(self.evidence.datasets))
        after = decide(design_of(self.evidence).rows, kept, self.asked)
        then = self.better(pair, float(after.conclusion[0, pair]))
        return self.removal(found.removed, then, float(after.adjusted[0, pair]))

    def best(
        self,
        place: FirstPlace,
        losses: Array,
        everything: Decided,
        one: LeftOut,
        both: LeftOut | None,
        drawn: Decided,
        most: int | None,
        most_sets: int,
    ) -> Robustness:
        learners = self.comparison.learners
        before = int(place.of(everything)[0])
        left = [(each, place.of(each.decided)) for each in (one, both) if each]
        rows = [np.flatnonzero(after != before) for _, after in left]
        examples = [
            self.removal(each.removed[row], learners[after[row]], None)
            for (each, after), places in zip(left, rows, strict=True)
            for row in places[:MOST_NAMED]
        ]
        (found,) = smallest_sets(
            losses,
            self.asked,
            changed=place.changed,
            paths=place.paths(losses, before),
            most=most,
            most_sets=most_sets,
            known=(one, both) if both else (one,),
        )
        return Robustness(
            about=(),
            conclusion=learners[before],
            adjusted=None,
            flips_one=len(rows[0]),
            flips_two=len(rows[1]) if both else None,
            examples=tuple(examples[:MOST_NAMED]),
            smallest=self._smallest_of_best(place, losses, found),
            exact=found.exact,
            at_least=found.at_least,
            tried_up_to=found.tried_up_to,
            stability=float(share_alike(before, place.of(drawn))),
        )

    def _smallest_of_best(self, place: FirstPlace, losses: Array, found: SmallestSet) -> Removal | None:
        if not found.removed:
            return None
        kept = kept_without(np.array([found.removed], dtype=np.intp), losses.shape[1])
        return self.removal(
            found.removed, self.comparison.learners[int(place.of(decide(losses, kept, self.asked))[0])], None
        )
