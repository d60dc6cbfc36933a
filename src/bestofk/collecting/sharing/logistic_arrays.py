"""Residuals of many logistic regressions in numpy: what ``logistic_loops`` does, where there is no numba."""

from __future__ import annotations

from typing import Any

import numpy as np


def two_classes(scores: Any, y: Any, times: Any, present: Any, out: Any) -> None:
    """Probability less label of every row in every model, times how often the model trains on the row."""
    out[:] = times * (1.0 / (1.0 + np.exp(np.clip(-scores, -700.0, 700.0))) - y)


def several_classes(scores: Any, y: Any, times: Any, present: Any, out: Any) -> None:
    """The same with one score per class, the classes of the first model first."""
    each = _by_class(scores, present)
    power = np.exp(each - each.max(axis=1, keepdims=True))
    power *= (times / power.sum(axis=1))[:, None, :]
    power[:, y, np.arange(len(y))] -= times
    out[:] = power.reshape(scores.shape)


def settled(scores: Any, moved: Any, tests: Any, present: Any, ahead: float, hints: Any) -> Any:
    """Models in which every test row's best class is ahead by so many times what the step changes."""
    starts, rows = tests
    each = scores.shape[0] // len(present)
    changes = np.abs(moved).reshape(len(present), each, -1).max(axis=1)
    if each == 1:
        margins = np.abs(scores)
    else:
        two = np.partition(_by_class(scores, present), -2, axis=1)[:, -2:]
        margins = two[:, 1] - two[:, 0]
    parts = [rows[starts[m] : starts[m + 1]] for m in range(len(present))]
    return np.array([bool((margins[m, part] > ahead * changes[m, part]).all()) for m, part in enumerate(parts)])


def winners(scores: Any, model: int, rows: Any, present: Any) -> Any:
    """The best class of some rows in one model."""
    if scores.shape[0] == len(present):
        return (scores[model, rows] > 0).astype(np.intp)
    return _by_class(scores, present)[model][:, rows].argmax(axis=0)


def _by_class(scores: Any, present: Any) -> Any:
    models, classes = present.shape
    return np.where(present[:, :, None], scores.reshape(models, classes, -1), -np.inf)
