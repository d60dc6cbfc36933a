"""Raw rows for learners that prepare data themselves."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from bestofk.core.extras import available
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.encoding.matrices import matrices_of
from bestofk.design.folds.base import Rows

_MADE: WeakKeyDictionary[Dataset, Any] = WeakKeyDictionary()


def raw_rows(dataset: Dataset, rows: Rows) -> Any:
    """Return rows of what the user gave, an array or a data frame.

    Where that is a file, numbers alone are a matrix; with categories it is a pandas frame, which pipelines that choose
    columns by name need, or an array of objects where there is no pandas.
    """
    raw = _made(dataset) if dataset.raw is None else dataset.raw
    if hasattr(raw, "iloc"):
        return raw.iloc[rows]
    is_arrow = hasattr(raw, "take") and hasattr(raw, "column_names")
    return raw.take(rows) if is_arrow else raw[rows]


def _made(dataset: Dataset) -> Any:
    if not any(feature.nominal for feature in dataset.features):
        return matrices_of(dataset).numbers
    if dataset not in _MADE:
        _MADE[dataset] = _mixed({feature.name: _values(feature) for feature in dataset.features})
    return _MADE[dataset]


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
