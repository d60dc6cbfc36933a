"""Data frames of any library that narwhals knows, lazy ones too, and columns or rows of Python objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.core.errors import InputError, glimpse
from bestofk.core.extras import need
from bestofk.tables.cells import Purpose
from bestofk.tables.columns import DATES, Words, column_of, finite, float_of
from bestofk.tables.table import (
    MEASURED,
    Column,
    Numbers,
    Table,
    Text,
    assembled,
    column_names,
    fingerprint_of,
    row_number,
)

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


def table_from_frame(frame: Any, purpose: Purpose) -> Table:
    """Read a data frame; among results an index that is more than row numbers becomes leading columns.

    Columns with several levels of names become rows, and every level a column.
    """
    frame = _with_one_level(frame, purpose)
    series = list(_series(frame, purpose))
    names = column_names((heading for heading, _ in series), SOURCE, purpose)
    if series and not len(series[0][1]):
        raise InputError("the data frame has no rows.", SOURCE, f"give one row per {purpose.row}.")
    columns = ((name, _column(name, each, purpose)) for name, (_, each) in zip(names, series, strict=True))
    return assembled(columns, SOURCE, index=tuple(names[: _levels(frame, purpose)]))


def is_series(candidate: Any) -> bool:
    """Say whether an object is one column of a data frame."""
    if isinstance(candidate, np.ndarray | list | tuple | dict | str):
        return False
    narwhals = need("narwhals", purpose="reading data frames")
    return isinstance(narwhals.from_native(candidate, pass_through=True, allow_series=True), narwhals.Series)


def column_from_series(series: Any, name: str, purpose: Purpose) -> Column | str:
    """Return one column of a data frame, or what it holds that is no plain value."""
    narwhals = need("narwhals", purpose="reading data frames")
    return _column(name, narwhals.from_native(series, series_only=True), purpose)


def collected(frame: Any) -> Any:
    """Return the frame of its own library, worked out where it is a lazy one."""
    narwhals = need("narwhals", purpose="reading data frames")
    native = narwhals.to_native(frame, pass_through=True)
    return native if _is_pandas_like(native) else _eager(narwhals, native).to_native()


def _series(frame: Any, purpose: Purpose) -> Iterator[tuple[object, Any]]:
    """Headings and columns, those of the index before all others; the columns as narwhals gives them."""
    narwhals = need("narwhals", purpose="reading data frames")
    native = narwhals.to_native(frame, pass_through=True)
    if _is_pandas_like(native):
        for heading, cells in _pandas_columns(native, purpose):
            yield heading, narwhals.from_native(cells, series_only=True)
        return
    column_names(getattr(native, "column_names", ()), SOURCE, purpose)  # Arrow allows a name twice, narwhals does not
    known = _eager(narwhals, native)
    for heading in known.columns:
        yield heading, known.get_column(heading)


def _is_pandas_like(native: Any) -> bool:
    return all(hasattr(native, name) for name in ("iloc", "index", "columns")) and not hasattr(native, "compute")


def _pandas_columns(native: Any, purpose: Purpose) -> Iterator[tuple[object, Any]]:
    for level in range(_levels(native, purpose)):
        cells = native.index.get_level_values(level)
        yield cells.name, cells.to_series()
    for position, heading in enumerate(native.columns):
        yield heading, native.iloc[:, position]  # by position: a name may appear twice, which is told later


def _with_one_level(frame: Any, purpose: Purpose) -> Any:
    """A pandas frame whose columns have several levels, as one with a row for every cell; any other as it is.

    Levels are understood by their names, as columns are. One of them may have none: that of the measures.
    """
    native = need("narwhals", purpose="reading data frames").to_native(frame, pass_through=True)
    if not _is_pandas_like(native) or getattr(native.columns, "nlevels", 1) == 1:
        return frame
    names = list(native.columns.names)
    other = [place for place, name in enumerate(names) if name is None or not purpose.is_key(str(name))]
    if not purpose.lenient_names or len(other) > 1 or any(names[place] is not None for place in other):
        raise InputError(
            f"the columns have {len(names)} levels of names ({', '.join(map(str, names))}).",
            SOURCE,
            "join them: frame.columns = frame.columns.map('_'.join); results may name them: rename_axis(columns=[…]).",
        )
    named = ["measure" if name is None else name for name in names]
    return native.rename_axis(columns=named).melt(value_name="value" if other else MEASURED, ignore_index=False)


def _levels(frame: Any, purpose: Purpose) -> int:
    """How many columns the index of a frame becomes: none where it only counts the rows."""
    native = need("narwhals", purpose="reading data frames").to_native(frame, pass_through=True)
    if not _is_pandas_like(native) or not purpose.lenient_names or _counts_rows(native.index):
        return 0
    return int(native.index.nlevels)


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


def _column(name: str, cells: Any, purpose: Purpose) -> Column | str:
    narwhals = need("narwhals", purpose="reading data frames")

    def place(row: int) -> str:
        return f"{SOURCE}, {row_number(row)}, column {name}"

    kind = cells.dtype
    if isinstance(kind, narwhals.List | narwhals.Struct | narwhals.Array | narwhals.Binary):
        return f"{kind} values"
    if kind.is_temporal() and not purpose.dates:
        return DATES
    if (kind.is_numeric() or (kind == narwhals.Boolean and purpose.strict)) and not purpose.is_key(name):
        exact = cells if kind.is_integer() else cells.cast(narwhals.Float64)  # Arrow casts no large whole numbers
        values = np.array(exact.to_numpy(), dtype=np.float64)  # a copy: the frame may change
        return Numbers(finite(name, values, place) if purpose.strict else values)
    missing = cells.is_null().to_list()  # each library has its own sign for that
    plain = [None if gone else value for value, gone in zip(cells.to_list(), missing, strict=True)]
    if isinstance(kind, narwhals.Categorical | narwhals.Enum) and not purpose.strict:
        # Numbers that their owner calls categories are categories.
        return Words(purpose.dropped).column(["" if value is None else str(value) for value in plain])
    return column_of(name, plain, purpose, place)


def table_from_columns(columns: Mapping[str, Any], source: str, row_name: Callable[[int], str] | None = None) -> Table:
    """Return a table of equally long columns; anything that is not a number becomes a word."""
    made = {str(name): _column_of_values(values, str(name), source) for name, values in columns.items()}
    lengths = {name: len(c.codes if isinstance(c, Text) else c.values) for name, c in made.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise InputError(f"the columns have unequal lengths: {shown}.", source, "give columns of equal length.")
    table = Table(made, source, fingerprint_of(made))
    return table if row_name is None else replace(table, row_name=row_name)


def table_from_rows(rows: Sequence[Mapping[str, Any]], source: str) -> Table:
    """Return a table of rows given as dicts; a key that a row lacks is an empty cell."""
    names = list(dict.fromkeys(str(name) for row in rows for name in row))
    return table_from_columns({name: [row.get(name) for row in rows] for name in names}, source)


def _column_of_values(values: Any, name: str, source: str) -> Column:
    """Return one column: numbers where all are, words otherwise, gaps where None, NaN or masked."""
    hidden = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    raw = _one_axis(np.ma.getdata(values) if hidden is not None else values, name, source)
    if raw.dtype.kind in "iuf" or (raw.dtype.kind == "b" and not name.startswith("param_")):
        numbers = raw.astype(np.float64)
        return Numbers(numbers if hidden is None else np.where(hidden, np.nan, numbers))
    entries = raw.tolist() if hidden is None else [None if h else v for v, h in zip(raw.tolist(), hidden, strict=True)]
    if all(_is_plain_number(entry, name) for entry in entries):
        return Numbers(np.array(list(map(float_of, entries))))
    return Words().column(["" if _is_gap(entry) else " ".join(str(entry).split()) for entry in entries])


def _one_axis(values: Any, name: str, source: str) -> np.ndarray[tuple[int, ...], np.dtype[Any]]:
    if isinstance(values, str | bytes | Mapping) or np.ndim(np.asarray(values, dtype=object)) == 0:
        raise InputError(f"{name} is {glimpse(values)}, not a list.", f"{source}, {name}", "give one value per row.")
    try:
        raw = np.asarray(values)
    except ValueError:
        raw = np.empty(0, dtype=object)
    if raw.ndim == 1 and len(raw) == len(values):
        return raw
    entries = np.empty(len(values), dtype=object)
    for row, entry in enumerate(values):
        entries[row] = entry
    return entries


def _is_plain_number(entry: Any, name: str) -> bool:
    """Right or wrong counts as 1 or 0; a parameter that is true stays a word."""
    is_word = isinstance(entry, bool) and name.startswith("param_")
    return entry is None or (isinstance(entry, int | float) and not is_word)


def _is_gap(entry: Any) -> bool:
    return entry is None or (isinstance(entry, float) and entry != entry) or type(entry).__name__ == "NAType"
