"""A folder of data sets with ``index.json``: what is in it, and each set verified as it is opened."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.names import unknown
from bestofk.design.datasets.columns import coded
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.datasets.paper_sets import AuthorsForm, as_authors_used
from bestofk.tables.text_files import opened

FILE = "index.json"
#: ``columns``: every row, types as the index has them. ``authors``: as the papers' authors used the set.
FORMS = ("columns", "authors")


@frozen(eq=False)
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
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{FILE} cannot be read: {error}.", str(path), "give JSON in UTF-8.") from None
    if not isinstance(data, dict) or not isinstance(data.get("sets"), dict):
        raise InputError(f"{FILE} has no table of sets.", str(path), 'give {"sets": {"NAME": {…}}}.')
    if not isinstance(data.get("aliases", {}), dict):
        raise InputError("aliases is no table.", str(path), 'give {"aliases": {"OTHER NAME": "NAME"}}.')
    return data


Rows = list[list[str]]
_AGAIN = "copy it again."


def dataset_of_indexed_file(path: Path, entry: Entry) -> Dataset:
    """Return the data set of an entry; a file that is not the one the index describes is refused."""
    where = f"data set {entry.name}, {path}"
    try:
        with opened(path) as file:
            content = file.read()
    except InputError as error:
        raise InputError(error.wrong, where, "copy it again, or complete the folder.") from None
    rows = _rows(content, where)
    _refuse_another(content, rows, entry, where)
    *columns, target = zip(*rows[1:], strict=True)
    features = tuple(map(partial(_feature, where=where), entry.columns, columns, entry.types))
    y, classes = coded([cell or None for cell in target])
    return Dataset(entry.name, features, y, classes, rows[0][-1], source=str(path))


def _rows(content: bytes, where: str) -> Rows:
    try:
        rows = [row for row in csv.reader(io.StringIO(content.decode("utf-8"), newline=""), strict=True) if row]
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"the file is no CSV in UTF-8: {error}.", where, _AGAIN) from None
    if len(rows) < 2:
        raise InputError("the file has no rows.", where, _AGAIN)
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise InputError(f"line {number} has {len(row)} cells and the header {len(rows[0])}.", where, _AGAIN)
    return rows


def _refuse_another(content: bytes, rows: Rows, entry: Entry, where: str) -> None:
    """Say what differs from the index: shape, names and classes first, for they tell more than a hash."""
    header, *body = rows
    digest = hashlib.sha256(content).hexdigest()
    compared: dict[str, tuple[object, object]] = {
        "rows": (len(body), entry.rows),
        "columns": (len(header) - 1, len(entry.columns)),
        "names": (", ".join(header[:-1]), ", ".join(entry.columns)),
        "classes": (_told(Counter(row[-1] for row in body)), _told(entry.classes)),
        "SHA-256": (digest, entry.sha256.lower() if entry.sha256 else digest),
    }
    for what, (found, wanted) in compared.items():
        if found != wanted:
            told = f"{what} {_short(found)} instead of {_short(wanted)}"
            fix = "copy it again; for data of your own, take the entry out of index.json or correct it."
            raise InputError(f"this is not the file that index.json describes: {told}.", where, fix)


def _told(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))


def _short(value: object, most: int = 80) -> str:
    text = str(value)
    return text if len(text) <= most else f"{text[:most]}…"


def _feature(name: str, cells: tuple[str, ...], kind: str, where: str) -> Feature:
    if kind == "c":
        return Feature(name, *coded([cell or None for cell in cells]))
    try:
        numbers = np.array([cell or "nan" for cell in cells], dtype=np.float64)
    except ValueError as error:
        raise InputError(f"column {name} is not numeric: {error}.", where, "correct its type in index.json.") from None
    if np.isinf(numbers).any():
        row = int(np.flatnonzero(np.isinf(numbers))[0]) + 1
        fix = "give a number, or leave the cell empty where it is missing."
        raise InputError(f"column {name} is infinite at row {row}.", where, fix)
    return Feature(name, numbers)


#: A long row of equal types is written n*5469.
REPEATED = re.compile(r"([nc])\*(\d+)")
#: The paper's own error rates are met without this column only, though its definition file counts it.
LEFT_OUT = {"segment": ("hue_mean",)}


@frozen
class Entry:
    """A data set of the index: ``types`` has n (numeric) or c (nominal) per column, ``classes`` counts by name.

    ``authors`` is None where the papers' authors left no definition.
    """

    name: str
    file: str
    rows: int
    columns: tuple[str, ...]
    types: str
    classes: Mapping[str, int]
    sha256: str | None = None
    aliases: tuple[str, ...] = ()
    missing: int | None = None
    notes: str = ""
    licence: str | None = None
    openml_id: int | None = None
    authors: AuthorsForm | None = None


def entry_of(name: str, described: Any, aliases: tuple[str, ...], where: str) -> Entry:
    """Return the entry of a set, or say which part of its description cannot be used."""
    where = f"{where}, sets.{name}"
    try:
        return _read(name, described, aliases)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        told = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(
            f"the entry {name} cannot be used: {told}.",
            where,
            "give N, columns.names, columns.types (n or c each) and classes with their counts.",
        ) from None


def _read(name: str, described: Any, aliases: tuple[str, ...]) -> Entry:
    columns, types = _names(described["columns"]["names"]), _types(described["columns"]["types"])
    if len(set(columns)) != len(columns):
        raise ValueError("it names a column twice")
    if len(columns) != len(types):
        raise ValueError(f"it names {len(columns)} columns and {len(types)} types")
    return Entry(
        name=name,
        file=_file(described.get("file", f"{name}.csv.gz")),
        rows=int(described["N"]),
        columns=columns,
        types=types,
        classes=_counts(described["classes"]),
        sha256=described.get("sha256_csv"),
        aliases=aliases,
        missing=described.get("missing_values"),
        notes=described.get("note") or "",
        licence=described.get("licence"),
        openml_id=described.get("openml_id"),
        authors=_authors(name, described.get("authors"), columns),
    )


def _authors(name: str, described: Any, columns: tuple[str, ...]) -> AuthorsForm | None:
    if not described:
        return None
    left_out = tuple(column for column in LEFT_OUT.get(name, ()) if column in columns)
    types = _types(described["types"])
    if len(types) != len(columns):
        raise ValueError(f"authors.types has {len(types)} letters for {len(columns)} columns")
    return AuthorsForm(int(described["N"]), types, _counts(described["classes"]), left_out)


def _names(described: Any) -> tuple[str, ...]:
    """Names as a list, or as prefix, from and to where they are numbered through."""
    if isinstance(described, Mapping):
        numbers = range(int(described["from"]), int(described["to"]) + 1)
        return tuple(f"{described['prefix']}{number}" for number in numbers)
    return tuple(str(name) for name in described)


def _types(described: str) -> str:
    repeated = REPEATED.fullmatch(described)
    types = repeated[1] * int(repeated[2]) if repeated else described
    if set(types) - {"n", "c"}:
        raise ValueError(f"types are n and c, not {described[:40]!r}")
    return types


def _counts(described: Mapping[str, Any]) -> Mapping[str, int]:
    return MappingProxyType({str(name): int(count) for name, count in described.items()})


def _file(name: str) -> str:
    """A file beside the index, never one elsewhere."""
    if not name or "/" in name or "\\" in name or name in (".", ".."):
        raise ValueError(f"the file {name!r} does not lie beside index.json")
    return name
