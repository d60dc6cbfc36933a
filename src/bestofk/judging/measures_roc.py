"""ROC analysis beside a verdict: curves, areas, the hull, and for which costs each learner is best."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bestofk.core.errors import InputError
from bestofk.evidence.vectors_items import ItemScores, Places
from bestofk.judging.measures_costs import CostsOfMistakes, costs_of_ranges
from bestofk.stats.arrays import Array, Flags
from bestofk.stats.results import Fields
from bestofk.stats.roc import auc, average_curve, cost_ranges, curve


@dataclass(frozen=True, eq=False, repr=False)
class RocCurves(Fields):
    """Curves as (points, 2) of (fpr, tpr) per learner, vertical means over ``folds`` where there are several.

    ``areas`` are those of all items together. ``costs`` has the learners on the hull and for which price of a false
    alarm in misses each is best.
    """

    positive: str
    folds: int
    curves: dict[str, Array]
    areas: dict[str, float]
    costs: CostsOfMistakes


def roc_curves(items: ItemScores) -> RocCurves:
    """Curves of all learners, averaged over the folds that have both classes, with their hull."""
    share = float(items.truth.mean())
    if not 0.0 < share < 1.0:
        raise InputError(
            f"every item is {'' if share else 'not '}of class {items.positive}.", items.source, "give both classes."
        )
    both: list[Places] = [fold for fold in items.folds if 0 < items.truth[fold].sum() < fold.size]
    folds = both if len(both) == len(items.folds) else [np.arange(items.truth.size)]
    curves = {name: _curve(items.truth, each, folds) for name, each in zip(items.learners, items.scores, strict=True)}
    areas = {name: float(auc(items.truth, each)) for name, each in zip(items.learners, items.scores, strict=True)}
    costs = costs_of_ranges(cost_ranges(curves), items.learners, share, {})
    return RocCurves(positive=items.positive, folds=len(folds), curves=curves, areas=areas, costs=costs)


def _curve(truth: Flags, scores: Array, folds: list[Places]) -> Array:
    if len(folds) == 1:
        alone = curve(truth, scores)
        return np.stack([alone.fpr, alone.tpr], axis=-1)
    mean = average_curve([truth[fold].astype(float) for fold in folds], [scores[fold] for fold in folds])
    return np.stack([mean.fpr, mean.tpr], axis=-1)
