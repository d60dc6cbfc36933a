"""Test sets so small that one says next to nothing."""

from __future__ import annotations

from collections.abc import Iterable

from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Folds

_ERROR = {
    "classification": "its error can only be 0 or 1",
    "regression": "its error is that of one row, and r2 is undefined",
}


def notes_on_small_tests(folds: Folds, datasets: Iterable[Dataset], seed: int) -> list[str]:
    """Say, data set by data set, that a fold tests on a single row, and what that makes of its error."""
    return [
        f"{folds.spec} tests on a single row of {each.name} in a fold: {_ERROR[each.task]}; ask for a larger "
        "share, or for fewer folds."
        for each in datasets
        if min(len(fold.test) for fold in folds.split(each, 0, seed)) == 1
    ]
