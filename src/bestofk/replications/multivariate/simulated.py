"""Fig. 1 and Fig. 4 by simulation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import special

from bestofk.core.arrays import Array
from bestofk.core.record import Record
from bestofk.replications.multivariate.decisions import ALPHA, MEASURES
from bestofk.stats.multivariate import hotelling, measures

FOLDS = 10
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
