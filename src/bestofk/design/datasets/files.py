"""Files of data, whose ending says how to read them, and the folder of data: ``BESTOFK_DATA`` or ``--data``.

The folder has ``index.json``, or any files that bestofk reads.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path

from bestofk.core.errors import InputError
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.datasets.index import FILE, Index
from bestofk.design.datasets.table import DATA, DataTable, Wishes, dataset_of_table, spoilt_columns
from bestofk.tables.files import BY_SUFFIX, ending_of, table_from_file

ENDINGS = tuple(BY_SUFFIX)
#: Formats that know the types of their columns: a column of words is one.
TYPED = (".arff", ".parquet", ".pq")


def is_file_name(source: str | os.PathLike[str]) -> bool:
    """Say whether a text means a file rather than a registered name."""
    text = os.fspath(source)
    return not isinstance(source, str) or "/" in text or os.sep in text or ending_of(Path(text)) in ENDINGS


def table_of_file(path: Path, wishes: Wishes) -> DataTable:
    """Return the columns of a file in any format that bestofk reads; text may be packed by gzip."""
    ending = ending_of(path)
    name = wishes.name or path.name.removesuffix(".gz").removesuffix(ending)
    where = f"data set {name}, {path}"
    if ending not in ENDINGS and not path.is_dir():
        raise InputError(
            f"files that end in {ending or 'nothing'} are not known.", where, f"give one of {', '.join(ENDINGS)}."
        )
    try:
        table = table_from_file(path, DATA)
    except InputError as error:
        raise InputError(error.wrong, f"data set {name}, {error.where}", error.fix) from None
    # What pandas wrote for a frame's index is no input unless the user names it.
    aside = {column for column in table.index if not wishes.names(column)}
    columns = {column: cells for column, cells in table.columns.items() if column not in aside}
    refused = {column: held for column, held in table.left_out.items() if column not in aside}
    spoilt = {} if ending in TYPED else spoilt_columns(table)
    return DataTable(name, str(path), columns, refused=refused, spoilt=spoilt)


VARIABLE = "BESTOFK_DATA"
#: Files of a folder that are taken for data sets: others of their kind are notes, settings and results.
TAKEN_FOR_DATA = (".csv", ".tsv", ".arff", ".parquet", ".xlsx")
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
        if path.is_file() and bare.lower().endswith(TAKEN_FOR_DATA):
            found.setdefault(bare.rpartition(".")[0], []).append(path)
    return found


@lru_cache(maxsize=8)
def _index(folder: Path, changed: int) -> Index:
    return Index.open(folder)
