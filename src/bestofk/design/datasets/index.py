"""A folder of data sets with ``index.json``: what is in it, and each set verified as it is opened."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.design.datasets.authors_form import as_authors_used
from bestofk.design.datasets.columns import coded
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.datasets.entries import Entry, entry_of
from bestofk.design.datasets.unpacking import unpacked

FILE = "index.json"
#: ``columns``: every row, types as the index has them. ``authors``: as the papers' authors used the set.
FORMS = ("columns", "authors")


@dataclass(frozen=True, eq=False)
class Index:
    """The entries of a folder by name; aliases lead to the same entries."""

    folder: Path
    entries: dict[str, Entry]
    aliases: dict[str, str]

    @classmethod
    def open(cls, folder: str | Path) -> Index:
        """Read ``index.json`` of a folder."""
        path = Path(folder) / FILE
        data = _loaded(path)
        aliases = {str(alias): str(name) for alias, name in data.get("aliases", {}).items()}
        entries = {
            name: entry_of(name, described, tuple(a for a, of in aliases.items() if of == name), str(path))
            for name, described in data["sets"].items()
        }
        return cls(Path(folder), entries, {alias: name for alias, name in aliases.items() if name in entries})

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the sets, in the order of the index."""
        return tuple(self.entries)

    def __contains__(self, name: str) -> bool:
        return name in self.entries or name in self.aliases

    def entry(self, name: str) -> Entry:
        """Return what the index says of a set, by its name or an alias."""
        found = self.entries.get(self.aliases.get(name, name))
        if found is None:
            raise unknown(name, [*self.entries, *self.aliases], what="data set", where=str(self.folder / FILE))
        return found

    def dataset(self, name: str, form: str = "columns") -> Dataset:
        """Return a set, its file verified; ``form="authors"`` as the papers' authors used it."""
        if form not in FORMS:
            raise unknown(form, FORMS, what="form of a data set", where=f"data set {name}, argument form")
        entry = self.entry(name)
        path = self.folder / entry.file
        if form == "columns":
            return dataset_of_indexed_file(path, entry)
        if entry.authors is None:
            raise InputError(
                f"the papers' authors left no definition of {name}.",
                f"{self.folder / FILE}, sets.{entry.name}, authors",
                f'open it as it is: form = "columns", or {name}@columns.',
            )
        return as_authors_used(dataset_of_indexed_file(path, entry), entry.authors)


def _loaded(path: Path) -> dict[str, Any]:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"the folder has no {FILE}." if path.parent.is_dir() else f"there is no such folder: {path.parent}.",
            str(path),
            "name the folder that holds the data sets (BESTOFK_DATA, --data).",
        ) from None
    except (OSError, ValueError) as error:
        raise InputError(f"{FILE} cannot be read: {error}.", str(path), "give JSON in UTF-8.") from None
    if not isinstance(data, dict) or not isinstance(data.get("sets"), dict):
        raise InputError(f"{FILE} has no table of sets.", str(path), 'give {"sets": {"NAME": {…}}}.')
    if not isinstance(data.get("aliases", {}), dict):
        raise InputError("aliases is no table.", str(path), 'give {"aliases": {"OTHER NAME": "NAME"}}.')
    return data


Rows = list[list[str]]


def dataset_of_indexed_file(path: Path, entry: Entry) -> Dataset:
    """Return the data set of an entry; a file that is not the one the index describes is refused."""
    where = f"data set {entry.name}, {path}"
    content = unpacked(path, where)
    rows = _rows(content, where)
    _refuse_another(content, rows, entry, where)
    *columns, target = zip(*rows[1:], strict=True)
    features = tuple(
        _feature(name, cells, kind, where)
        for name, cells, kind in zip(entry.columns, columns, entry.types, strict=True)
    )
    y, classes = coded([cell or None for cell in target])
    return Dataset(entry.name, features, y, classes, rows[0][-1], source=str(path))


def _rows(content: bytes, where: str) -> Rows:
    try:
        rows = [row for row in csv.reader(io.StringIO(content.decode("utf-8"), newline=""), strict=True) if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"the file is no CSV in UTF-8: {error}.", where, "copy it again.") from None
    if len(rows) < 2:
        raise InputError("the file has no rows.", where, "copy it again.")
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise InputError(
                f"line {number} has {len(row)} cells and the header {len(rows[0])}.", where, "copy it again."
            )
    return rows


def _refuse_another(content: bytes, rows: Rows, entry: Entry, where: str) -> None:
    """Say what differs from the index: shape, names and classes first, for they tell more than a hash."""
    header, *body = rows
    found = {
        "rows": len(body),
        "columns": len(header) - 1,
        "names": ", ".join(header[:-1]),
        "classes": _told(Counter(row[-1] for row in body)),
        "SHA-256": hashlib.sha256(content).hexdigest(),
    }
    expected = {
        "rows": entry.rows,
        "columns": len(entry.columns),
        "names": ", ".join(entry.columns),
        "classes": _told(Counter(dict(entry.classes))),
        "SHA-256": entry.sha256.lower() if entry.sha256 else found["SHA-256"],
    }
    for what, value in expected.items():
        if found[what] != value:
            raise InputError(
                f"this is not the file that index.json describes: {what} {_short(found[what])} "
                f"instead of {_short(value)}.",
                where,
                "copy it again; for data of your own, take the entry out of index.json or correct it.",
            )


def _told(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))


def _short(value: object, most: int = 80) -> str:
    text = str(value)
    return text if len(text) <= most else f"{text[:most]}…"


def _feature(name: str, cells: tuple[str, ...], kind: str, where: str) -> Feature:
    if kind == "c":
        codes, categories = coded([cell or None for cell in cells])
        return Feature(name, codes, categories)
    try:
        numbers = np.array([cell or "nan" for cell in cells], dtype=np.float64)
    except ValueError as error:
        raise InputError(f"column {name} is not numeric: {error}.", where, "correct its type in index.json.") from None
    if np.isinf(numbers).any():
        row = int(np.flatnonzero(np.isinf(numbers))[0]) + 1
        raise InputError(
            f"column {name} is infinite at row {row}.",
            where,
            "give a number, or leave the cell empty where it is missing.",
        )
    return Feature(name, numbers)
