"""A table as every reader gives it: named columns of numbers or of text, and a name for every row."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import unknown

#: What people write where a number is missing.
MISSING = frozenset({"", "na", "nan", "n/a", "null", "none", "?", "-"})

#: What programs write for right and wrong, where a number is wanted.
_BOOLEANS = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True, eq=False)
class Text:
    """Words by code: ``codes`` point into ``categories``, −1 where the cell is empty."""

    codes: npt.NDArray[np.int32]
    categories: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Numbers:
    """Numbers; NaN where the cell is empty."""

    values: Array


Column: TypeAlias = Text | Numbers


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of equal length in the order of the source; ``row_name(3)`` is how a person finds row 3: ``line 5``.

    ``left_out`` names the columns of the source that hold lists, objects or bytes: neither numbers nor words. Where
    rows come from several sources, ``source_of(3)`` is that of row 3, and ``partial`` names the columns that only some
    of them have.
    """

    columns: dict[str, Column]
    source: str
    sha256: str = ""
    row_name: Callable[[int], str] = field(default=lambda row: f"row {row + 1}")
    left_out: tuple[str, ...] = ()
    source_of: Callable[[int], str] | None = None
    partial: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self.columns)

    def __len__(self) -> int:
        column = next(iter(self.columns.values()), None)
        return 0 if column is None else len(column.codes if isinstance(column, Text) else column.values)

    def where(self, *, row: int | None = None, column: str | None = None) -> str:
        """Say where something is: file, line and column."""
        parts = [self.source] if row is None else [self.file_of(row), self.row_name(row)]
        if column is not None:
            parts.append(f"column {column}")
        return ", ".join(parts)

    def file_of(self, row: int) -> str:
        """Return the source of a row: its file, where several were joined."""
        return self.source if self.source_of is None else self.source_of(row)

    def row_place(self, row: int) -> str:
        """Return the name of a row, with its file where several were joined."""
        return self.row_name(row) if self.source_of is None else self.where(row=row)

    def column(self, name: str) -> Column:
        """Return a column, or say which there are."""
        if name not in self.columns:
            raise unknown(name, self.names, what="column", where=self.source)
        return self.columns[name]

    def is_numeric(self, name: str) -> bool:
        """Whether every cell of the column is a number or empty."""
        column = self.column(name)
        return isinstance(column, Numbers) or all(_meaning(word) is not None for word in column.categories)

    def numbers(self, name: str) -> Array:
        """Return a column as numbers, NaN where empty; a word gets the three lines with its row."""
        column = self.column(name)
        if isinstance(column, Numbers):
            return column.values
        values = np.full(len(column.categories) + 1, np.nan)  # the last is for empty cells, code −1
        for code, word in enumerate(column.categories):
            number = _meaning(word)
            if number is None:
                row = int(np.argmax(column.codes == code))
                raise not_a_number(name, word, self.where(row=row, column=name))
            values[code] = number
        return np.asarray(values[column.codes])

    def text(self, name: str) -> Text:
        """Return a column as words; whole numbers are written without a point."""
        column = self.column(name)
        if isinstance(column, Text):
            return column
        empty = np.isnan(column.values)
        found, codes = np.unique(column.values[~empty], return_inverse=True)
        all_codes = np.full(len(column.values), -1, dtype=np.int32)
        all_codes[~empty] = codes
        return Text(all_codes, tuple(as_word(value) for value in found.tolist()))


def as_number(word: str) -> float | None:
    """Return the number that a word means: NaN for a word of absence, None when it is no number at all.

    Examples
    --------
    >>> as_number("2.5e-1"), as_number("NA"), as_number("1_0"), as_number("inf")
    (0.25, nan, None, None)
    """
    if is_absent(word):
        return float("nan")
    if not word.isascii() or "_" in word:  # Python would read 1_0 as 10
        return None
    try:
        value = float(word)
    except ValueError:
        return None
    return value if np.isfinite(value) else None


def as_word(value: float) -> str:
    """Write a number as a word; whole numbers without a point."""
    return str(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)


def class_word(word: str) -> str:
    """Write a class as all its spellings are kept: 1.0 as 1, and True as 1 as well.

    Examples
    --------
    >>> class_word("1.0"), class_word("True"), class_word("spam")
    ('1', '1', 'spam')
    """
    number = _meaning(word)
    return word if number is None or np.isnan(number) else as_word(number)


def is_absent(word: str) -> bool:
    """Whether a word says that there is nothing."""
    return word.strip().lower() in MISSING


def is_boolean(word: str) -> bool:
    """Whether a word is true or false, in any letters."""
    return word.strip().lower() in _BOOLEANS


def not_a_number(name: str, word: str, where: str) -> InputError:
    """Build the three lines for a word in a column of numbers."""
    return InputError(f"{name} is {word!r}, not a number.", where, _advice(word))


def _meaning(word: str) -> float | None:
    truth = _BOOLEANS.get(word.strip().lower())
    return as_number(word) if truth is None else truth


def _advice(word: str) -> str:
    if word.strip().endswith("%"):
        return "write percent without the sign, the same way in all rows: 12.5, or 0.125."
    if re.fullmatch(r"[+-]?[1-9]\d*,\d{3}", word.strip()):
        return f"write {word.strip().replace(',', '')} or {word.strip().replace(',', '.')}, without a comma."
    if word.count(",") == 1 and as_number(word.replace(",", ".")) is not None:
        return f"write a decimal point: {word.strip().replace(',', '.')}."
    return "write a number such as 0.25, or leave the cell empty where a result is missing."


def fingerprint_of(columns: Mapping[str, Column | Array]) -> str:
    """Return the hash of names and content."""
    digest = sha256()
    for name, column in columns.items():
        digest.update(name.encode())
        if isinstance(column, Text):
            digest.update("\0".join(column.categories).encode())
        data = column.codes if isinstance(column, Text) else column.values if isinstance(column, Numbers) else column
        digest.update(np.ascontiguousarray(data).tobytes())
    return digest.hexdigest()
