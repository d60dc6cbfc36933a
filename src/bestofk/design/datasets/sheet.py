"""XLSX: the first sheet, its first row the header. Needs the extra ``tables`` (openpyxl)."""

from __future__ import annotations

import io
import warnings
import zipfile
from datetime import date, time, timedelta
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError
from bestofk.core.extras import need
from bestofk.design.datasets.columns import numbers_in
from bestofk.design.datasets.delimited import MISSING
from bestofk.design.datasets.table import Cells, Table, distinct

MOMENTS = (date, time, timedelta)


def table_of_sheet(path: Path, name: str) -> Table:
    """Return the columns of the only sheet that holds something."""
    where = f"data set {name}, {path}"
    sheets = {title: rows for title, rows in _sheets(path, where).items() if rows}
    if len(sheets) != 1:
        raise InputError(
            f"{len(sheets)} sheets hold data{': ' + ', '.join(sheets) if sheets else ''}.", where, "keep one sheet."
        )
    header, *body = next(iter(sheets.values()))
    width = max((i + 1 for row in (header, *body) for i, value in enumerate(row) if value is not None), default=0)
    names = distinct(["" if value is None else value for value in header[:width]], where)
    if not body:
        raise InputError("the sheet has a header and no rows.", where, "add one row per example.")
    columns = {heading: [row[i] for row in body] for i, heading in enumerate(names)}
    dated = [heading for heading, cells in columns.items() if any(isinstance(cell, MOMENTS) for cell in cells)]
    read = {heading: _cells(cells) for heading, cells in columns.items()}
    return Table(name, str(path), read, refused=dict.fromkeys(dated, "dates or times"))


def _cells(cells: list[Any]) -> Cells:
    numbers = numbers_in(cells)
    return cells if numbers is None else numbers


def _sheets(path: Path, where: str) -> dict[str, list[list[Any]]]:
    openpyxl = need("openpyxl", purpose="reading XLSX files")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles and charts, which are not read
            book = openpyxl.load_workbook(io.BytesIO(path.read_bytes()), read_only=True, data_only=True)
            return {sheet.title: _rows(sheet) for sheet in book.worksheets}
    except (zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError, OSError, SyntaxError) as error:
        raise InputError(
            f"this is no XLSX file that can be read: {error}.", where, "save it as XLSX again, or as CSV."
        ) from None


def _rows(sheet: Any) -> list[list[Any]]:
    rows = [[_value(value) for value in row] for row in sheet.iter_rows(values_only=True)]
    return [row for row in rows if any(value is not None for value in row)]


def _value(value: Any) -> Any:
    return None if isinstance(value, str) and value.strip() in MISSING else value
