"""ROC analysis beside a verdict: curves, areas, the hull, and for which costs each learner is best."""

from __future__ import annotations

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.record import Record
from bestofk.evidence.item_folds import Places
from bestofk.evidence.outcomes.areas import ItemScores
from bestofk.judging.findings.mistake_costs import CostsOfMistakes, costs_of_ranges
from bestofk.stats.roc import auc, average_curve, cost_ranges, curve


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
