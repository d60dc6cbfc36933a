"""Parquet, a column at a time. Needs the extra ``tables`` (pyarrow)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.extras import need
from bestofk.tables.cells import Purpose
from bestofk.tables.columns import DATES, column_of, finite, text_of_codes
from bestofk.tables.table import Column, Numbers, Table, assembled, column_names, row_number
from bestofk.tables.text_files import on_disk, opened


def table_from_parquet(path: Path, purpose: Purpose) -> Table:
    """Read a Parquet file; columns of lists, structs and bytes are left out."""
    source = str(path)
    sha256 = _sha256(path)
    file = _opened_parquet(path)
    headings = file.schema_arrow.names
    names = column_names(headings, source, purpose)
    if not file.metadata.num_rows:
        raise InputError("the file has no rows.", source, f"add one row per {purpose.row}.")
    columns = (
        (name, _column(name, _read(file, heading, source), source, purpose))
        for name, heading in zip(names, headings, strict=True)
    )
    index = (file.schema_arrow.pandas_metadata or {}).get("index_columns", [])
    of_index = tuple(name for name, heading in zip(names, headings, strict=True) if heading in index)
    return assembled(columns, source, sha256, index=of_index)


def _sha256(path: Path) -> str:
    with opened(path) as file:
        while file.read(1 << 20):
            pass
        return file.sha256


def _opened_parquet(path: Path) -> Any:
    parquet = need("pyarrow.parquet", purpose="reading Parquet files")
    try:
        return parquet.ParquetFile(on_disk(path))
    except (ValueError, OSError) as error:  # those of Arrow are kin to these
        raise _unreadable(error, str(path)) from None


def _read(file: Any, heading: str, source: str) -> Any:
    try:
        return file.read(columns=[heading]).column(heading)
    except (ValueError, OSError, NotImplementedError) as error:
        raise _unreadable(error, f"{source}, column {heading}") from None


def _unreadable(error: Exception, where: str) -> InputError:
    return InputError(f"the Parquet file cannot be read: {error}.", where, "write it again, or save it as CSV.")


def _column(name: str, cells: Any, source: str, purpose: Purpose) -> Column | str:
    """Return an Arrow column as one of the table, or what it holds that is no plain value."""
    arrow = need("pyarrow", purpose="reading Parquet files")
    numeric = _is_numeric(arrow, cells.type)
    if numeric and not purpose.is_key(name) and (purpose.strict or not arrow.types.is_boolean(cells.type)):
        values = np.asarray(cells.cast(arrow.float64(), safe=False).to_numpy(), dtype=np.float64)
        if not purpose.strict:
            return Numbers(values)
        return Numbers(finite(name, values, lambda row: f"{source}, {row_number(row)}, column {name}"))
    if numeric or arrow.types.is_dictionary(cells.type) or _is_text(arrow, cells.type):
        return _text(arrow, cells, purpose, f"{source}, column {name}")
    if arrow.types.is_temporal(cells.type) and not purpose.dates:
        return DATES
    if arrow.types.is_temporal(cells.type) or arrow.types.is_null(cells.type):
        return column_of(name, _moments(arrow, cells), purpose, lambda row: source)
    return f"{cells.type} values"


def _is_numeric(arrow: Any, kind: Any) -> bool:
    types = arrow.types
    return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_decimal(kind))


def _is_text(arrow: Any, kind: Any) -> bool:
    types = arrow.types
    return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))


def _text(arrow: Any, cells: Any, purpose: Purpose, where: str) -> Column:
    if arrow.types.is_string_view(cells.type):
        cells = cells.cast(arrow.large_string())
    if not arrow.types.is_dictionary(cells.type):
        cells = cells.dictionary_encode()
    coded = cells.combine_chunks()
    codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    try:
        words = coded.dictionary.to_pylist()
    except UnicodeDecodeError as error:
        raise _unreadable(error, where) from None
    return text_of_codes(codes.astype(np.int64), words, purpose)


def _moments(arrow: Any, cells: Any) -> list[Any]:
    """Dates and times as Python has them, which knows no nanoseconds."""
    if arrow.types.is_timestamp(cells.type):
        cells = cells.cast(arrow.timestamp("us", cells.type.tz), safe=False)
    elif arrow.types.is_time64(cells.type):
        cells = cells.cast(arrow.time64("us"), safe=False)
    elif arrow.types.is_duration(cells.type):
        cells = cells.cast(arrow.duration("us"), safe=False)
    return list(cells.to_pylist())
