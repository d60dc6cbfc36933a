"""ROC curve of scores on a two-class problem, and the area under it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, numbers, zero_one
from bestofk.core.errors import InputError
from bestofk.core.record import Record
from bestofk.stats.ranks import average_ranks


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
        raise InputError(
            f"scores has the shape {values.shape}.", "roc curve, argument scores", "give one curve at a time."
        )
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
