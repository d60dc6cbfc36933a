"""CSV, TSV and their kin, of any length, in one pass.

Memory is bounded by what stays: 4 bytes per row and column of words, 8 per row and column of numbers, an eighth more
while columns grow, and each distinct word once. Besides, at any moment, there is one block of the file (64 kB) and the
first 65,536 cells of each column, which decide its kind. Lines of rows are not kept: an error that names one counts
them in a second pass.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.evidence.columns import is_key_name
from bestofk.evidence.readers.growing import GrowingColumn, NotANumber
from bestofk.evidence.readers.headings import column_names, refuse_numbers
from bestofk.evidence.readers.lines import text_blocks
from bestofk.evidence.readers.opening import opened
from bestofk.evidence.readers.records import RaggedRow, Start, bad_quotes, blocks_of_cells, numbered_records, started
from bestofk.evidence.table import Table, not_a_number

_MARK_NAMES = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}


def table_from_delimited(path: Path) -> Table:
    """Read a table whose columns are separated by commas, tabs, semicolons or bars, as its header shows."""
    source = str(path)
    with opened(path) as file:
        start = started(text_blocks(file, source), source, mark=_mark_of(path))
        refuse_numbers(start.header, f"{source}, line {start.header_line}")
        names = column_names(start.header, f"{source}, line {start.header_line}")
        columns = {name: GrowingColumn(words_only=is_key_name(name)) for name in names}
        rows = _grow(columns, start, path)
    if not rows:
        raise InputError("the file has a header and no rows.", source, "add one row per result.")
    finished = {name: columns.pop(name).finished() for name in names}
    return Table(finished, source, file.sha256, partial(line_name, path))


def line_name(path: Path, row: int) -> str:
    """Return the line at which a row starts; its number among the rows where the file cannot be read again."""
    try:
        found = next(islice(_second_pass(path), row, None), None)
    except InputError:
        found = None
    return f"row {row + 1}" if found is None else f"line {found[0]}"


def _second_pass(path: Path) -> Iterator[tuple[int, list[str]]]:
    if path.is_file():  # a pipe can be read only once
        with opened(path) as file:
            yield from numbered_records(started(text_blocks(file, str(path)), str(path), mark=_mark_of(path)))


def _mark_of(path: Path) -> str | None:
    return "\t" if ".tsv" in (suffix.lower() for suffix in path.suffixes) else None


def _grow(columns: dict[str, GrowingColumn], start: Start, path: Path) -> int:
    """Fill the columns; return the number of rows."""
    rows = 0
    try:
        for cells in blocks_of_cells(start):
            for (name, column), each in zip(columns.items(), cells, strict=True):
                try:
                    column.add(each)
                except NotANumber as fault:
                    raise _word_among_numbers(name, fault, path) from None
            rows += len(cells[0])
    except RaggedRow:
        raise _ragged(start, path) from None
    except csv.Error as error:
        raise _bad_quotes_somewhere(error, start, path) from None
    return rows


def _word_among_numbers(name: str, fault: NotANumber, path: Path) -> InputError:
    return not_a_number(name, fault.word.strip(), f"{path}, {line_name(path, fault.row)}, column {name}")


def _bad_quotes_somewhere(error: csv.Error, start: Start, path: Path) -> InputError:
    try:
        deque(_second_pass(path), maxlen=0)
    except InputError as located:
        return located
    return bad_quotes(error, start.source)


def _ragged(start: Start, path: Path) -> InputError:
    width = len(start.header)
    line, row = next((each for each in _second_pass(path) if len(each[1]) != width), (0, []))
    where = f"{start.source}, line {line}" if line else start.source
    values = counted(len(row), "value") if line else "more or fewer values"
    fix = f"give one value per column, separated by {_MARK_NAMES[start.mark]}"
    if start.mark == "," and len(row) > width:
        fix += "; write 0.25, since a decimal comma splits a number, and put a text with a comma in quotes"
    return InputError(f"the row has {values} for {counted(width, 'column')}.", where, f"{fix}.")
