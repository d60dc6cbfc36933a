"""The features of a data set as two matrices, made once, numbers and codes of categories; and its raw rows."""

from __future__ import annotations

from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.extras import available
from bestofk.core.frozen import frozen
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.folds.base import Rows

Codes = npt.NDArray[np.intp]


@frozen(eq=False)
class Matrices:
    """``codes`` are -1 where missing; ``offsets`` number the categories of all nominal features through."""

    numbers: Array
    codes: Codes
    is_nominal: npt.NDArray[np.bool_]
    sizes: Codes

    @cached_property
    def nominal(self) -> int:
        """Number of nominal features."""
        return int(self.codes.shape[1])

    @cached_property
    def gaps(self) -> bool:
        """Whether some number is missing."""
        return bool(np.isnan(self.numbers).any())

    @cached_property
    def offsets(self) -> Codes:
        """Number of categories of the nominal features before each."""
        return np.cumsum(self.sizes) - self.sizes

    def counts(self, rows: Rows) -> Codes:
        """How often each category of each nominal feature occurs in the rows."""
        codes = self.codes[rows]
        return np.bincount((codes + self.offsets)[codes >= 0], minlength=int(self.sizes.sum()))

    def modes(self, counts: Codes) -> Codes:
        """The most frequent category of each nominal feature, the first of equals; -1 where all are missing."""
        parts = (counts[start : start + size] for start, size in zip(self.offsets, self.sizes, strict=True))
        return np.array([part.argmax() if part.any() else -1 for part in parts], dtype=np.intp)

    def medians(self, rows: Rows) -> Array:
        """The median of each number; 0 where all are missing in the rows, for then it tells nothing."""
        numbers = self.numbers[rows]
        empty = np.isnan(numbers).all(axis=0)
        return np.nanmedian(np.where(empty, 0.0, numbers), axis=0)


_KNOWN: WeakKeyDictionary[Dataset, Matrices] = WeakKeyDictionary()


def matrices_of(dataset: Dataset) -> Matrices:
    """Return the matrices of a data set, made at the first call."""
    if dataset not in _KNOWN:
        _KNOWN[dataset] = _made(dataset)
    return _KNOWN[dataset]


def _made(dataset: Dataset) -> Matrices:
    nominal = [feature for feature in dataset.features if feature.nominal]
    numbers = [feature.values for feature in dataset.features if not feature.nominal]
    codes = [np.nan_to_num(feature.values, nan=-1.0).astype(np.intp) for feature in nominal]
    return Matrices(
        np.column_stack(numbers) if numbers else np.zeros((dataset.rows, 0)),
        np.column_stack(codes) if codes else np.zeros((dataset.rows, 0), dtype=np.intp),
        np.array([feature.nominal for feature in dataset.features]),
        np.array([len(feature.categories) for feature in nominal], dtype=np.intp),
    )


_RAW: WeakKeyDictionary[Dataset, Any] = WeakKeyDictionary()


def raw_rows(dataset: Dataset, rows: Rows) -> Any:
    """Return rows of what the user gave, an array or a data frame.

    Where that is a file, numbers alone are a matrix; with categories it is a pandas frame, which pipelines that choose
    columns by name need, or an array of objects where there is no pandas.
    """
    raw = _raw(dataset) if dataset.raw is None else dataset.raw
    if hasattr(raw, "iloc"):
        return raw.iloc[rows]
    is_arrow = hasattr(raw, "take") and hasattr(raw, "column_names")
    return raw.take(rows) if is_arrow else raw[rows]


def _raw(dataset: Dataset) -> Any:
    if not any(feature.nominal for feature in dataset.features):
        return matrices_of(dataset).numbers
    if dataset not in _RAW:
        _RAW[dataset] = _mixed({feature.name: _values(feature) for feature in dataset.features})
    return _RAW[dataset]


def _mixed(columns: dict[str, Any]) -> Any:
    if available("pandas"):
        import pandas

        return pandas.DataFrame(columns)
    return np.column_stack([np.asarray(values, dtype=object) for values in columns.values()])


def _values(feature: Feature) -> Any:
    if not feature.nominal:
        return feature.values
    codes = np.nan_to_num(feature.values, nan=-1.0).astype(np.intp)
    return np.array([*feature.categories, np.nan], dtype=object)[codes]
