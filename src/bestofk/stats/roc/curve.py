"""ROC curve of scores on a two-class problem, the area under it, rates at given thresholds, and averages over folds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, numbers, zero_one
from bestofk.core.errors import InputError
from bestofk.core.options import count_of, one_of
from bestofk.core.record import Record
from bestofk.stats.ranks import average_ranks
from bestofk.stats.shapes import wrong_shape


class RocCurve(Record):
    """One point per distinct threshold: items scoring at least ``thresholds[i]`` are called positive."""

    fpr: Array
    tpr: Array
    thresholds: Array


def curve(y: Any, scores: Any) -> RocCurve:
    """ROC curve from (0, 0), at an infinite threshold, to (1, 1).

    Parameters
    ----------
    y : array_like of 0/1, (N,)
    scores : array_like, (N,)
        The larger, the more positive; equal scores move together.

    Examples
    --------
    >>> curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).tpr
    array([0. , 0.5, 0.5, 1. , 1. ])
    """
    truth = positives(y, where="roc curve")
    values = scores_of(scores, truth.size, name="scores", where="roc curve")
    if values.ndim != 1:
        raise wrong_shape(values, "scores", "roc curve", "give one curve at a time.")
    order = np.argsort(-values, kind="stable")
    ordered = values[order]
    last = np.append(np.flatnonzero(np.diff(ordered)), truth.size - 1)  # last item of every distinct score
    hits = np.cumsum(truth[order])[last]
    alarms = last + 1 - hits
    p = int(truth.sum())
    return RocCurve(
        fpr=np.append(0.0, alarms / (truth.size - p)),
        tpr=np.append(0.0, hits / p),
        thresholds=np.append(np.inf, ordered[last]),
    )


def auc(y: Any, scores: Any) -> Any:
    """Area under the ROC curve: the chance that a positive scores above a negative, ties counted half.

    Parameters
    ----------
    y : array_like of 0/1, (N,)
    scores : array_like, (..., N)
        The larger, the more positive.

    References
    ----------
    Hanley and McNeil 1982.

    Examples
    --------
    >>> auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    truth = positives(y, where="auc")
    values = scores_of(scores, truth.size, name="scores", where="auc")
    p = int(truth.sum())
    n = truth.size - p
    area = (average_ranks(values)[..., truth].sum(axis=-1) - p * (p + 1) / 2.0) / (p * n)
    return area if area.ndim else float(area)


# Truth and scores of a two-class problem.


def positives(y: Any, *, where: str) -> npt.NDArray[np.bool_]:
    """Take the truth as 0/1 with both classes present."""
    truth = zero_one(y, name="y", where=where)
    if truth.ndim != 1 or not 0 < truth.sum() < truth.size:
        raise InputError(
            f"y has the shape {truth.shape} and {int(truth.sum())} positives.",
            f"{where}, argument y",
            "give one 0 or 1 per item, with both classes present.",
        )
    return np.asarray(truth == 1)


def scores_of(scores: Any, items: int, *, name: str, where: str) -> Array:
    """Take scores (..., items): the larger, the more positive."""
    array = numbers(scores, name=name, where=where)
    if array.ndim < 1 or array.shape[-1] != items:
        raise InputError(
            f"{name} has the shape {array.shape} for {items} items.",
            f"{where}, argument {name}",
            "give one score per item, in the order of y.",
        )
    return array


def rates(y: Any, scores: Any, thresholds: Any) -> Array:
    """Return (tpr, fpr) at every threshold, shape (s, 2): items scoring at least the threshold are called positive.

    Parameters
    ----------
    y : array_like of 0/1, (N,)
    scores : array_like, (N,)
        The larger, the more positive.
    thresholds : array_like, (s,)

    Examples
    --------
    >>> rates([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], [0.3, 0.5])
    array([[1. , 0.5],
           [0.5, 0. ]])
    """
    where = "rates"
    truth = positives(y, where=where)
    values = scores_of(scores, truth.size, name="scores", where=where)
    if values.ndim != 1:
        raise wrong_shape(values, "scores", where, "give one list of scores.")
    cuts = thresholds_of(thresholds, where=where)
    sides = (np.sort(values[truth]), np.sort(values[~truth]))
    return np.stack([1.0 - np.searchsorted(side, cuts) / side.size for side in sides], axis=-1)


def thresholds_of(thresholds: Any, *, where: str) -> Array:
    """Take a list of at least one threshold, in increasing order without repeats."""
    cuts = numbers(thresholds, name="thresholds", where=where)
    if cuts.ndim != 1 or cuts.size == 0:
        raise wrong_shape(cuts, "thresholds", where, "give a list such as [0.3, 0.5].")
    return np.unique(cuts)


def folds_of(labels: Any, scores: Any, *, name: str, where: str) -> list[tuple[Any, Any]]:
    """Take folds of truth and scores, of any sizes, at least two of them."""
    if not all(isinstance(part, Sequence | np.ndarray) for part in (labels, scores)) or len(labels) != len(scores):
        raise InputError(
            f"labels and {name} do not have the same folds.",
            f"{where}, arguments labels and {name}",
            "give both as lists with one list of items per fold.",
        )
    if len(labels) < 2 or any(np.ndim(fold) != 1 for fold in [*labels, *scores]):
        raise InputError(
            f"labels has {len(labels)} entries that are not all lists of items.",
            f"{where}, argument labels",
            "give at least two folds, each a list of items.",
        )
    return list(zip(labels, scores, strict=True))


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
