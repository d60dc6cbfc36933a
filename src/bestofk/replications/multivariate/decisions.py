"""The three tests on all pairs of a data set, and how often they reject and disagree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.record import Record
from bestofk.replications.multivariate.counting import FOLDS, Counts
from bestofk.replications.multivariate.published import TESTS
from bestofk.stats.multivariate import hotelling, measures
from bestofk.stats.multivariate.hotelling import HotellingResult

ALPHA = 0.05
MEASURES: dict[str, tuple[str, ...]] = {
    "UniErr": ("error",),
    "MultiTF": ("tpr", "fpr"),
    "MultiPR": ("precision", "recall"),
}
COUNTS = ("tp", "fp", "fn", "tn")


class PairDecision(Record):
    """p values of a pair by test, plain and corrected for overlapping folds; a test that has none is absent.

    MultiPR has none where a learner calls nothing positive in some fold. ``rank`` is that of S of the four counts.
    """

    dataset: str
    first: str
    second: str
    pvalues: dict[str, float]
    corrected: dict[str, float]
    rank: int

    def rejects(self, test: str, *, corrected: bool = False) -> bool | None:
        """Say what a test decides at 0.05; None where it has no p value."""
        found = (self.corrected if corrected else self.pvalues).get(test)
        return None if found is None else found <= ALPHA


def vectors(counts: Array, names: tuple[str, ...]) -> Array:
    """Measures (folds, p) from counts (folds, 4)."""
    return measures(*np.moveaxis(counts, -1, 0), names=names)


def _tested(first: Array, second: Array, names: tuple[str, ...], fraction: float | None) -> HotellingResult | None:
    try:
        one, two = (vectors(counts, names) for counts in (first, second))
    except InputError:  # no predicted positive in some fold: precision is 0/0
        return None
    return hotelling(one, two, test_fraction=fraction)


def decisions_of(dataset: str, counts: Counts) -> tuple[PairDecision, ...]:
    """Test all pairs of the learners that were run."""
    made = []
    for first, second in combinations(counts, 2):
        one, two = counts[first], counts[second]
        plain, corrected = (
            {
                test: float(found.pvalue)
                for test in TESTS
                if (found := _tested(one, two, MEASURES[test], fraction)) is not None
            }
            for fraction in (None, 1.0 / FOLDS)
        )
        rank = int(hotelling(vectors(one, COUNTS), vectors(two, COUNTS)).rank)
        made.append(PairDecision(dataset, first, second, plain, corrected, rank))
    return tuple(made)


def rejection_counts(made: Iterable[PairDecision], *, corrected: bool = False) -> dict[str, tuple[int, int]]:
    """By test: how many pairs it rejects, and how many have a p value."""
    decided = {test: [each.rejects(test, corrected=corrected) for each in made] for test in TESTS}
    return {test: (sum(bool(d) for d in found), sum(d is not None for d in found)) for test, found in decided.items()}


def patterns(made: Iterable[PairDecision], *, corrected: bool = False) -> Counter[tuple[bool, ...]]:
    """Count what the three tests decide together, in the order of TESTS, over pairs that have all three."""
    together = ([each.rejects(test, corrected=corrected) for test in TESTS] for each in made)
    return Counter(tuple(bool(d) for d in decided) for decided in together if None not in decided)


def disagreements(made: Iterable[PairDecision], rejecting: str, accepting: str) -> int:
    """Count pairs that one test rejects and another, which has a p value too, does not."""
    return sum(each.rejects(rejecting) is True and each.rejects(accepting) is False for each in made)


def rank_counts(made: Iterable[PairDecision]) -> Counter[int]:
    """Count the ranks of S of the four counts."""
    return Counter(each.rank for each in made)
