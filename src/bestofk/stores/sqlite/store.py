"""The default store: one SQLite file. Every ``write`` is one transaction that is on the disk when it returns."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import RLock

from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.design.plan.cell import CellResult
from bestofk.stores import packed_store
from bestofk.stores.sqlite.schema import connected, in_three_lines, opened
from bestofk.stores.store import Finished, PlanRecord

_KEY = f"series.{packed_store.KEY_COLUMNS}"
_CELLS = "FROM series JOIN cells ON cells.series = series.number"
_ORDER = "ORDER BY series.id, start, stop"
_CHOSEN = "WHERE series.id IN (SELECT value FROM json_each(?))"


class SQLiteStore(packed_store.PackedStore):
    """Cells in an SQLite file. Any number of readers; one writer, from its first write until it closes."""

    def __init__(self, path: str | Path, *, create: bool = True) -> None:
        self._path = Path(path)
        self._given = str(path)
        self._connection: sqlite3.Connection | None = opened(self._path, create=create)
        self._lock = WriterLock(self._path)
        self._guard = RLock()  # results may come from threads
        self._process = os.getpid()

    @property
    def url(self) -> str:
        """The path, as the user named it."""
        return self._given

    def record_plan(self, plan: PlanRecord) -> None:
        """Keep a plan; the same fingerprint again changes nothing but a lock that was not there."""
        row = (plan.fingerprint, plan.text, plan.created, plan.locked)
        with self._transaction() as connection:
            connection.execute(
                "INSERT INTO plans VALUES (?, ?, ?, ?) "
                "ON CONFLICT (fingerprint) DO UPDATE SET locked = coalesce(locked, excluded.locked)",
                row,
            )

    def plans(self) -> list[PlanRecord]:
        """All plans, oldest first."""
        query = "SELECT fingerprint, text, created, locked FROM plans ORDER BY created, fingerprint"
        with self._reading() as connection:
            return [packed_store.plan_of_row(row) for row in connection.execute(query)]

    def forget_plan(self, fingerprint: str) -> None:
        """Take a plan out; its cells stay, and one that is not there is no fault."""
        with self._transaction() as connection:
            connection.execute("DELETE FROM plans WHERE fingerprint = ?", (fingerprint,))

    @contextmanager
    def alone(self) -> Iterator[None]:
        """While it lasts nobody else can record a plan: from here on this is the one that writes."""
        with self._guard:
            with self._transaction():
                pass  # for the right to write, which lasts until the store is closed
            yield

    def finished(self, series: Sequence[str] | None = None) -> list[Finished]:
        """Cells in the store, of these series or of all, without their results."""
        with self._reading() as connection:
            rows = _select(connection, f"{_KEY}, failed", series)
            return [packed_store.finished_of_row(row, where=self.url) for row in rows]

    def write(self, results: Sequence[CellResult]) -> None:
        """Add cells in one transaction; the same id replaces, other replications that are there are cut off."""
        new = packed_store.packed(results)
        series = {each.key.series: each.key for each in new}
        with self._transaction() as connection:
            there = _select(connection, "series.id, start, stop", list(series)).fetchall()
            connection.executemany(
                "INSERT INTO series VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
                [(id, *packed_store.series_row(key)) for id, key in series.items()],
            )
            connection.executemany(
                "INSERT INTO cells SELECT number, ?, ?, ?, ? FROM series WHERE id = ? "
                "ON CONFLICT (series, start, stop) DO UPDATE SET failed = excluded.failed, blob = excluded.blob",
                [
                    (each.key.start, each.key.stop, each.failed, each.blob, each.key.series)
                    for each in packed_store.trimmed(new, there, where=self.url)
                ],
            )

    def remove(self, ids: Sequence[str]) -> None:
        """Take cells out, so that they run again; ids that are not there are no fault."""
        rows = [self._parts_of_id(id) for id in ids]
        with self._transaction() as connection:
            connection.executemany(
                "DELETE FROM cells WHERE series = (SELECT number FROM series WHERE id = ?) AND start = ? AND stop = ?",
                rows,
            )

    def packed(self, series: Sequence[str] | None = None) -> Iterator[packed_store.Packed]:
        """Cells with their bytes, sorted by series, start and stop; a snapshot of the moment of the first one."""
        self._alive()
        return self._snapshot(series)

    def faults(self) -> list[str]:
        """What ``PRAGMA integrity_check`` finds, the first ten, cells of no series, wrong ids and names."""
        found: list[str] = []
        with self._reading() as connection:
            try:
                found.extend(str(row[0]) for row in connection.execute("PRAGMA integrity_check(10)") if row[0] != "ok")
                if lost := connection.execute("PRAGMA foreign_key_check(cells)").fetchall():
                    found.append(f"{counted(len(lost), 'cell')} of a series that is not there.")
                query = f"SELECT {packed_store.SERIES_COLUMNS} FROM series ORDER BY id"  # noqa: S608  names of ours
                found.extend(packed_store.faults_of_series(connection.execute(query), where=self.url))
                rows = connection.execute("SELECT name, value FROM meta")
                found.extend(packed_store.faults_of_meta(rows, "created", "writer"))
            except sqlite3.DatabaseError as error:  # so damaged that the check itself gives up
                found.append(f"the file is damaged: {error}.")
        return found

    def close(self) -> None:
        """Let go of the file and of the right to write."""
        if self._process != os.getpid():
            return  # a fork: what it sees belongs to its parent
        with self._guard:
            if self._connection is not None:
                self._connection.close()
                self._lock.release()
            self._connection = None

    def _snapshot(self, series: Sequence[str] | None) -> Iterator[packed_store.Packed]:
        """A connection of its own, so that writing in between does not disturb the reading."""
        with in_three_lines(self.url), closing(connected(self._path)) as connection:
            for row in _select(connection, f"{_KEY}, failed, blob", series):
                yield packed_store.packed_of_row(row, where=self.url)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._guard, in_three_lines(self.url):
            yield self._alive()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """All or nothing: whatever goes wrong inside leaves the file as it was."""
        with self._guard, in_three_lines(self.url):
            connection = self._alive()
            first = self._take_right(connection)
            connection.execute("BEGIN IMMEDIATE")
            try:
                if first:
                    connection.execute("INSERT OR REPLACE INTO meta VALUES ('writer', ?)", (_this_process(),))
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def _take_right(self, connection: sqlite3.Connection) -> bool:
        if self._lock.held:
            return False
        if not self._lock.take():
            writer = connection.execute("SELECT value FROM meta WHERE name = 'writer'").fetchone()
            raise InputError(
                f"another run is writing to the store ({writer[0] if writer else 'just started'}).",
                self.url,
                "wait for it or end it; several runs at once need a PostgreSQL store: --into postgresql://…",
            )
        return True

    def _alive(self) -> sqlite3.Connection:
        if self._connection is None:
            raise self._closed()
        if self._process != os.getpid():
            raise InputError(
                "the store was opened by another process.", self.url, "open it in the process that uses it."
            )
        return self._connection


def _select(connection: sqlite3.Connection, columns: str, series: Sequence[str] | None) -> sqlite3.Cursor:
    if series is None:
        return connection.execute(f"SELECT {columns} {_CELLS} {_ORDER}")
    return connection.execute(f"SELECT {columns} {_CELLS} {_CHOSEN} {_ORDER}", (json.dumps(list(series)),))


def _this_process() -> str:
    return f"process {os.getpid()} on {socket.gethostname()}"


class WriterLock:
    """The right to write to a store: the system itself takes it back when its holder dies, however it dies.

    It is SQLite's own exclusive lock on an empty file beside the store: it works wherever SQLite works, is not
    inherited by a fork, and needs no guess whether a noted process is still alive.
    """

    def __init__(self, store: Path) -> None:
        self._path = Path(f"{store.resolve()}-writer")
        self._connection: sqlite3.Connection | None = None

    @property
    def held(self) -> bool:
        """Whether this object has the right."""
        return self._connection is not None

    def take(self) -> bool:
        """Take the right and keep it until ``release``; False when another process or object has it."""
        while not self.held:
            before = self._inode(create=True)
            connection = sqlite3.connect(self._path, timeout=0, isolation_level=None, check_same_thread=False)
            try:
                connection.execute("BEGIN EXCLUSIVE")
            except sqlite3.Error as error:
                connection.close()
                if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                    return False
                raise
            if self._inode() == before:
                self._connection = connection
            else:  # the last holder took the file away in between: this lock is on a file nobody else will see
                connection.close()
        return True

    def release(self) -> None:
        """Give the right back. The file goes while the lock is still held, so that nobody can lock a lost one."""
        if self._connection is not None:
            with suppress(OSError):
                self._path.unlink()
            self._connection.close()
            self._connection = None

    def _inode(self, *, create: bool = False) -> int | None:
        if create:
            with suppress(FileExistsError):  # only a new file may be closed here: closing drops a process's locks on it
                os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666))
        try:
            return self._path.stat().st_ino
        except FileNotFoundError:
            return None
