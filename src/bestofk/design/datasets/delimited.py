"""CSV and TSV: a header, then one row per line; a column is numbers when all its cells are."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.design.datasets.table import Cells, Table, distinct

MISSING = frozenset({"", "?", "NA", "N/A", "NaN", "nan", "null"})
DELIMITERS = ",;\t|"
#: A column with this share of numbers among its values is one of numbers with mistakes in it.
MOSTLY = 0.8
COMMAS = re.compile(r"[-+]?\d+(,\d+)+(\.\d+)?", re.ASCII)
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
#: What programs write for infinity: no category among numbers, and refused as a number where it is read.
INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)


def table_of_text(text: str, name: str, source: str, *, delimiter: str | None = None) -> Table:
    """Return the columns of a delimited text; empty cells, ?, NA, N/A, NaN and null are missing values."""
    where = f"data set {name}, {source}"
    lines = _rows(text, delimiter, where)
    if not lines:
        raise InputError("the file is empty.", where, "give a header and one row per example.")
    (_, header), body = lines[0], lines[1:]
    if all(NUMBER.fullmatch(heading.strip()) for heading in header):
        raise InputError(f"the first line holds numbers, {header[0]} for one, and no names.", where, "add a header.")
    names = distinct(header, where)
    if not body:
        raise InputError("the file has a header and no rows.", where, "add one row per example.")
    for number, row in body:
        if len(row) != len(names):
            raise InputError(
                f"line {number} has {len(row)} cells and the header {len(names)}.", where, "give every line all cells."
            )
    texts = dict(zip(names, zip(*(row for _, row in body), strict=True), strict=True))
    columns = {heading: cells_of_texts(cells) for heading, cells in texts.items()}
    lines_of = [number for number, _ in body]
    spoilt = {heading: said for heading, cells in columns.items() if (said := _spoilt(cells, lines_of))}
    return Table(name, source, columns, spoilt=spoilt)


def _spoilt(cells: Cells, lines: list[int]) -> str:
    """What is wrong with a column that is nearly one of numbers; empty for numbers and for categories."""
    if isinstance(cells, np.ndarray):
        return ""
    there = [(line, text) for line, text in zip(lines, cells, strict=True) if text is not None]
    wrong = [(line, text) for line, text in there if not _is_number(text)]
    commas = bool(wrong) and all(COMMAS.fullmatch(text) for _, text in wrong)
    if not wrong or (not commas and len(wrong) > (1.0 - MOSTLY) * len(there)):
        return ""
    line, text = wrong[0]
    if commas:
        return f"holds {text!r} in line {line}: numbers have a decimal point and no other sign"
    return f"holds {text!r} in line {line}, and {len(there) - len(wrong)} of its {len(there)} values are numbers"


def cells_of_texts(texts: Any) -> Cells:
    """Return numbers where every cell is one or missing, else texts."""
    trimmed = [text.strip() for text in texts]
    known = [None if text in MISSING else text for text in trimmed]
    if all(text is None for text in known) or not all(text is None or _is_number(text) for text in known):
        return known
    return np.array([np.nan if text is None else float(text) for text in known])


def _is_number(text: str) -> bool:
    return bool(NUMBER.fullmatch(text) or INFINITE.fullmatch(text))


def _rows(text: str, delimiter: str | None, where: str) -> list[tuple[int, list[str]]]:
    """Rows with the line they end on; empty lines are left out."""
    header = text.lstrip().split("\n", 1)[0]
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter or max(DELIMITERS, key=header.count), strict=True
    )
    try:
        return [(reader.line_num, row) for row in reader if any(cell.strip() for cell in row)]
    except csv.Error as error:
        raise InputError(
            f"line {reader.line_num} cannot be read: {error}.", where, "check its quotes and line ends."
        ) from None
