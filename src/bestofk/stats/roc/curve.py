"""ROC curve."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.record import Record
from bestofk.stats.roc.labels import positives, scores_of


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
