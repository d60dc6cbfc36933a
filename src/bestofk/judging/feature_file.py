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
    with path.open(newline="", encoding="utf-8-sig") as file:
        header, *rows = [*csv.reader(file, delimiter="\t" if path.suffix == ".tsv" else ",")] or [[]]
    if len(header) < 2 or not rows:
        raise InputError(f"{path.name} has no features.", f"{WHERE}, {path}", "give names and numbers, one row each.")
    place = next((i for i, name in enumerate(header) if name.strip().lower() in NAMED), 0)
    return {row[place]: _numbers(row, header, place, path, line) for line, row in enumerate(rows, 2) if row}


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
