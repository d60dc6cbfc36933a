"""ROC curves of several folds averaged."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError
from bestofk.core.options import count_of, one_of
from bestofk.core.record import Record
from bestofk.stats.roc.curve import RocCurve, curve
from bestofk.stats.roc.rates import folds_of, rates, thresholds_of


class AveragedCurve(Record):
    """Mean of the folds' curves from (0, 0) to (1, 1), with the standard deviations over folds.

    Vertical averages have no thresholds and no spread of fpr, which is given.
    """

    fpr: Array
    tpr: Array
    fpr_spread: Array
    tpr_spread: Array
    thresholds: Array | None
    method: str
    folds: int


def average_curve(
    labels: Any, scores: Any, *, method: str = "vertical", points: int = 101, thresholds: Any = None
) -> AveragedCurve:
    """Average the ROC curves of a learner's folds.

    Parameters
    ----------
    labels : k lists of 0/1
        The truth of the items of every fold, both classes in each.
    scores : k lists
        Scores of the same items, the larger, the more positive.
    method : {"vertical", "threshold"}
        ``vertical``: mean tpr at equally spaced fpr, straight lines between a fold's points, the upper end where a
        curve rises. ``threshold``: mean (fpr, tpr) at equal thresholds, for scores that mean the same in every fold.
    points : int
        Number of fpr values, or of thresholds: quantiles of all scores.
    thresholds : array_like, optional
        The thresholds themselves.

    References
    ----------
    Fawcett 2006, *An introduction to ROC analysis*, section 8.

    Examples
    --------
    >>> average_curve([[0, 1, 1], [0, 0, 1]], [[.1, .4, .8], [.2, .6, .5]], points=3).tpr
    array([0.5, 1. , 1. ])
    """
    where = "average_curve"
    method = one_of(method, ("vertical", "threshold"), name="method", where=where)
    points = count_of(points, name="points", where=where, at_least=2)
    folds = folds_of(labels, scores, name="scores", where=where)
    if method == "vertical":
        if thresholds is not None:
            raise InputError(
                "a vertical average has no thresholds.", where, 'use method="threshold", or leave them out.'
            )
        return _vertical([curve(*fold) for fold in folds], points)
    pooled = [numbers(each, name="scores", where=where) for _, each in folds]
    cuts = np.concatenate(pooled) if thresholds is None else thresholds
    cuts = thresholds_of(cuts, where=where)
    if thresholds is None and cuts.size > points:
        cuts = np.unique(np.quantile(cuts, np.linspace(0.0, 1.0, points)))
    return _by_threshold(np.stack([rates(*fold, cuts) for fold in folds]), cuts)


def _vertical(curves: list[RocCurve], points: int) -> AveragedCurve:
    grid = np.linspace(0.0, 1.0, points)
    heights = np.stack([_heights(each, grid) for each in curves])
    return AveragedCurve(
        fpr=grid,
        tpr=heights.mean(axis=0),
        fpr_spread=np.zeros(points),
        tpr_spread=heights.std(axis=0, ddof=1),
        thresholds=None,
        method="vertical",
        folds=len(curves),
    )


def _heights(one: RocCurve, grid: Array) -> Array:
    """Heights of a curve at given fpr, the upper end where it rises."""
    left = np.searchsorted(one.fpr, grid + 1e-12, side="right") - 1  # the highest of the points that are not beyond
    right = np.minimum(left + 1, one.fpr.size - 1)
    width = one.fpr[right] - one.fpr[left]
    share = np.where(width > 0, np.maximum(grid - one.fpr[left], 0.0) / np.where(width > 0, width, 1.0), 0.0)
    return np.asarray(one.tpr[left] + share * (one.tpr[right] - one.tpr[left]))


def _by_threshold(found: Array, cuts: Array) -> AveragedCurve:
    """From rates (folds, s, 2) at increasing thresholds; the two ends are those of every curve."""
    falling = found[:, ::-1]
    ends = np.zeros((len(found), 1, 2)), np.ones((len(found), 1, 2))
    every = np.concatenate([ends[0], falling, ends[1]], axis=1)
    mean, spread = every.mean(axis=0), every.std(axis=0, ddof=1)
    return AveragedCurve(
        fpr=mean[:, 1],
        tpr=mean[:, 0],
        fpr_spread=spread[:, 1],
        tpr_spread=spread[:, 0],
        thresholds=np.concatenate([[np.inf], cuts[::-1], [-np.inf]]),
        method="threshold",
        folds=len(found),
    )
