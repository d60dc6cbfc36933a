"""Measures from predictions row by row.

Of classes: codes of the true ones (rows,), and one probability per class (rows, C). Of regression: true and predicted
numbers, (rows,) each.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError

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
    below = np.sort(scores[~positive])
    wins = [np.searchsorted(below, scores[positive], side=side).sum() for side in ("left", "right")]
    return float(sum(wins) / 2 / (positive.sum() * len(below)))


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


def mse(truth: Any, predicted: Any) -> float:
    """Mean squared error."""
    return float((_errors("mse", truth, predicted) ** 2).mean())


def rmse(truth: Any, predicted: Any) -> float:
    """Root of the mean squared error."""
    return float(np.sqrt((_errors("rmse", truth, predicted) ** 2).mean()))


def mae(truth: Any, predicted: Any) -> float:
    """Mean absolute error."""
    return float(np.abs(_errors("mae", truth, predicted)).mean())


def r2(truth: Any, predicted: Any) -> float:
    """Share of the variance that is explained; where the truth does not vary, 1 if all is right and else 0."""
    unexplained = (_errors("r2", truth, predicted) ** 2).sum()
    values = np.asarray(truth, dtype=np.float64)
    if len(values) < 2:
        raise InputError(
            f"r2 needs two rows to test on; there is {len(values)}.", "measure r2", "use fewer folds, or mse."
        )
    variance = ((values - values.mean()) ** 2).sum()
    if variance == 0.0:
        return 1.0 if unexplained == 0.0 else 0.0
    return float(1.0 - unexplained / variance)


def _errors(name: str, truth: Any, predicted: Any) -> Array:
    values, guesses = np.asarray(truth, dtype=np.float64), np.asarray(predicted, dtype=np.float64)
    if values.ndim != 1 or values.shape != guesses.shape or not len(values):
        raise InputError(
            f"the truth has the shape {values.shape} and the prediction {guesses.shape}.",
            f"measure {name}",
            "predict one number for each row.",
        )
    if not np.isfinite(guesses).all():
        row = int(np.flatnonzero(~np.isfinite(guesses))[0])
        raise InputError(
            f"the prediction for row {row + 1} is {guesses[row]}.", f"measure {name}", "predict finite numbers."
        )
    return guesses - values
