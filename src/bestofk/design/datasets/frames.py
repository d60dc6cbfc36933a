"""Data frames of any library: pandas, polars, Arrow and whatever else narwhals knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.extras import need
from bestofk.design.datasets.table import Cells, Table, distinct

SOURCE = "data frame"


def is_frame(source: Any) -> bool:
    """Say whether an object is a data frame; loads nothing for those that cannot be one."""
    if isinstance(source, np.ndarray | list | tuple | dict | str):
        return False
    narwhals = need("narwhals", purpose="reading data frames")
    try:
        native = narwhals.from_native(source, pass_through=True)
    except narwhals.exceptions.DuplicateError:
        return True  # a frame with repeated names, refused when it is read
    return isinstance(native, narwhals.DataFrame | narwhals.LazyFrame)


def is_series(source: Any) -> bool:
    """Say whether an object is one column of a data frame."""
    if isinstance(source, np.ndarray | list | tuple | dict | str):
        return False
    narwhals = need("narwhals", purpose="reading data frames")
    native = narwhals.from_native(source, pass_through=True, allow_series=True)
    return isinstance(native, narwhals.Series)


def table_of_frame(frame: Any, name: str, source: str = SOURCE) -> Table:
    """Return the columns of a data frame; numbers by their type, all else as values."""
    narwhals = need("narwhals", purpose="reading data frames")
    where = f"data set {name}, {source}"
    if hasattr(frame, "iloc"):
        # narwhals would answer repeated names and several levels of names with errors of its own
        named = distinct(_single(frame.columns, where), where)
        if list(frame.columns) != named:  # pandas numbers columns that nobody named
            frame = frame.set_axis(named, axis=1)
    opened = narwhals.from_native(frame)
    if isinstance(opened, narwhals.LazyFrame):
        opened = opened.collect()
    names = distinct(opened.columns, where)
    if not len(opened):
        raise InputError("the data frame has no rows.", where, "give one row per example.")
    columns, refused = {}, {}
    for heading, text in zip(opened.columns, names, strict=True):
        columns[text] = _cells(opened[heading])
        if kind := _unreadable(opened[heading].dtype, narwhals):
            refused[text] = kind
    native = opened.to_native()
    # a copy where frames can change: folds are run later
    return Table(name, source, columns, raw=native.copy() if hasattr(native, "iloc") else native, refused=refused)


def _single(columns: Any, where: str) -> Any:
    if getattr(columns, "nlevels", 1) > 1:
        raise InputError(
            f"the columns have {columns.nlevels} levels of names.", where, "join them: frame.columns.map('_'.join)."
        )
    return columns


def values_of_series(series: Any) -> Cells:
    """Return the values of one column."""
    narwhals = need("narwhals", purpose="reading data frames")
    return _cells(narwhals.from_native(series, series_only=True))


def _cells(column: Any) -> Cells:
    narwhals = need("narwhals", purpose="reading data frames")
    if column.dtype.is_numeric():
        return np.array(column.cast(narwhals.Float64).to_numpy(), dtype=np.float64)
    missing = column.is_null().to_list()
    values = [None if gone else value for value, gone in zip(column.to_list(), missing, strict=True)]
    # Numbers that their owner calls categories are categories.
    called = isinstance(column.dtype, narwhals.Categorical | narwhals.Enum)
    return [None if value is None else str(value) for value in values] if called else values


def _unreadable(kind: Any, narwhals: Any) -> str | None:
    if kind.is_temporal():
        return "dates or times"
    if isinstance(kind, narwhals.List | narwhals.Struct | narwhals.Array | narwhals.Binary):
        return f"{kind} values"
    return None
