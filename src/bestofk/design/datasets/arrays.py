"""``(X, y)``: arrays, lists, data frames and series."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.design.datasets.columns import is_missing
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.datasets.table import DATA, DataTable, Wishes, dataset_of_parts
from bestofk.tables.columns import column_of
from bestofk.tables.frames import collected, column_from_series, is_frame, is_series, table_from_frame
from bestofk.tables.table import Column, Numbers, column_names

SOURCE = "arrays"


def dataset_of_arrays(X: Any, y: Any, wishes: Wishes, *, names: Any = None, source: str = SOURCE) -> Dataset:
    """Return the data set of features X, one row each, and targets y."""
    name = wishes.name or "data"
    where = f"data set {name}, {source}"
    table = table_of_frame(X, name, source) if is_frame(X) else _table_of_matrix(X, name, names, source)
    named = wishes.target or (str(y.name) if is_series(y) and y.name is not None else None)
    target = named or "class"  # in fingerprints; people know it as y
    cells = _target_column(y, target, where)
    rows, length = len(next(iter(table.columns.values()), ())), len(cells)
    if length != rows:
        raise InputError(
            f"X has {rows} rows and y has {length} values.", where, "give one value of y for each row of X."
        )
    return dataset_of_parts(table, cells, target, wishes, called="y" if named is None else "")


def table_of_frame(frame: Any, name: str, source: str = "data frame") -> DataTable:
    """Return the columns of a data frame, and a copy of the frame itself: folds are run later."""
    try:
        native = collected(frame)
        table = table_from_frame(native, DATA)
    except InputError as error:
        raise InputError(error.wrong, f"data set {name}, {error.where}", error.fix) from None
    if hasattr(native, "iloc"):
        native = native.copy()
        native.columns = column_names(native.columns, source, DATA)  # pandas numbers columns that nobody named
    return DataTable(name, source, table.columns, raw=native, refused=table.left_out)


def _table_of_matrix(X: Any, name: str, names: Any, source: str) -> DataTable:
    where = f"data set {name}, {source}"
    matrix = _matrix(X, where)
    headings = column_names(names if names is not None else [f"x{i}" for i in range(matrix.shape[1])], where, DATA)
    columns = {heading: _column(matrix[:, i], heading, where) for i, heading in enumerate(headings)}
    return DataTable(name, source, columns, raw=matrix)


def _matrix(X: Any, where: str) -> np.typing.NDArray[Any]:
    if hasattr(X, "toarray"):
        raise InputError("X is a sparse matrix.", where, "give X.toarray(), or fewer columns.")
    if isinstance(X, np.ma.MaskedArray):
        raise InputError("X is a masked array.", where, "fill the gaps with NaN: X.filled(numpy.nan).")
    try:
        matrix = np.array(X)  # a copy: the caller's own array may change before the folds are run
        if matrix.dtype.kind in "US" and not isinstance(X, np.ndarray):
            matrix = np.array(X, dtype=object)  # lists of numbers and text: numpy would write the numbers as text
    except ValueError:
        raise InputError("the rows of X have unequal lengths.", where, "give rows of equal length.") from None
    if matrix.ndim != 2 or not matrix.shape[1]:
        raise InputError(
            f"X has the shape {matrix.shape}.", where, "give a table: rows × columns, X.reshape(-1, 1) for one column."
        )
    if matrix.dtype.kind not in "biufOUS":
        raise InputError(
            f"X holds {matrix.dtype} values, neither numbers nor categories.",
            where,
            "turn them into numbers.",
        )
    return matrix


def _target_column(y: Any, name: str, where: str) -> Column:
    if is_series(y):
        return _plain(column_from_series(y, name, DATA), name, where)
    if isinstance(y, str) or np.ndim(y) == 0:
        raise InputError(f"y is {y!r}.", where, "give one target value per row.")
    values = np.asarray(y, dtype=object if isinstance(y, list | tuple) else None)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise InputError(f"y has the shape {values.shape}.", where, "give one target value per row.")
    return _column(values, name, where)


def _column(values: np.typing.NDArray[Any], name: str, where: str) -> Column:
    if values.dtype.kind in "iuf":
        return Numbers(np.array(values, dtype=np.float64))
    cells = [value.decode(errors="replace") if isinstance(value, bytes) else value for value in values.tolist()]
    plain = [None if is_missing(value) else value for value in cells]
    return _plain(column_of(name, plain, DATA, lambda row: where), name, where)


def _plain(column: Column | str, name: str, where: str) -> Column:
    if isinstance(column, str):
        raise InputError(
            f"{name} holds {column}, which are neither numbers nor categories.", where, "turn them into one of these."
        )
    return column
