"""The folder of data: ``BESTOFK_DATA`` or ``--data``; with ``index.json`` or any files that bestofk reads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

from bestofk.core.errors import InputError
from bestofk.design.datasets.building import dataset_of_table
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.datasets.files import ENDINGS, table_of_file
from bestofk.design.datasets.index import FILE, Index
from bestofk.design.datasets.table import Wishes

VARIABLE = "BESTOFK_DATA"
_CHOSEN: ContextVar[Path | None] = ContextVar("folder of data", default=None)


@contextmanager
def looking_in(folder: str | Path | None) -> Iterator[None]:
    """Open names from this folder while the block runs, whatever ``BESTOFK_DATA`` says; None changes nothing."""
    token = None if folder is None else _CHOSEN.set(_existing(Path(folder)))
    try:
        yield
    finally:
        if token is not None:
            _CHOSEN.reset(token)


def data_folder() -> Path | None:
    """Return the folder that names are looked up in, None where none is said."""
    chosen = _CHOSEN.get()
    if chosen is not None:
        return chosen
    said = os.environ.get(VARIABLE)
    return _existing(Path(said)) if said else None


def index_of(folder: Path) -> Index | None:
    """Return the index of a folder, read again when it has changed; None where there is none."""
    path = folder / FILE
    return _index(folder, path.stat().st_mtime_ns) if path.is_file() else None


def names_in(folder: Path) -> tuple[str, ...]:
    """Return the names that a folder can open: those of its index, then those of its other files."""
    index = index_of(folder)
    indexed = {entry.file for entry in index.entries.values()} if index else set()
    others = [name for name, files in _files(folder).items() if not {file.name for file in files} & indexed]
    return (*(index.names if index else ()), *(name for name in others if index is None or name not in index))


def dataset_of_file_in(folder: Path, name: str, wishes: Wishes) -> Dataset:
    """Return the data set of the file of that name, whatever its ending; two such files are refused."""
    files = _files(folder)[name]
    if len(files) > 1:
        raise InputError(
            f"{' and '.join(file.name for file in files)} are both called {name}.",
            f"data set {name}, {folder}",
            "name the file with its folder and ending.",
        )
    return dataset_of_table(table_of_file(files[0], wishes), wishes)


def _existing(folder: Path) -> Path:
    if not folder.is_dir():
        raise InputError(f"there is no such folder: {folder}.", f"{VARIABLE} or --data", "name a folder of data sets.")
    return folder


def _files(folder: Path) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        bare = path.name.removesuffix(".gz")
        if path.is_file() and bare.lower().endswith(ENDINGS):
            found.setdefault(bare.rpartition(".")[0], []).append(path)
    return found


@lru_cache(maxsize=8)
def _index(folder: Path, changed: int) -> Index:
    return Index.open(folder)
