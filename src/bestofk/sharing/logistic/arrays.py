"""Rows of many logistic regressions in numpy: what ``loops`` does, where there is no numba."""

from __future__ import annotations

from typing import Any

import numpy as np


def two_classes(scores: Any, y: Any, times: Any, which: Any, present: Any, first: int) -> None:
    """Scores become residuals: probability less label, times how often the model trains on the row."""
    part = slice(first, first + scores.shape[1])
    scores[:] = times[which, part] * (1.0 / (1.0 + np.exp(np.clip(-scores, -80.0, 80.0))) - y[part])


def several_classes(scores: Any, y: Any, times: Any, which: Any, present: Any, first: int) -> None:
    """The same with one score per class, the classes of the first model first."""
    part = slice(first, first + scores.shape[1])
    each, often = _by_class(scores, present), times[which, part]
    power = np.exp(each - each.max(axis=1, keepdims=True))
    power *= (often / power.sum(axis=1))[:, None, :]
    power[:, y[part], np.arange(scores.shape[1])] -= often
    scores[:] = power.reshape(scores.shape)


def settled(scores: Any, moved: Any, tests: Any, which: Any, present: Any, ahead: float, hints: Any) -> Any:
    """Models in which every test row's best class is ahead by so many times what the step changes.

    ``hints`` remember the row of each model that is least ahead.
    """
    starts, rows = tests
    each = scores.shape[0] // len(present)
    changes = np.abs(moved).reshape(len(present), each, -1)
    if each == 1:
        margins, change = np.abs(scores), changes[:, 0]
    else:
        two = np.partition(_by_class(scores, present), -2, axis=1)[:, -2:]
        margins, change = two[:, 1] - two[:, 0], np.where(present[:, :, None], changes, 0.0).max(axis=1)
    out = np.ones(len(present), dtype=bool)
    for place, model in enumerate(which):
        part = rows[starts[model] : starts[model + 1]]
        times = margins[place, part] / np.maximum(change[place, part], 1e-300)
        out[place], hints[model] = times.min() > ahead, part[times.argmin()]
    return out


def winners(scores: Any, model: int, rows: Any, present: Any) -> Any:
    """The best class of some rows in one model."""
    if scores.shape[0] == len(present):
        return (scores[model, rows] > 0).astype(np.intp)
    return _by_class(scores, present)[model][:, rows].argmax(axis=0)


def back(turned: Any, which: Any, slots: Any, steps: Any, changes: Any, inverses: Any, shares: Any) -> None:
    """First loop of limited-memory BFGS, the latest step first."""
    for slot in slots[::-1]:
        shares[slot] = inverses[slot, which] * np.einsum("ij,ij->i", steps[slot, which], turned)
        turned -= shares[slot][:, None] * changes[slot, which]


def forth(turned: Any, which: Any, slots: Any, steps: Any, changes: Any, inverses: Any, shares: Any) -> None:
    """Second loop of limited-memory BFGS, the oldest step first."""
    for slot in slots:
        share = shares[slot] - inverses[slot, which] * np.einsum("ij,ij->i", changes[slot, which], turned)
        turned += share[:, None] * steps[slot, which]


def _by_class(scores: Any, present: Any) -> Any:
    models, classes = present.shape
    return np.where(present[:, :, None], scores.reshape(models, classes, -1), -np.inf)
