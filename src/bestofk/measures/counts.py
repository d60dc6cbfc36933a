"""Measures from confusion counts, (..., C, C): rows are the truth, columns the prediction.

A fold without counts (it failed) gives NaN. Where a ratio has nothing below the line it is 0, as in scikit-learn;
classes that occur neither in the truth nor among the predictions of a fold do not enter its averages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bestofk.core.arrays import Array


def accuracy(counts: Any) -> Array:
    """Share of rows predicted right."""
    table = _table(counts)
    return _of_counted(table, _ratio(_right(table).sum(-1), table.sum((-2, -1))))


def error(counts: Any) -> Array:
    """Share of rows predicted wrong."""
    table = _table(counts)
    total = table.sum((-2, -1))
    return _of_counted(table, _ratio(total - _right(table).sum(-1), total))


def class_precision(counts: Any) -> Array:
    """Of the rows predicted to be of each class, the share that is: (..., C)."""
    table = _table(counts)
    return _of_counted(table, _ratio(_right(table), table.sum(-2)))


def class_recall(counts: Any) -> Array:
    """Of the rows of each class, the share that was predicted so: (..., C)."""
    table = _table(counts)
    return _of_counted(table, _ratio(_right(table), table.sum(-1)))


def class_f1(counts: Any) -> Array:
    """Harmonic mean of precision and recall of each class: (..., C)."""
    table = _table(counts)
    return _of_counted(table, _ratio(2.0 * _right(table), table.sum(-2) + table.sum(-1)))


def class_missed(counts: Any) -> Array:
    """Of the rows of each class, the share that was predicted otherwise: (..., C)."""
    table = _table(counts)
    rows = table.sum(-1)
    return _of_counted(table, _ratio(rows - _right(table), rows))


def balanced_accuracy(counts: Any) -> Array:
    """Mean recall of the classes that occur in the truth."""
    table = _table(counts)
    return _mean_over(class_recall(table), table.sum(-1) > 0)


def macro(shares: Callable[[Any], Array]) -> Callable[[Any], Array]:
    """The mean of the shares of all classes, as a measure."""
    return lambda counts: _mean_over(shares(counts), _occurs(counts))


def kappa(counts: Any) -> Array:
    """Cohen's kappa: agreement beyond chance; 0 where chance alone would agree everywhere."""
    table = _table(counts)
    total = table.sum((-2, -1))
    by_chance = (table.sum(-1) * table.sum(-2)).sum(-1)
    observed = total * _right(table).sum(-1)
    return _of_counted(table, _ratio(observed - by_chance, total * total - by_chance))


def mcc(counts: Any) -> Array:
    """Correlation of truth and prediction after Matthews, for any number of classes; 0 where one never varies."""
    table = _table(counts)
    total, truth, predicted = table.sum((-2, -1)), table.sum(-1), table.sum(-2)
    together = _right(table).sum(-1) * total - (truth * predicted).sum(-1)
    spreads = (total**2 - (truth**2).sum(-1)) * (total**2 - (predicted**2).sum(-1))
    return _of_counted(table, _ratio(together, np.sqrt(spreads)))


def of_class(shares: Callable[[Any], Array], code: int) -> Callable[[Any], Array]:
    """One of the shares of all classes, as a measure."""
    return lambda counts: shares(counts)[..., code]


def _table(counts: Any) -> Array:
    return np.asarray(counts, dtype=np.float64)


def _right(table: Array) -> Array:
    return np.asarray(np.diagonal(table, axis1=-2, axis2=-1))


def _occurs(counts: Any) -> Any:
    table = _table(counts)
    return table.sum(-1) + table.sum(-2) > 0


def _ratio(above: Any, below: Any) -> Array:
    return np.asarray(np.divide(above, below, out=np.zeros(np.shape(above)), where=np.asarray(below) != 0))


def _of_counted(table: Array, values: Array) -> Array:
    """NaN where nothing was counted at all."""
    empty = table.sum((-2, -1)) == 0
    return np.where(empty if values.ndim == empty.ndim else empty[..., None], np.nan, values)


def _mean_over(values: Array, chosen: Any) -> Array:
    count = chosen.sum(-1)
    total = np.where(chosen, values, 0.0).sum(-1)
    return np.asarray(np.divide(total, count, out=np.full(np.shape(total), np.nan), where=count > 0))


def undefined_mcc(truth: Array, said: Array) -> Any:
    """Whether one class is all of the truth, or all that is predicted."""
    return ((truth > 0).sum(axis=-1) <= 1) | ((said > 0).sum(axis=-1) <= 1)


def undefined_kappa(truth: Array, said: Array) -> Any:
    """Whether truth and predictions are one and the same class."""
    return (truth + said > 0).sum(axis=-1) <= 1


def undefined_recalls(truth: Array, said: Array) -> Array:
    """The part of the classes that occur in a fold whose recall has nothing below the line."""
    number = ((truth + said) > 0).sum(axis=-1)
    return np.asarray(((truth == 0) & (said > 0)).sum(axis=-1) / np.maximum(number, 1))
