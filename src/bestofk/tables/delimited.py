"""CSV, TSV and their kin, of any length, in one pass.

Memory is bounded by what stays: 4 bytes per row and column of words, 8 per row and column of numbers, an eighth more
while columns grow, and each distinct word once. Besides, at any moment, there is one block of the file (64 kB) and the
first 65,536 cells of each column, which decide its kind. Lines of rows are not kept: an error that names one counts
them in a second pass.
"""

from __future__ import annotations

import csv
import io
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted
from bestofk.tables.cells import Purpose, not_a_number, unguarded
from bestofk.tables.columns import GrowingColumn, NotANumber
from bestofk.tables.table import Table, column_names, refuse_numbers
from bestofk.tables.text_files import opened, text_blocks

if TYPE_CHECKING:
    from _csv import Reader

RECORDS = 4096  # at a time, where quotes ask for the slower way

Record = list[str]
Cells = Sequence[Sequence[str]]  # one sequence of cells per column
_MARK_NAMES = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}
MARKS = "".join(_MARK_NAMES)


class RaggedRow(Exception):
    """A row with more or fewer values than there are columns."""


@frozen
class Start:
    """A table whose header has been read: what is left of its text, in blocks of whole lines."""

    header: Record
    header_line: int
    mark: str
    rest: Iterator[str]
    source: str
    purpose: Purpose


class LateWord(Exception):
    """A word in a column that began with numbers, where that makes all of it words."""


def table_from_delimited(path: Path, purpose: Purpose) -> Table:
    """Read a table whose columns are separated by commas, tabs, semicolons or bars, as its header shows."""
    words: set[str] = set()
    while True:
        try:
            return _table(path, purpose, words)
        except LateWord as late:  # read again: what stood before it was kept as numbers only
            words.update(late.args)


def _table(path: Path, purpose: Purpose, words: set[str]) -> Table:
    source = str(path)
    with opened(path) as file:
        start = started(text_blocks(file, source), source, purpose, mark=_mark_of(path))
        refuse_numbers(start.header, f"{source}, line {start.header_line}")
        names = column_names(map(unguarded, start.header), f"{source}, line {start.header_line}", purpose)
        columns = {name: GrowingColumn(purpose, words_only=name in words or purpose.is_key(name)) for name in names}
        rows = _grow(columns, start, path)
    if not rows:
        raise InputError("the file has a header and no rows.", source, f"add one row per {purpose.row}.")
    finished = {name: columns.pop(name).finished() for name in names}
    return Table(finished, source, file.sha256, partial(line_name, path, purpose))


def line_name(path: Path, purpose: Purpose, row: int) -> str:
    """Return the line at which a row starts; its number among the rows where the file cannot be read again."""
    try:
        found = next(islice(_second_pass(path, purpose), row, None), None)
    except InputError:
        found = None
    return f"row {row + 1}" if found is None else f"line {found[0]}"


def _second_pass(path: Path, purpose: Purpose) -> Iterator[tuple[int, list[str]]]:
    with opened(path) as file:
        yield from numbered_records(started(text_blocks(file, str(path)), str(path), purpose, mark=_mark_of(path)))


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
                    if not start.purpose.strict:
                        raise LateWord(name) from None
                    place = f"{path}, {line_name(path, start.purpose, fault.row)}, column {name}"
                    raise not_a_number(name, fault.word.strip(), place) from None
            rows += len(cells[0])
    except RaggedRow:
        raise _ragged(start, path) from None
    except csv.Error as error:
        raise _bad_quotes_somewhere(error, start, path) from None
    return rows


def _bad_quotes_somewhere(error: csv.Error, start: Start, path: Path) -> InputError:
    try:
        deque(_second_pass(path, start.purpose), maxlen=0)
    except InputError as located:
        return located
    return bad_quotes(error, start.source)


def _ragged(start: Start, path: Path) -> InputError:
    width = len(start.header)
    line, row = next((each for each in _second_pass(path, start.purpose) if len(each[1]) != width), (0, []))
    where = f"{start.source}, line {line}" if line else start.source
    fix = (
        f"give one value per column, separated by {_MARK_NAMES[start.mark]}; a decimal comma splits a number, and a "
        "text with a comma needs quotes."
    )
    wrong = f"the row has {counted(len(row), 'value')} for {counted(width, 'column')}."
    return InputError(wrong, where, fix)


def started(blocks: Iterator[str], source: str, purpose: Purpose, *, mark: str | None = None) -> Start:
    """Read the header, the first line that is not blank and no remark; it shows by what columns are separated."""
    skipped = 0
    for block in blocks:
        lines = _lines(block)
        blank = _before_header(lines)
        skipped += blank
        if blank < len(lines):
            mark = mark or mark_of(lines[blank])
            try:
                header = next(_reader(lines[blank : blank + 1], mark))
            except csv.Error as error:
                raise bad_quotes(error, f"{source}, line {skipped + 1}") from None
            rest = chain(["".join(lines[blank + 1 :])], blocks)
            return Start(header, skipped + 1, mark, rest, source, purpose)
    example = ": learner,fold,error" if purpose.strict else ""
    raise InputError("the file is empty.", source, f"give a header and one row per {purpose.row}{example}.")


_FOR_EXCEL = re.compile(r'"?sep=."?', re.IGNORECASE)


def _before_header(lines: list[str]) -> int:
    """How many lines are blank, the mark as Excel is told it, or remarks (#) with other columns than the next line."""
    told = [i for i, line in enumerate(lines) if line.strip() and not _FOR_EXCEL.fullmatch(line.strip())]
    first = next((i for i in told if not lines[i].lstrip().startswith("#")), None)
    if first is None:  # nothing but remarks: one of them is the header
        return told[0] if told else len(lines)
    mark = mark_of(lines[first])
    same = [i for i in told if i < first and lines[i].count(mark) == lines[first].count(mark) > 0]
    return same[-1] if same else first


def mark_of(header: str) -> str:
    """Return the mark between columns that a header shows: the one it has most often outside quotes.

    Examples
    --------
    >>> mark_of("learner;fold;'a, b'"), mark_of('"a;b;c",fold'), mark_of("error")
    (';', ',', ',')
    """
    outside = "".join(header.split('"')[::2])
    return max(MARKS, key=outside.count)


def blocks_of_cells(start: Start) -> Iterator[Cells]:
    """Yield cells by column, a block of rows at a time; blank rows are passed over."""
    for text in start.rest:
        if '"' in text:
            yield from _quoted_blocks(chain([text], start.rest), start)
            return
        cells = _plain_cells(text, start) or _by_column(_reader(_lines(text), start.mark), start)
        if cells:
            yield cells


def _plain_cells(text: str, start: Start) -> Cells | None:
    """Cells of lines without quotes, by one split; None where a row is blank or ragged and needs a closer look."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    width = len(start.header)
    flat = text.replace("\n", f"{start.mark}\n{start.mark}").split(start.mark)
    flat.pop()
    ends = flat[width :: width + 1]
    # No cell but a line's end can be "\n": when every (width + 1)-th is one, every row has ``width`` cells.
    if len(flat) != len(ends) * (width + 1) or ends.count("\n") != len(ends) or not ends:
        return None
    cells = [flat[i :: width + 1] for i in range(width)]
    return cells if all(map(str.strip, cells[0])) else None


def _quoted_blocks(texts: Iterable[str], start: Start) -> Iterator[Cells]:
    reader = _reader(chain.from_iterable(map(_lines, texts)), start.mark)
    while records := list(islice(reader, RECORDS)):
        cells = _by_column(records, start)
        if cells:
            yield cells


def _by_column(records: Iterable[Record], start: Start) -> Cells:
    kept = [record for record in records if not is_blank(record)]
    if any(len(record) != len(start.header) for record in kept):
        raise RaggedRow
    return list(zip(*kept, strict=True))


def numbered_records(start: Start) -> Iterator[tuple[int, Record]]:
    """Yield every record that is not blank with the line it starts at; a fault of quotes names that line too."""
    reader = _reader(chain.from_iterable(map(_lines, start.rest)), start.mark)
    line = start.header_line + 1
    try:
        for record in reader:
            if not is_blank(record):
                yield line, record
            line = start.header_line + reader.line_num + 1
    except csv.Error as error:
        raise bad_quotes(error, f"{start.source}, line {line}") from None


def is_blank(record: Record) -> bool:
    """Whether no cell of a record has anything in it."""
    return not any(map(str.strip, record))


def bad_quotes(error: csv.Error, where: str) -> InputError:
    """Build the three lines for quotes that do not close, or close inside a value."""
    return InputError(f"the quotes do not match: {error}.", where, 'close every quote; write " inside a value twice.')


def _reader(lines: Iterable[str], mark: str) -> Reader:
    return csv.reader(lines, delimiter=mark, strict=True)


def _lines(text: str) -> list[str]:
    return list(io.StringIO(text, newline=""))  # splits at line ends only, not at every break that Unicode knows
