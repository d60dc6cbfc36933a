"""True and false positive rates at given thresholds, fold by fold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError
from bestofk.stats.roc.curve import positives, scores_of


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
        raise InputError(
            f"scores has the shape {values.shape}.", f"{where}, argument scores", "give one list of scores."
        )
    cuts = thresholds_of(thresholds, where=where)
    sides = (np.sort(values[truth]), np.sort(values[~truth]))
    return np.stack([1.0 - np.searchsorted(side, cuts) / side.size for side in sides], axis=-1)


def thresholds_of(thresholds: Any, *, where: str) -> Array:
    """Take a list of at least one threshold, in increasing order without repeats."""
    cuts = numbers(thresholds, name="thresholds", where=where)
    if cuts.ndim != 1 or cuts.size == 0:
        raise InputError(
            f"thresholds has the shape {cuts.shape}.",
            f"{where}, argument thresholds",
            "give a list such as [0.3, 0.5].",
        )
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
