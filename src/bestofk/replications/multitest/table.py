"""A data set as the learners of the paper see it: numbers, codes of nominal values, labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.design.datasets.dataset import Dataset

Labels: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Table:
    """Columns parted by type. A missing number is NaN, a missing code −1.

    ``columns`` keeps the order of the file: an index into ``numbers``, or ~index into ``codes``.
    ``whole`` says which number columns hold whole numbers only; ``levels`` how many values a nominal column declares.
    """

    numbers: Array
    codes: Labels
    levels: tuple[int, ...]
    columns: Labels
    whole: Flags
    y: Labels
    classes: int

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.y)


def table_of(dataset: Dataset) -> Table:
    """Part the columns of a classification data set by type."""
    if dataset.task != "classification":
        raise InputError(
            f"data set {dataset.name} has a number as its target.",
            f"data set {dataset.name}, {dataset.source}",
            "the learners of the MultiTest paper classify: give a target with classes.",
        )
    nominal = np.array([feature.nominal for feature in dataset.features])
    values = np.column_stack([np.asarray(feature.values, dtype=np.float64) for feature in dataset.features])
    numbers, codes = values[:, ~nominal], np.nan_to_num(values[:, nominal], nan=-1.0).astype(np.int64)
    place = np.where(nominal, ~(np.cumsum(nominal) - 1), np.cumsum(~nominal) - 1)
    whole = np.array([bool((part == np.floor(part)).all()) for part in _present(numbers)], dtype=bool)
    levels = tuple(len(feature.categories) for feature in dataset.features if feature.nominal)
    return Table(numbers, codes, levels, place, whole, dataset.y.astype(np.int64), len(dataset.classes))


def _present(numbers: Array) -> list[Array]:
    return [column[~np.isnan(column)] for column in numbers.T]
