"""The three tests on all pairs: how often they reject and disagree on data, in simulations, in printed examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np

from bestofk.core import special
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.record import Record
from bestofk.ordering import cliques
from bestofk.replications.multivariate.datasets import FOLDS, Counts
from bestofk.replications.multivariate.published import ACCEPTED, LEARNERS, TESTS, WEIGHTS, Pairs
from bestofk.replications.replication import Agreement
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


# Fig. 1 and Fig. 4 by simulation.


#: Fig. 1: two normal classes; the paper draws 100 instances of each.
MEANS, SPREAD, PER_CLASS = (2.0, 3.0), 0.3, 100
#: Fig. 4: the paper does not print its classifier; one with these rates on folds of so many instances stands for it.
RATES, POSITIVES, NEGATIVES = (0.8, 0.2), 100, 100


class Share(Record):
    """Share of runs in which each test fails to reject, at one setting: a threshold, λ or α."""

    setting: float
    accepted: dict[str, float]


def moved_threshold(rng: np.random.Generator, runs: int, thresholds: Sequence[float]) -> Array:
    """Counts tp, fn, fp, tn (thresholds, runs, folds, 4): the same 100 + 100 instances, called positive above each."""
    per_fold = PER_CLASS // FOLDS
    negative, positive = (rng.normal(mean, SPREAD, size=(runs, FOLDS, per_fold)) for mean in MEANS)
    tp, fp = (np.stack([(x > t).sum(axis=-1) for t in thresholds]).astype(float) for x in (positive, negative))
    return np.stack([tp, per_fold - tp, fp, per_fold - fp], axis=-1)


def expected_error(threshold: float) -> float:
    """Error of Fig. 1's classifier for many instances: its lowest is midway, and it is the same at 2 and at 3."""
    false_alarms, misses = (special.ndtr(side / SPREAD) for side in (MEANS[0] - threshold, threshold - MEANS[1]))
    return float(false_alarms + misses) / 2.0


def drawn_counts(rng: np.random.Generator, runs: int) -> Array:
    """Counts (runs, folds, 4) of one classifier with Fig. 4's rates."""
    tp = rng.binomial(POSITIVES, RATES[0], size=(runs, FOLDS)).astype(float)
    fp = rng.binomial(NEGATIVES, RATES[1], size=(runs, FOLDS)).astype(float)
    return np.stack([tp, POSITIVES - tp, fp, NEGATIVES - fp], axis=-1)


def more_negatives(counts: Array, share: float) -> Array:
    """Fig. 4(a): tn ← tn(1 + λ)."""
    return np.asarray(counts * [1.0, 1.0, 1.0, 1.0 + share])


def skewed(counts: Array, share: float) -> Array:
    """Fig. 4(b): tp and fn times 1 − α, fp and tn times 1 + α."""
    return np.asarray(counts * [1.0 - share, 1.0 - share, 1.0 + share, 1.0 + share])


def accepted(first: Array, second: Array) -> dict[str, float]:
    """Share of runs in which each test fails to reject."""
    found = {}
    for test, names in MEASURES.items():
        one, two = (measures(*np.moveaxis(c, -1, 0), names=names, undefined=0.0) for c in (first, second))
        found[test] = float(np.mean(np.asarray(hotelling(one, two).pvalue) > ALPHA))
    return found


def figure_one(rng: np.random.Generator, runs: int, thresholds: Sequence[float]) -> tuple[Share, ...]:
    """The classifier with its threshold at 2 against the same with it elsewhere."""
    counts = moved_threshold(rng, runs, (MEANS[0], *thresholds))
    return tuple(Share(t, accepted(counts[0], each)) for t, each in zip(thresholds, counts[1:], strict=True))


def figure_four(rng: np.random.Generator, runs: int, shares: Sequence[float], *, skew: bool) -> tuple[Share, ...]:
    """A classifier against its equal with more true negatives, or with another class ratio."""
    change = skewed if skew else more_negatives
    made = []
    for share in shares:
        one, two = drawn_counts(rng, runs), drawn_counts(rng, runs)
        made.append(Share(share, accepted(one, change(two, share))))
    return tuple(made)


# Two things the text prints of its examples: the weights w of Fig. 3, and the cliques of breast and spect.


Cliques = frozenset[frozenset[str]]


def weight_lines(counts: Mapping[str, Counts]) -> list[Agreement]:
    """w of eq. 5 for c45 and qda on pima; the text concludes from it that fpr is the important measure."""
    if "pima" not in counts:
        return []
    lines = []
    for names, theirs in WEIGHTS.items():
        one, two = (vectors(counts["pima"][name], names) for name in ("c45", "qda"))
        found = np.asarray(hotelling(one, two).direction)
        met = bool(abs(found[1]) > abs(found[0])) if "fpr" in names else None
        asked = _weights(theirs) + (", fpr weighs more" if met is not None else " (told, not asked for)")
        lines.append(Agreement(f"pima, c45 and qda: w of ({', '.join(names)})", _weights(found), asked, met))
    return lines


def _weights(values: Sequence[float] | np.typing.NDArray[np.float64]) -> str:
    return f"({', '.join(f'{float(value):.3f}'.replace('-', '−') for value in values)})"


def clique_lines(made: Sequence[PairDecision]) -> list[Agreement]:
    """Cliques of two and more that the tests leave, ours beside those that the published pairs make."""
    lines = []
    for dataset, tests in ACCEPTED.items():
        own = [each for each in made if each.dataset == dataset]
        for test in TESTS if own else ():
            ours = cliques_of(frozenset(frozenset((e.first, e.second)) for e in own if not e.rejects(test)))
            theirs = cliques_of(tests[test])
            lines.append(Agreement(f"{dataset}: cliques by {test}", _told(ours), _told(theirs), ours == theirs))
    return lines


def cliques_of(accepted: Pairs) -> Cliques:
    """Maximal groups of two and more in which no pair is told apart.

    Examples
    --------
    >>> pairs = frozenset(map(frozenset, [("lda", "knn"), ("lda", "svm"), ("svm", "knn"), ("c45", "qda")]))
    >>> sorted(" ".join(sorted(each)) for each in cliques_of(pairs))
    ['c45 qda', 'knn lda svm']
    """
    table = [[a == b or frozenset((a, b)) in accepted for a in LEARNERS] for b in LEARNERS]
    return frozenset(frozenset(each) for each in cliques(table, names=LEARNERS) if len(each) > 1)


def _told(found: Cliques) -> str:
    named = sorted("{" + ", ".join(sorted(each)) + "}" for each in found)
    return ", ".join(named) or "none"
