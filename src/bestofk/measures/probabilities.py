"""Measures from probabilities: codes of the true classes (rows,), and one probability per class (rows, C)."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.stats.ranks import average_ranks

#: Rows of probabilities may miss the sum 1 by rounding of single precision.
ROUNDING = 1e-4


def log_loss(truth: Any, probabilities: Any) -> float:
    """Mean negative logarithm of the probability of the true class, kept from 0 as scikit-learn does."""
    return float(log_losses(*_checked("log_loss", truth, probabilities)).mean())


def log_losses(codes: Any, table: Array) -> Array:
    """Negative logarithm of the probability of the true class, row by row; NaN where it is missing."""
    tiny = np.finfo(table.dtype).eps
    return np.asarray(-np.log(np.clip(table[np.arange(len(codes)), codes], tiny, 1.0 - tiny)))


def brier(truth: Any, probabilities: Any) -> float:
    """Mean squared distance from the truth; of the second class alone for two classes, summed over all for more."""
    return float(brier_scores(*_checked("brier", truth, probabilities)).mean())


def brier_scores(codes: Any, table: Array) -> Array:
    """Squared distance from the truth, row by row; NaN where a probability is missing."""
    squares = (table - np.eye(table.shape[1])[codes]) ** 2
    return np.asarray((squares[:, 1:] if table.shape[1] == 2 else squares).sum(axis=1))


def auc(truth: Any, probabilities: Any) -> float:
    """Area under the ROC curve of the second class; for more classes the mean of each against the rest."""
    codes, table = _checked("auc", truth, probabilities)
    present = np.unique(codes)
    if len(present) < 2:
        raise InputError(
            "auc needs two classes among the rows tested on; there is one.",
            "measure auc",
            "use stratified folds, or fewer of them.",
        )
    if table.shape[1] == 2:
        return _area(codes == 1, table[:, 1])
    return float(np.mean([_area(codes == code, table[:, code]) for code in present]))


def widened(probabilities: Any, seen: Any, classes: int) -> Array:
    """Return probabilities with a column for every class: 0 for those that the learner was not trained on."""
    wide = np.zeros((len(probabilities), classes))
    wide[:, np.asarray(seen, dtype=np.intp)] = probabilities
    return wide


def _area(positive: Any, scores: Array) -> float:
    """Mann and Whitney's statistic as a share: ties count one half."""
    count = int(positive.sum())
    ranks = average_ranks(scores)[positive].sum()
    return float((ranks - count * (count + 1) / 2) / (count * (len(scores) - count)))


def _checked(name: str, truth: Any, probabilities: Any) -> tuple[Any, Array]:
    codes, table = np.asarray(truth).astype(np.intp), np.asarray(probabilities, dtype=np.float64)
    if (
        table.ndim != 2
        or len(table) != len(codes)
        or not len(codes)
        or codes.min() < 0
        or codes.max() >= table.shape[1]
    ):
        raise InputError(
            f"{len(codes)} rows have probabilities of the shape {table.shape}.",
            f"measure {name}",
            "give one row per true class and one column per class.",
        )
    sums = table.sum(axis=1)
    wrong = ~((table >= 0).all(axis=1) & (np.abs(sums - 1.0) <= ROUNDING))
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise InputError(
            f"the probabilities of row {row + 1} are {np.array2string(table[row], precision=4, threshold=6)}.",
            f"measure {name}",
            "give probabilities from 0 to 1 that add up to 1.",
        )
    return codes, table
