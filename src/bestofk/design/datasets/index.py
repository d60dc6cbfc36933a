"""A folder of data sets with ``index.json``: what is in it, and each set verified as it is opened."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.design.datasets.authors_form import as_authors_used
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.datasets.entries import Entry, entry_of
from bestofk.design.datasets.indexed_files import dataset_of_indexed_file

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
