"""Data frames of any library that narwhals knows: pandas, polars, Arrow tables, and lazy ones, which are collected."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.extras import need
from bestofk.evidence.columns import is_key_name
from bestofk.evidence.readers.assembly import assembled, row_number
from bestofk.evidence.readers.headings import column_names
from bestofk.evidence.readers.typed import column_of, finite
from bestofk.evidence.table import Column, Numbers, Table

SOURCE = "data frame"

_FRAME_CLASSES = frozenset({"DataFrame", "LazyFrame", "Table", "DuckDBPyRelation"})
_LIBRARIES = frozenset(
    {"pandas", "polars", "pyarrow", "narwhals", "modin", "cudf", "dask", "duckdb", "_duckdb", "ibis", "pyspark"}
)


def is_frame(candidate: object) -> bool:
    """Say whether an object is a data frame, by its class alone: nothing is imported.

    Examples
    --------
    >>> is_frame({"learner": ["lda"]})
    False
    """
    if isinstance(candidate, type):
        return False
    if hasattr(candidate, "__narwhals_dataframe__") or hasattr(candidate, "__narwhals_lazyframe__"):
        return True
    return any(
        each.__name__ in _FRAME_CLASSES and each.__module__.split(".")[0] in _LIBRARIES
        for each in type(candidate).__mro__
    )


def table_from_frame(frame: Any) -> Table:
    """Read a data frame; an index that is more than row numbers becomes leading columns."""
    series = list(_series(frame))
    names = column_names((heading for heading, _ in series), SOURCE)
    if series and not len(series[0][1]):
        raise InputError("the data frame has no rows.", SOURCE, "give one row per result.")
    return assembled(((name, _column(name, each)) for name, (_, each) in zip(names, series, strict=True)), SOURCE)


def _series(frame: Any) -> Iterator[tuple[object, Any]]:
    """Headings and columns, those of the index first; the columns as narwhals gives them."""
    narwhals = need("narwhals", purpose="reading data frames")
    native = narwhals.to_native(frame, pass_through=True)
    if _is_pandas_like(native):
        for heading, cells in _pandas_columns(native):
            yield heading, narwhals.from_native(cells, series_only=True)
        return
    column_names(getattr(native, "column_names", ()), SOURCE)  # Arrow allows a name twice, narwhals does not
    known = _eager(narwhals, native)
    for heading in known.columns:
        yield heading, known.get_column(heading)


def _is_pandas_like(native: Any) -> bool:
    return all(hasattr(native, name) for name in ("iloc", "index", "columns")) and not hasattr(native, "compute")


def _pandas_columns(native: Any) -> Iterator[tuple[object, Any]]:
    if not _counts_rows(native.index):
        for level in range(native.index.nlevels):
            cells = native.index.get_level_values(level)
            yield cells.name, cells.to_series()
    for position, heading in enumerate(native.columns):
        yield heading, native.iloc[:, position]  # by position: a name may appear twice, which is told later


def _counts_rows(index: Any) -> bool:
    return type(index).__name__ == "RangeIndex" and index.name is None


def _eager(narwhals: Any, native: Any) -> Any:
    try:
        known = narwhals.from_native(native)
        return known.collect() if isinstance(known, narwhals.LazyFrame) else known
    except TypeError:
        raise InputError(
            f"a {type(native).__name__} is no data frame that is known.", SOURCE, "give a pandas or polars one."
        ) from None
    except Exception as error:  # whatever the library raises when it works the lazy frame out
        raise InputError(
            f"the data frame cannot be worked out: {error}.", SOURCE, "collect it yourself, and give the result."
        ) from error


def _column(name: str, cells: Any) -> Column | None:
    narwhals = need("narwhals", purpose="reading data frames")

    def place(row: int) -> str:
        return f"{SOURCE}, {row_number(row)}, column {name}"

    kind = cells.dtype
    if isinstance(kind, narwhals.List | narwhals.Struct | narwhals.Array | narwhals.Binary):
        return None
    if (kind.is_numeric() or kind == narwhals.Boolean) and not is_key_name(name):
        values = np.array(cells.cast(narwhals.Float64).to_numpy(), dtype=np.float64)  # a copy: the frame may change
        return Numbers(finite(name, values, place))
    return column_of(name, _values(cells), place)


def _values(cells: Any) -> list[Any]:
    """Python values, None where the library says that one is missing: each has its own sign for that."""
    missing = cells.is_null().to_list()
    return [None if gone else value for value, gone in zip(cells.to_list(), missing, strict=True)]
