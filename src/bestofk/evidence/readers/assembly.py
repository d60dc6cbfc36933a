"""A table from its columns, as the readers of typed sources make them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from bestofk.core.errors import InputError
from bestofk.evidence.table import Column, Table, fingerprint_of


def row_number(row: int) -> str:
    """Name a row by its number, where a source has neither lines nor row numbers of its own."""
    return f"row {row + 1}"


def assembled(
    columns: Iterable[tuple[str, Column | None]],
    source: str,
    sha256: str = "",
    row_name: Callable[[int], str] = row_number,
    *,
    left_out: tuple[str, ...] = (),
) -> Table:
    """Return the table of the columns that have plain values; those that are None are named as left out."""
    kept: dict[str, Column] = {}
    nested = list(left_out)
    for name, column in columns:
        if column is None:
            nested.append(name)
        else:
            kept[name] = column
    if not kept:
        what = f"no column has plain values: {', '.join(nested)}." if nested else "there are no columns."
        raise InputError(what, source, "give columns of numbers and words.")
    return Table(kept, source, sha256 or fingerprint_of(kept), row_name, tuple(nested))
