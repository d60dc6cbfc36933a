"""Features of data sets from a file: one row per data set, a column of names and columns of numbers."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.tables.cells import Purpose
from bestofk.tables.files import table_from_file

WHERE = "argument features"
#: Names of the column that names data sets; the first column where none is called so.
NAMED = ("dataset", "data set", "data_set", "name")
FEATURES = Purpose("data set", lambda name: name.lower() in NAMED)


def features_of(source: Mapping[str, Any] | str | PathLike[str]) -> Mapping[str, Any]:
    """Take features by data set as they are, or read them from a file of any format that bestofk reads."""
    if isinstance(source, Mapping):
        return source
    if not isinstance(source, str | PathLike):
        raise InputError(f"features are {source!r}.", WHERE, "give a file, or one dict of numbers per data set.")
    path = Path(source)
    if not path.is_file():
        raise InputError(f"there is no file {path}.", WHERE, "give a CSV file with a row per data set.")
    try:
        return _features(path)
    except InputError as error:
        raise InputError(error.wrong, f"{WHERE}, {error.where}", error.fix) from None


def _features(path: Path) -> dict[str, dict[str, float]]:
    table = table_from_file(path, FEATURES)
    named = next((name for name in table.names if name.lower() in NAMED), table.names[0])
    features = [name for name in table.names if name != named]
    if not features:
        fix = "give names and numbers, one row each, under a line with the columns' names."
        raise InputError(f"{path.name} has no features.", table.source, fix)
    words = table.text(named)
    for name in (named, *features):
        empty = words.codes < 0 if name == named else np.isnan(table.numbers(name))
        if empty.any():
            where = table.where(row=int(np.argmax(empty)), column=name)
            raise InputError(f"{name} is empty.", where, "give a name and a number for every feature.")
    found: dict[str, dict[str, float]] = {}
    for row, code in enumerate(words.codes.tolist()):
        if words.categories[code] in found:
            wrong = f"there are two data sets {words.categories[code]!r}."
            raise InputError(wrong, table.where(row=row), "name every data set once.")
        found[words.categories[code]] = {name: float(table.numbers(name)[row]) for name in features}
    return found
