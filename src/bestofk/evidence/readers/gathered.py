"""Rows given one at a time as mappings, gathered by column."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bestofk.core.errors import InputError
from bestofk.evidence.readers.assembly import assembled
from bestofk.evidence.readers.headings import column_names
from bestofk.evidence.readers.typed import column_of, is_nested
from bestofk.evidence.table import Table


class GatheredRows:
    """Values by column; a key that a row lacks is an empty cell, a column with a nested value is not kept."""

    def __init__(self) -> None:
        self._columns: dict[str, list[Any]] = {}
        self._nested: dict[str, None] = {}
        self._count = 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Append a row."""
        for key, value in row.items():
            if key in self._nested:
                continue
            if is_nested(type(value)):  # type: ignore[arg-type]  # mypy doubts that a class can be hashed
                self._nested[key] = None
                self._columns.pop(key, None)
                continue
            column = self._columns.setdefault(key, [])
            if len(column) < self._count:
                column.extend([None] * (self._count - len(column)))
            column.append(value)
        self._count += 1

    def table(self, source: str, sha256: str, row_name: Callable[[int], str]) -> Table:
        """Return the table; the values are let go as their columns are made."""
        if not self._count:
            raise InputError("there are no rows.", source, "give one row per result.")
        for values in self._columns.values():
            values.extend([None] * (self._count - len(values)))
        return table_of_lists(self._columns, source, sha256, row_name, left_out=tuple(self._nested))


def table_of_lists(
    lists: dict[str, list[Any]],
    source: str,
    sha256: str,
    row_name: Callable[[int], str],
    *,
    left_out: tuple[str, ...] = (),
) -> Table:
    """Return lists of equal length as a table; ``lists`` is emptied, those with nested values are left out."""
    names = column_names(lists, source)

    def place(name: str) -> Callable[[int], str]:
        return lambda row: f"{source}, {row_name(row)}, column {name}"

    columns = ((name, column_of(name, lists.pop(key), place(name))) for name, key in zip(names, [*lists], strict=True))
    return assembled(columns, source, sha256, row_name, left_out=left_out)
