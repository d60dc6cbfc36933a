"""Measures of all classes at once, which need no positive one: accuracy, balanced accuracy, kappa, mcc, macro means."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.names import plain
from bestofk.evidence.item_folds import ItemFolds
from bestofk.evidence.items import Items
from bestofk.measures.catalogue import MEASURES, Measure
from bestofk.measures.checks import measure_of
from bestofk.measures.count_columns import undefined_share


def measure_of_all_classes(name: str) -> Measure | None:
    """A registered measure of the counts of all classes; None where it is none, or needs a positive class."""
    if plain(name) not in MEASURES:
        return None
    measure = measure_of(plain(name))
    return measure if measure.needs == "counts" and measure.classes is None else None


def names_of_all_classes() -> list[str]:
    """Registered measures that need no positive class."""
    return [name for name in MEASURES if measure_of_all_classes(name) is not None]


def of_all_classes(items: Items, classes: tuple[str, ...], folds: ItemFolds, name: str) -> Array | None:
    """Such a measure of every fold, (learners, 1, replications, folds); NaN where a prediction is missing."""
    measure = measure_of_all_classes(name)
    return None if measure is None else _of_folds(items, classes, folds, measure.compute)


def undefined_of_all_classes(items: Items, classes: tuple[str, ...], folds: ItemFolds, name: str) -> Array:
    """How much of it is 0/0 in every fold, in the same shape."""
    return _of_folds(items, classes, folds, partial(undefined_share, measure_of(plain(name))))


def _of_folds(
    items: Items, classes: tuple[str, ...], folds: ItemFolds, compute: Callable[[Array], float | Array]
) -> Array:
    codes = {label: code for code, label in enumerate(classes)}
    truth = np.array([codes[label] for label in items.truth or ()])
    said = np.array([[codes.get(label, -1) for label in (items.predictions or {})[each]] for each in items.learners])
    found = [[_of_fold(compute, truth[fold], row[fold], len(classes)) for fold in folds.places] for row in said]
    return np.array(found).reshape(len(items.learners), 1, *folds.shape)


def _of_fold(compute: Callable[[Array], float | Array], truth: Array, said: Array, classes: int) -> float:
    if (said < 0).any() or not truth.size:
        return float("nan")
    counts = np.bincount(truth * classes + said, minlength=classes * classes).astype(np.float64)
    return float(compute(counts.reshape(classes, classes)))
