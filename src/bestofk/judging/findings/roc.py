"""ROC analysis beside a verdict: curves, areas, the hull, and for which costs of mistakes each learner is best."""

from __future__ import annotations

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.record import Record
from bestofk.evidence.item_folds import Places
from bestofk.evidence.measure_vectors.areas import ItemScores
from bestofk.evidence.vectors import Vectors
from bestofk.stats.roc import auc, average_curve, cost_ranges, curve
from bestofk.stats.roc.hull import CostRanges


class BestForCosts(Record):
    """A learner is best while a false alarm costs between ``low`` and ``high`` times a miss."""

    learner: str
    low: float
    high: float


class CostsOfMistakes(Record):
    """Rates of all folds together, so means alone and no test. ``never`` are learners that no costs make best.

    ``positives`` is the share of positives that the costs are reckoned with; ``rates`` are (fpr, tpr) by
    learner, empty for curves.
    """

    positives: float
    rates: dict[str, tuple[float, float]]
    best: tuple[BestForCosts, ...]
    never: tuple[str, ...]


def costs_of_mistakes(scores: Vectors) -> CostsOfMistakes | None:
    """From counts of one data set; None without them, or where a class is missing."""
    if scores.counts is None or len(scores.datasets) > 1:
        return None
    totals = np.asarray(scores.counts).sum(axis=(1, 2, 3))
    tp, fn, fp, tn = totals.T
    if (tp + fn == 0).any() or (fp + tn == 0).any():
        return None
    share = float((tp + fn).sum() / totals.sum())
    if not 0.0 < share < 1.0:  # so few of one class that floating point has none
        return None
    points = np.stack([fp / (fp + tn), tp / (tp + fn)], axis=-1)
    rates = {name: (float(x), float(y)) for name, (x, y) in zip(scores.learners, points, strict=True)}
    return costs_of_ranges(cost_ranges(rates), scores.learners, share, rates)


def costs_of_ranges(
    found: CostRanges, learners: tuple[str, ...], share: float, rates: dict[str, tuple[float, float]]
) -> CostsOfMistakes:
    """Prices of a false alarm in misses, at a share of positives, for which each learner is best."""
    scale = share / (1.0 - share)  # a slope is the price of an alarm in misses times negatives per positive
    best = [
        BestForCosts(name, low * scale, high * scale)
        for name in found.optimal
        for low, high in found.of(name)
        if low < high
    ]
    never = tuple(name for name in learners if name not in {each.learner for each in best})
    return CostsOfMistakes(share, rates, tuple(sorted(best, key=lambda each: each.low)), never)


class RocCurves(Record):
    """Curves as (points, 2) of (fpr, tpr) per learner, vertical means over ``folds`` where there are several.

    ``areas`` are means over the same folds; with one fold they are those of all items together. ``costs`` has the
    learners on the hull and for which price of a false alarm in misses each is best.
    """

    positive: str
    folds: int
    curves: dict[str, Array]
    areas: dict[str, float]
    costs: CostsOfMistakes


def roc_curves(items: ItemScores) -> RocCurves:
    """Curves of all learners, averaged over the folds where all of them have both classes, with their hull."""
    items.refuse_one_class()
    share = float(items.truth.mean())
    given = items.folds.places
    both: list[Places] = [fold for fold in given if 0 < items.truth[fold].sum() < fold.size]
    folds = both if len(both) == len(given) else [np.arange(items.truth.size)]
    by_name = dict(zip(items.learners, items.scores, strict=True))
    curves = {name: _curve(items.truth, each, folds) for name, each in by_name.items()}
    areas = {name: _area(items.truth, each, folds) for name, each in by_name.items()}
    costs = costs_of_ranges(cost_ranges(curves), items.learners, share, {})
    return RocCurves(positive=items.positive, folds=len(folds), curves=curves, areas=areas, costs=costs)


def _area(truth: Flags, scores: Array, folds: list[Places]) -> float:
    return float(np.mean([auc(truth[fold], scores[fold]) for fold in folds]))


def _curve(truth: Flags, scores: Array, folds: list[Places]) -> Array:
    if len(folds) == 1:
        alone = curve(truth, scores)
        return np.stack([alone.fpr, alone.tpr], axis=-1)
    mean = average_curve([truth[fold].astype(float) for fold in folds], [scores[fold] for fold in folds])
    return np.stack([mean.fpr, mean.tpr], axis=-1)
