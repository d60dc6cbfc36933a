"""What can still be read of a damaged SQLite store: row by row, each cell proved by its checksum."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bestofk.core.errors import InputError
from bestofk.stores.memory import MemoryStore
from bestofk.stores.packing import unpack
from bestofk.stores.rows import key_of_row
from bestofk.stores.sqlite_errors import in_three_lines
from bestofk.stores.sqlite_schema import connected, refuse_newer
from bestofk.stores.store import PlanRecord

_SERIES = "number, dataset, dataset_fingerprint, learner, learner_fingerprint, folds, seed, measures"
_GIVE_UP = 10_000  # rows in turn that cannot be read, where the last row's number cannot be read either


def rescued(path: str | Path) -> MemoryStore:
    """Return a store in memory with the plans and cells of a damaged one that are whole."""
    path, rescue = Path(path), MemoryStore()
    if not path.is_file():
        raise InputError(f"there is no store {path}.", "rescuing a store", "check the name.")
    with in_three_lines(str(path)), _padded_copy(path) as copy, closing(connected(copy)) as damaged:
        refuse_newer(damaged, path)
        series = {row[0]: row[1:] for row in _rows(damaged, "series", _SERIES, "number")}
        for number, start, stop, blob in _rows(damaged, "cells", "series, start, stop, blob", "rowid"):
            with suppress(InputError, KeyError):  # bytes that are not whole, or of a series that is lost
                *about, measures = series[number]
                key = key_of_row((*about, start, stop, measures))
                rescue.write([unpack(key, blob, where=str(path))])
        with suppress(sqlite3.DatabaseError):
            for row in damaged.execute("SELECT fingerprint, text, created, locked FROM plans"):
                rescue.record_plan(PlanRecord(*row))
    return rescue


@contextmanager
def _padded_copy(path: Path) -> Iterator[Path]:
    """A copy as long as its first page says: SQLite reads nothing of a file that was cut off."""
    with TemporaryDirectory() as folder:
        copy = Path(shutil.copy(path, Path(folder, "damaged.db")))
        log = Path(f"{path}-wal")
        if log.is_file():
            shutil.copy(log, f"{copy}-wal")
        with copy.open("r+b") as file:
            start = file.read(32)
            size = int.from_bytes(start[16:18], "big") * int.from_bytes(start[28:32], "big")
            if start.startswith(b"SQLite format 3\0") and copy.stat().st_size < size:
                file.truncate(size)
        yield copy


def _rows(connection: sqlite3.Connection, table: str, columns: str, number: str) -> Iterator[tuple[Any, ...]]:
    """Each row by its number, so that a damaged page costs its own rows only."""
    last, row, missed = _last(connection, table, number), 0, 0
    while row < last if last is not None else missed < _GIVE_UP:
        row, missed = row + 1, missed + 1
        with suppress(sqlite3.DatabaseError):
            found = connection.execute(f"SELECT {columns} FROM {table} WHERE {number} = ?", (row,)).fetchone()
            if found is not None:
                missed = 0
                yield found


def _last(connection: sqlite3.Connection, table: str, number: str) -> int | None:
    try:
        found = connection.execute(f"SELECT max({number}) FROM {table}").fetchone()[0]
    except sqlite3.DatabaseError:
        return None
    return int(found or 0)
