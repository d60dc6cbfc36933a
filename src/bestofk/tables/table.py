"""A table as every reader gives it: named columns of numbers or of text, each name once, and a name for every row."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from hashlib import sha256
from itertools import count
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.names import unknown
from bestofk.tables.cells import Purpose, as_number, as_word, looks_like_number, meaning, not_a_number

Rows = npt.NDArray[np.intp]


#: The column of values that stood elsewhere than in a column of their measure.
MEASURED = "measured value"


@frozen(eq=False)
class Text:
    """Words by code: ``codes`` point into ``categories``, −1 where the cell is empty."""

    codes: npt.NDArray[np.int32]
    categories: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.codes)

    def __getitem__(self, rows: Rows) -> Text:
        return Text(self.codes[rows], self.categories)

    @property
    def empty(self) -> Flags:
        """Rows without a word."""
        return self.codes < 0

    @property
    def used(self) -> list[str]:
        """Words that occur, in the order of the categories: a data frame may list others too."""
        return [self.categories[code] for code in np.flatnonzero(np.bincount(self.codes[~self.empty]))]

    @property
    def words(self) -> list[str]:
        """The word of every row, "" where it is empty."""
        return list(np.array([*self.categories, ""], dtype=object)[self.codes])

    def renamed(self, names: Iterable[str]) -> Text:
        """The same rows with other words in the place of the categories; some may be the same, "" is none."""
        given = list(names)
        place = {name: code for code, name in enumerate(dict.fromkeys(filter(None, given)))}
        return Text(np.array([*(place.get(name, -1) for name in given), -1], dtype=np.int32)[self.codes], tuple(place))


@frozen(eq=False)
class Numbers:
    """Numbers; NaN where the cell is empty."""

    values: Array

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, rows: Rows) -> Numbers:
        return Numbers(self.values[rows])

    @property
    def empty(self) -> Flags:
        """Rows without a number."""
        return np.isnan(self.values)


Column: TypeAlias = Text | Numbers


@frozen(eq=False)
class Table:
    """Columns of equal length in the order of the source; ``row_name(3)`` is how a person finds row 3: ``line 5``.

    ``left_out`` names the columns of the source that are neither numbers nor words, and says what they hold: lists,
    objects, bytes. ``index`` names those that pandas wrote for the index of a frame. Where rows come from several
    sources, ``source_of(3)`` is that of row 3, and ``partial`` names the columns that only some of them have.
    ``called`` are names that the source has for columns with other ones here.
    """

    columns: dict[str, Column]
    source: str
    sha256: str = ""
    row_name: Callable[[int], str] = field(default=lambda row: f"row {row + 1}")
    left_out: Mapping[str, str] = field(default_factory=dict)
    source_of: Callable[[int], str] | None = None
    partial: tuple[str, ...] = ()
    index: tuple[str, ...] = ()
    called: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(self.columns)

    def __len__(self) -> int:
        return next(map(len, self.columns.values()), 0)

    def where(self, *, row: int | None = None, column: str | None = None) -> str:
        """Say where something is: file, line and column."""
        parts = [self.source] if row is None else [self.file_of(row), self.row_name(row)]
        if column is not None and column != MEASURED:
            parts.append(f"column {self.called.get(column, column)}")
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

    def rows(self, rows: Rows) -> Table:
        """Some rows, by the names that they have here."""
        return replace(
            self,
            columns={name: column[rows] for name, column in self.columns.items()},
            row_name=lambda row: self.row_name(int(rows[row])),
            source_of=None if self.source_of is None else lambda row: self.file_of(int(rows[row])),
        )

    def rows_with(self, column: str, word: str) -> Table:
        """The rows that have a word in a column."""
        words = self.text(column)
        return self.rows(np.flatnonzero(words.codes == words.categories.index(word)))

    def with_columns(self, columns: Mapping[str, Column], *, first: bool = False) -> Table:
        """The table with further columns, or with others of the same names."""
        return replace(self, columns={**columns, **self.columns} if first else {**self.columns, **columns})

    def without(self, names: Iterable[str]) -> Table:
        """The table without some columns."""
        gone = set(names)
        return replace(self, columns={name: each for name, each in self.columns.items() if name not in gone})

    def renamed(self, names: Mapping[str, str]) -> Table:
        """The table with other names for some columns."""
        columns = {names.get(name, name): each for name, each in self.columns.items()}
        called = {new: self.called.get(old, old) for old, new in names.items() if new != old}
        return replace(self, columns=columns, called={**self.called, **called})

    def only(self, names: Mapping[str, str]) -> Table:
        """Some columns, in this order and under these new names."""
        return replace(self, columns={new: self.column(old) for old, new in names.items()})

    def stacked(self, columns: Mapping[str, Column], name: str, value: str) -> Table:
        """The rows once for each of these columns, with its name in one column and its cells in another."""
        cells = joined_column(list(columns.values()))
        place, row = np.divmod(np.arange(len(cells)), len(cells) // len(columns))
        return self.rows(row).with_columns({name: Text(place.astype(np.int32), tuple(columns)), value: cells})

    def refuse(self, wrong: Flags, what: Callable[[int], str], fix: str, *, column: str | None = None) -> None:
        """Refuse the first row that is wrong: ``what(row)`` says how."""
        if wrong.any():
            row = int(np.argmax(wrong))
            raise InputError(what(row), self.where(row=row, column=column), fix)

    def lacks(self, what: str, fix: str) -> InputError:
        """The error for a column that is not there, with the names of those that are."""
        return InputError(f"{what}; the columns are {', '.join(self.names)}.", self.source, fix)

    def is_numeric(self, name: str) -> bool:
        """Whether every cell of the column is a number or empty."""
        column = self.column(name)
        return isinstance(column, Numbers) or not _odd_codes(column)

    def is_mostly_numeric(self, name: str) -> bool:
        """Whether the column is one of numbers, but for cells that are mistakes, of which ``numbers`` tells the first.

        At least half of its different words look like numbers.
        """
        column = self.column(name)
        return self.is_numeric(name) or (
            isinstance(column, Text) and 2 * sum(map(looks_like_number, column.categories)) >= len(column.categories)
        )

    def is_blank(self, name: str) -> bool:
        """Whether the column has neither a number nor a word that means something else than absence."""
        return self.is_numeric(name) and bool(np.isnan(self.numbers(name)).all())

    def numbers(self, name: str) -> Array:
        """Return a column as numbers, NaN where empty; a word gets the three lines with its row."""
        column = self.column(name)
        if isinstance(column, Numbers):
            return column.values
        if odd := _odd_codes(column):
            row = int(np.argmax(column.codes == odd[0]))
            raise not_a_number(name, column.categories[odd[0]], self.where(row=row, column=name))
        values = [*map(meaning, column.categories), np.nan]  # the last is for empty cells, code −1
        return np.array(values, dtype=np.float64)[column.codes]

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


def _odd_codes(column: Text) -> list[int]:
    """Codes of words that are no numbers, of those that rows have: the rows that others had may be left out."""
    odd = [code for code, word in enumerate(column.categories) if meaning(word) is None]
    used = np.bincount(column.codes[~column.empty], minlength=len(column.categories)) if odd else ()
    return [code for code in odd if used[code]]


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


def row_number(row: int) -> str:
    """Name a row by its number, where a source has neither lines nor row numbers of its own."""
    return f"row {row + 1}"


def assembled(
    columns: Iterable[tuple[str, Column | str]],
    source: str,
    sha256: str = "",
    row_name: Callable[[int], str] = row_number,
    *,
    index: tuple[str, ...] = (),
) -> Table:
    """Return the table of the columns that have plain values; of the others a text says what they hold."""
    kept: dict[str, Column] = {}
    others: dict[str, str] = {}
    for name, column in columns:
        if isinstance(column, str):
            others[name] = column
        else:
            kept[name] = column
    if not kept:
        what = f"no column has plain values: {', '.join(others)}." if others else "there are no columns."
        raise InputError(what, source, "give columns of numbers and words.")
    return Table(kept, source, sha256 or fingerprint_of(kept), row_name, others, index=index)


# What pandas makes of an index without a name: in CSV and XLSX it has no heading, in Parquet one of its own.
_UNNAMED = re.compile(r"(Unnamed: \d+(_level_\d+)?|__index_level_\d+__|)")


def column_names(headings: Iterable[object], where: str, purpose: Purpose) -> list[str]:
    """Return the names of columns, or say which appears twice.

    Those without one are unnamed, unnamed 2, … among results, and refused in data to learn from.
    """
    names = ["" if heading is None else str(heading).strip() for heading in headings]
    if not purpose.lenient_names and "" in names:
        raise InputError(f"column {names.index('') + 1} has no name.", where, "name it, or take the column out.")
    taken = {name for name in names if not _UNNAMED.fullmatch(name)}
    numbered = ("unnamed" if number == 1 else f"unnamed {number}" for number in count(1))
    free = (name for name in numbered if name not in taken)
    settled: dict[str, None] = {}
    for name in names:
        if purpose.lenient_names and _UNNAMED.fullmatch(name):
            name = next(free)
        elif name in settled:
            fix = purpose.instead(names) or "keep one of them, or rename one."
            raise InputError(f"column {name!r} appears twice.", f"{where}, column {name}", fix)
        settled[name] = None
    return list(settled)


def refuse_numbers(headings: Iterable[object], where: str) -> None:
    """Refuse a first line that is no header: all of it numbers, unless these count the columns from 0."""
    words = [str(heading).strip() for heading in headings if heading is not None and str(heading).strip()]
    counting = [str(number) for number in range(len(words))]
    if words and words != counting and all(_is_number(word) for word in words):
        place = where.rsplit(", ", 1)[-1]
        raise InputError(
            f"{place} holds numbers: {', '.join(words[:3])}{', …' if len(words) > 3 else ''}.",
            where,
            "add a header line that names the columns.",
        )


def _is_number(word: str) -> bool:
    number = as_number(word)
    return number is not None and number == number


def is_nameless(name: str) -> bool:
    """Whether a column got its name because it had none."""
    return _FREE.fullmatch(name) is not None


_FREE = re.compile(r"unnamed( \d+)?")


def joined_tables(tables: Sequence[Table]) -> Table:
    """Return the rows of all tables under one another; only columns that all of them have are kept."""
    names = [name for name in tables[0].names if all(name in table.columns for table in tables)]
    if not names:
        raise InputError(
            "the files have no column in common.", ", ".join(t.source for t in tables), "give files of one layout."
        )
    starts = np.cumsum([0, *(len(table) for table in tables)])

    def place(row: int) -> tuple[Table, int]:
        which = int(np.searchsorted(starts, row, side="right")) - 1
        return tables[which], row - int(starts[which])

    def row_name(row: int) -> str:
        table, own = place(row)
        return table.row_place(own)

    def source_of(row: int) -> str:
        table, own = place(row)
        return table.file_of(own)

    def column(name: str) -> Column:
        numbers = all(isinstance(table.column(name), Numbers) for table in tables)
        return joined_column([table.column(name) if numbers else table.text(name) for table in tables])

    return Table(
        {name: column(name) for name in names},
        f"{len(tables)} tables: {', '.join(table.source for table in tables[:3])}{', …' if len(tables) > 3 else ''}",
        sha256("".join(table.sha256 for table in tables).encode()).hexdigest(),
        row_name,
        {name: held for table in tables for name, held in table.left_out.items()},
        source_of,
        tuple(dict.fromkeys(name for table in tables for name in table.names if name not in names)),
    )


def joined_column(columns: Sequence[Column]) -> Column:
    """Return the cells of columns of one kind under one another."""
    numbers = [column.values for column in columns if isinstance(column, Numbers)]
    if numbers:
        return Numbers(np.concatenate(numbers))
    place: dict[str, int] = {}
    codes = []
    for text in columns:
        assert isinstance(text, Text)
        own = [place.setdefault(word, len(place)) for word in text.categories]
        codes.append(np.array([*own, -1], dtype=np.int32)[text.codes])
    return Text(np.concatenate(codes), tuple(place))
