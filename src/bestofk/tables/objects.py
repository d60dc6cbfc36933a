"""Tables from Python objects: columns in a dict, rows in a list of dicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.core.arrays import glimpse
from bestofk.core.errors import InputError
from bestofk.tables.columns import Words
from bestofk.tables.table import Column, Numbers, Table, Text, fingerprint_of


def table_from_columns(columns: Mapping[str, Any], source: str, row_name: Callable[[int], str] | None = None) -> Table:
    """Return a table of equally long columns; anything that is not a number becomes a word."""
    made = {str(name): column_of(values, str(name), source) for name, values in columns.items()}
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


def column_of(values: Any, name: str, source: str) -> Column:
    """Return one column: numbers where all are, words otherwise, gaps where None, NaN or masked."""
    hidden = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    raw = _one_axis(np.ma.getdata(values) if hidden is not None else values, name, source)
    if raw.dtype.kind in "iuf" or (raw.dtype.kind == "b" and not name.startswith("param_")):
        numbers = raw.astype(np.float64)
        return Numbers(numbers if hidden is None else np.where(hidden, np.nan, numbers))
    entries = raw.tolist() if hidden is None else [None if h else v for v, h in zip(raw.tolist(), hidden, strict=True)]
    if all(_is_number(entry, name) for entry in entries):
        return Numbers(np.array([np.nan if entry is None else float(entry) for entry in entries]))
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


def _is_number(entry: Any, name: str) -> bool:
    """Right or wrong counts as 1 or 0; a parameter that is true stays a word."""
    is_word = isinstance(entry, bool) and name.startswith("param_")
    return entry is None or (isinstance(entry, int | float) and not is_word)


def _is_gap(entry: Any) -> bool:
    return entry is None or (isinstance(entry, float) and entry != entry) or type(entry).__name__ == "NAType"
