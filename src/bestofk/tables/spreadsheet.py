"""XLSX: the one sheet that has data, its first row the header. Needs the extra ``tables`` (openpyxl)."""

from __future__ import annotations

import io
import os
import warnings
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError, message_of
from bestofk.core.extras import need
from bestofk.core.phrases import listed
from bestofk.tables.cells import Purpose
from bestofk.tables.json_files import table_of_lists
from bestofk.tables.table import Table, column_names, refuse_numbers
from bestofk.tables.text_files import opened

NumberedRow = tuple[int, tuple[Any, ...]]

#: Cells that are read of a workbook, unless the environment says another number, and bytes that one may take: a file
#: of half a megabyte may hold gigabytes.
MOST_CELLS, CELLS_ALLOWED, BYTES_OF_A_CELL = 5_000_000, "BESTOFK_XLSX_CELLS", 100
#: The last row that a sheet can have.
LAST_ROW = 1_048_576
SPREADSHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def table_from_spreadsheet(path: Path, purpose: Purpose) -> Table:
    """Read the only sheet with data of an XLSX file; true and false are 1 and 0, dates are text."""
    source = str(path)
    with opened(path) as file:
        content = file.read()
    _refuse_other_archives(content, source)
    with_formulas = _has_formulas(content, source)
    sheet, rows = _only_sheet(_sheets(content, source), source, purpose)
    if with_formulas:
        _refuse_unknown_formulas(content, source, sheet, rows)
    (header_row, headings), body = rows[0], rows[1:]
    refuse_numbers(headings, f"{source}, row {header_row} of sheet {sheet}")
    if not body:
        raise InputError(
            "the sheet has a header and no rows.", f"{source}, sheet {sheet}", f"add one row per {purpose.row}."
        )
    names = column_names(_padded(headings, _width(rows)), f"{source}, row {header_row} of sheet {sheet}", purpose)
    lists = {name: [row[i] if i < len(row) else None for _, row in body] for i, name in enumerate(names)}
    numbers = array("q", (number for number, _ in body))
    return table_of_lists(lists, source, file.sha256, lambda row: f"row {numbers[row]} of sheet {sheet}", purpose)


def _refuse_other_archives(content: bytes, source: str) -> None:
    """Refuse a ZIP archive that is no workbook, or a huge one, before a program for workbooks is asked for."""
    import zipfile

    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names, size = archive.namelist(), sum(part.file_size for part in archive.infolist())
    except (zipfile.BadZipFile, ValueError, NotImplementedError):  # what is said of that is said by who reads it
        return
    if "content.xml" in names and "mimetype" in names:
        raise InputError("this is a spreadsheet in the OpenDocument format.", source, "save it as XLSX or CSV.")
    if size > _most_cells() * BYTES_OF_A_CELL:
        raise _too_large(f"the workbook unpacks to {size / 1e6:,.0f} MB.", source)
    if not any(name.startswith("xl/") for name in names):
        shown = f"{listed(names[:3])}{' …' if len(names) > 3 else ''}" if names else "nothing"
        wrong = f"this is a ZIP archive and no workbook: it holds {shown}."
        raise InputError(wrong, source, "unpack it, and name the files in it.")


def _sheets(content: bytes, source: str, *, values: bool = True) -> dict[str, list[NumberedRow]]:
    """Rows with data of every sheet, with their numbers; formulas instead of their values where asked for."""
    openpyxl = need("openpyxl", purpose="reading XLSX files")
    with _readable(source), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about styles and charts, which are not read
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=values)
        return {sheet.title: list(_rows_with_data(sheet, source)) for sheet in book.worksheets}


@contextmanager
def _readable(source: str) -> Iterator[None]:
    """Say in three lines what is wrong with a damaged file."""
    try:
        yield
    except (InputError, MemoryError):
        raise
    except Exception as error:  # openpyxl and the modules below it raise anything on a damaged file
        raise InputError(
            f"this is no XLSX file that can be read: {type(error).__name__}: {message_of(error)}.",
            source,
            "save it as XLSX again, or as CSV.",
        ) from None


def _rows_with_data(sheet: Any, source: str) -> Iterator[NumberedRow]:
    sheet.reset_dimensions()  # what the file says of its size may be older than its rows
    most, cells = _most_cells(), 0
    for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        width = next((place for place in range(len(row), 0, -1) if not _is_empty(row[place - 1])), 0)
        cells += width  # also the empty ones before the last: one value in column XFD makes a row of 16,384
        if cells > most:
            raise _too_large(f"sheet {sheet.title} has more than {most:,} cells.", f"{source}, row {number}")
        if width:
            yield number, row[:width]


def _most_cells() -> int:
    allowed = os.environ.get(CELLS_ALLOWED, "")
    return int(allowed) if allowed.isdecimal() else MOST_CELLS


def _too_large(wrong: str, where: str) -> InputError:
    return InputError(
        wrong, where, f"save it as CSV or Parquet, or allow more cells: {CELLS_ALLOWED}={2 * _most_cells()}."
    )


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _only_sheet(sheets: dict[str, list[NumberedRow]], source: str, purpose: Purpose) -> tuple[str, list[NumberedRow]]:
    full = [name for name, rows in sheets.items() if rows]
    if not full:
        raise InputError("the file is empty.", source, f"give a header and one row per {purpose.row}.")
    if len(full) > 1:
        raise InputError(
            f"{len(full)} sheets have data: {', '.join(full)}.", source, "keep one sheet, or save it as CSV."
        )
    return full[0], sheets[full[0]]


def _refuse_unknown_formulas(content: bytes, source: str, sheet: str, rows: list[NumberedRow]) -> None:
    """A formula that no spreadsheet program has worked out looks like an empty cell, but is none."""
    known = dict(rows)
    for number, row in _sheets(content, source, values=False)[sheet]:
        for column, formula in enumerate(row):
            if _is_formula(formula) and _padded(known.get(number, ()), len(row))[column] is None:
                raise InputError(
                    f"the formula {formula} has no value.",
                    f"{source}, row {number} of sheet {sheet}, column {column + 1}",
                    "open the file in a spreadsheet program and save it, or write the value.",
                )


def _has_formulas(content: bytes, source: str) -> bool:
    """Look through the XML of all sheets for formulas, and refuse rows and cells that openpyxl would leave out."""
    import zipfile

    found = False
    with _readable(source), zipfile.ZipFile(io.BytesIO(content)) as parts:
        for name in parts.namelist():
            if name.endswith(".xml"):
                outline = _Outline(f"{source}, {name}")
                with parts.open(name) as part:
                    outline.read(part)
                found = found or outline.formulas
    return found


class _Outline:
    """Rows, cells and formulas in the XML of a sheet.

    Rows must follow each other, and so must the cells of a row: of those that do not, openpyxl keeps one.
    """

    def __init__(self, where: str) -> None:
        self.formulas = False
        self._where, self._row, self._column = where, 0, 0

    def read(self, part: Any) -> None:
        """Look through a part of the archive; one that is no sheet has no rows."""
        from xml.parsers import expat

        parser = expat.ParserCreate(namespace_separator=" ")
        names = {"sheetData": self._rows_begin, "row": self._row_begins, "c": self._cell_begins, "f": self._formula}
        begun = {f"{SPREADSHEET} {name}": method for name, method in names.items()}
        parser.StartElementHandler = lambda tag, attributes: tag in begun and begun[tag](attributes)
        parser.ParseFile(part)

    def _rows_begin(self, attributes: dict[str, str]) -> None:
        self._row = 0

    def _row_begins(self, attributes: dict[str, str]) -> None:
        number = float(attributes.get("r", self._row + 1))
        if not self._row < number <= LAST_ROW:
            raise self._misplaced(f"row {number:.0f} cannot follow row {self._row}")
        self._row, self._column = int(number), 0

    def _cell_begins(self, attributes: dict[str, str]) -> None:
        letters = attributes.get("r", "").rstrip("0123456789")
        column = _column_number(letters) if letters else self._column + 1
        if column <= self._column and self._row:  # the order in which formulas are worked out is a part of its own
            raise self._misplaced(f"in row {self._row}, column {column} cannot follow column {self._column}")
        self._column = column

    def _formula(self, attributes: dict[str, str]) -> None:
        self.formulas = True

    def _misplaced(self, wrong: str) -> InputError:
        return InputError(f"{wrong}.", self._where, "open the file in a spreadsheet program and save it again.")


@cache
def _column_number(letters: str) -> int:
    """The number of a column by its letters.

    Examples
    --------
    >>> _column_number("A"), _column_number("XFD")
    (1, 16384)
    """
    number = 0
    for letter in letters.upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def _is_formula(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("=")


def _width(rows: list[NumberedRow]) -> int:
    """Number of columns up to the last that has anything in it."""
    return max(i + 1 for _, row in rows for i, value in enumerate(row) if not _is_empty(value))


def _padded(row: tuple[Any, ...], width: int) -> list[Any]:
    return [*row[:width], *[None] * (width - len(row))]
