"""Residuals of many logistic regressions at once in numpy: what ``logistic_loops`` does, where there is no numba."""

from __future__ import annotations

from typing import Any

import numpy as np


def two_classes(scores: Any, y: Any, times: Any, out: Any) -> None:
    """Probability less label of every row in every model, times how often the model trains on the row."""
    with np.errstate(over="ignore"):
        out[:] = times * (1.0 / (1.0 + np.exp(-scores)) - y[:, None])


def several_classes(scores: Any, y: Any, times: Any, present: Any, out: Any) -> None:
    """The same with one score per class, the classes of the first model first."""
    models, classes = present.shape
    each = np.where(present, scores.reshape(len(scores), models, classes), -np.inf)
    power = np.exp(each - each.max(axis=2, keepdims=True))
    power *= (times / power.sum(axis=2))[:, :, None]
    power[np.arange(len(y)), :, y] -= times
    out[:] = power.reshape(scores.shape)
