"""Records of delimited text: the header, then cells by column, or one record at a time with its line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING

from bestofk.core.errors import InputError

if TYPE_CHECKING:
    from _csv import Reader

MARKS = ",\t;|"
RECORDS = 4096  # at a time, where quotes ask for the slower way

Record = list[str]
Cells = Sequence[Sequence[str]]  # one sequence of cells per column


class RaggedRow(Exception):
    """A row with more or fewer values than there are columns."""


@dataclass(frozen=True)
class Start:
    """A table whose header has been read: what is left of its text, in blocks of whole lines."""

    header: Record
    header_line: int
    mark: str
    rest: Iterator[str]
    source: str


def started(blocks: Iterator[str], source: str, *, mark: str | None = None) -> Start:
    """Read the header, which is the first line that is not blank; it shows by what columns are separated."""
    skipped = 0
    for block in blocks:
        lines = _lines(block)
        blank = next((i for i, line in enumerate(lines) if line.strip()), len(lines))
        skipped += blank
        if blank < len(lines):
            return _start(lines[blank:], blocks, mark or mark_of(lines[blank]), skipped, source)
    raise InputError("the file is empty.", source, "give a header and one row per result: learner,fold,error.")


def _start(lines: list[str], blocks: Iterator[str], mark: str, skipped: int, source: str) -> Start:
    line = skipped + 1
    try:
        header = next(_reader(lines[:1], mark))
    except csv.Error as error:
        raise bad_quotes(error, f"{source}, line {line}") from None
    return Start(header, line, mark, chain(["".join(lines[1:])], blocks), source)


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
