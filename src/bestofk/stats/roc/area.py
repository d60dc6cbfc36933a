"""Area under the ROC curve."""

from __future__ import annotations

from typing import Any

from bestofk.stats.ranks import average_ranks
from bestofk.stats.roc.labels import positives, scores_of


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
