"""Features of data sets from a file: one row per data set, a column of names and columns of numbers."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from bestofk.core.errors import InputError

WHERE = "argument features"
#: Names of the column that names data sets; the first column where none is called so.
NAMED = ("dataset", "data set", "data_set", "name")


def features_of(source: Mapping[str, Any] | str | PathLike[str]) -> Mapping[str, Any]:
    """Take features by data set as they are, or read them from a CSV or TSV file."""
    if isinstance(source, Mapping):
        return source
    if not isinstance(source, str | PathLike):
        raise InputError(f"features are {source!r}.", WHERE, "give a file, or one dict of numbers per data set.")
    path = Path(source)
    if not path.is_file():
        raise InputError(f"there is no file {path}.", WHERE, "give a CSV file with a row per data set.")
    lines = _lines(path)
    header = lines[0][1] if lines else []
    if len(header) < 2 or len(lines) < 2:
        raise InputError(f"{path.name} has no features.", f"{WHERE}, {path}", _hint(header))
    _refuse_twice(header, "column", f"{WHERE}, {path}")
    place = next((i for i, name in enumerate(header) if name.lower() in NAMED), 0)
    _refuse_twice([row[place] for _, row in lines[1:] if len(row) > place], "data set", f"{WHERE}, {path}")
    numbers = [_numbers(row, header, place, path, line) for line, row in lines[1:]]
    return {row[place]: found for (_, row), found in zip(lines[1:], numbers, strict=True)}


def _lines(path: Path) -> list[tuple[int, list[str]]]:
    """Line numbers and cells without blanks around them; lines without any text are left out."""
    where = f"{WHERE}, {path}"
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file, delimiter="\t" if path.suffix == ".tsv" else ",")
            read = [(reader.line_num, [cell.strip() for cell in row]) for row in reader]
    except UnicodeDecodeError as error:
        raise InputError(f"{path.name} is not text in UTF-8.", where, "save it as CSV in UTF-8.") from error
    except csv.Error as error:
        raise InputError(f"{path.name} is not a table: {error}.", where, "save it as CSV in UTF-8.") from error
    if any("\0" in cell for _, row in read for cell in row):
        raise InputError(f"{path.name} has bytes of 0, which are no text.", where, "save it as CSV in UTF-8.")
    return [(line, row) for line, row in read if any(row)]


def _hint(header: list[str]) -> str:
    separator = next((name for name in (";", "\t", "|") if len(header) == 1 and name in header[0]), None)
    if separator is None:
        return "give names and numbers, one row each, under a line with the columns' names."
    return f"separate columns by commas, not {separator!r}, or by tabs in a file .tsv."


def _refuse_twice(names: list[str], what: str, where: str) -> None:
    twice = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if twice is not None:
        raise InputError(f"there are two {what}s {twice!r}.", where, f"name every {what} once.")


def _numbers(row: list[str], header: list[str], place: int, path: Path, line: int) -> dict[str, float]:
    if len(row) != len(header):
        raise InputError(
            f"there are {len(row)} cells for {len(header)} columns.",
            f"{WHERE}, {path}, line {line}",
            "complete the row.",
        )
    found = {name: _number(cell) for i, (name, cell) in enumerate(zip(header, row, strict=True)) if i != place}
    wrong = next((name for name, value in found.items() if not np.isfinite(value)), None)
    if wrong is not None:
        cell = row[header.index(wrong)]
        raise InputError(f"{wrong} is {cell!r}.", f"{WHERE}, {path}, line {line}", "give a number for every feature.")
    return found


def _number(cell: str) -> float:
    try:
        return float(cell)
    except ValueError:
        return float("nan")
