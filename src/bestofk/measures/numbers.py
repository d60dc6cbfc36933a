"""Measures of regression, from true and predicted numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError


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
