"""Folds that take the order of the rows for time, and data sets that do not say that it is."""

from __future__ import annotations

from collections.abc import Iterable

from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Folds


def notes_on_order(folds: Folds, datasets: Iterable[Dataset]) -> list[str]:
    """Say, data set by data set, that the order of rows is taken for time where nobody said that it is."""
    if not getattr(folds, "in_order", False):
        return []
    return [
        f"{folds.spec} takes the order of the rows of {each.name} for time; say ordered = true if it is, or choose "
        "folds that shuffle, such as 5x2."
        for each in datasets
        if not each.ordered
    ]
