"""For which costs of a false alarm and of a miss each learner is best, by the hull of its rates."""

from __future__ import annotations

import numpy as np

from bestofk.core.record import Record
from bestofk.evidence.vectors import Vectors
from bestofk.stats.roc import cost_ranges
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
