"""The file of an SQLite store: its tables, opening it, and what SQLite complains about in three lines."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import quote

from bestofk.core.errors import InputError
from bestofk.stores.store import SQLITE_APPLICATION, too_new

VERSION = 1
PATIENCE = 20.0  # seconds for a program that holds the file for a moment
_PAGE = 16_384  # bytes: cells are kilobytes, which small pages would scatter

_TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE plans (fingerprint TEXT PRIMARY KEY, text TEXT NOT NULL, created TEXT NOT NULL, locked TEXT) WITHOUT ROWID;
CREATE TABLE series (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,
    dataset TEXT NOT NULL, dataset_fingerprint TEXT NOT NULL,
    learner TEXT NOT NULL, learner_fingerprint TEXT NOT NULL,
    folds TEXT NOT NULL, seed TEXT NOT NULL, measures TEXT NOT NULL
);
CREATE TABLE cells (
    series INTEGER NOT NULL REFERENCES series (number), start INTEGER NOT NULL, stop INTEGER NOT NULL,
    failed INTEGER NOT NULL, blob BLOB NOT NULL, UNIQUE (series, start, stop)
);
"""
_AGAIN = "then run the same command again: everything that was acknowledged is kept."
#: primary result code → what is wrong, what to do.
_TOLD = {
    sqlite3.SQLITE_FULL: ("there is no space left for the store", f"free some space, {_AGAIN}"),
    sqlite3.SQLITE_IOERR: ("the store cannot be read or written", f"see to the disk and its free space, {_AGAIN}"),
    sqlite3.SQLITE_READONLY: (
        "the store cannot be written: the file or its folder is read-only",
        "give yourself the right to write to both, or collect into another file: --into other.db.",
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "the store cannot be opened",
        "see that its folder exists and that you may read and write there.",
    ),
    sqlite3.SQLITE_PERM: ("the store may not be opened", "give yourself the right to read and write it."),
    sqlite3.SQLITE_BUSY: (
        "the store is held by another program",
        f"end what writes to it (a database browser, a backup), {_AGAIN}",
    ),
    sqlite3.SQLITE_CORRUPT: (
        "the store is damaged",
        "take your copy of it, or save what can be read and collect the rest: "
        "bestofk store merge new.db old.db --rescue.",
    ),
    sqlite3.SQLITE_NOTADB: (
        "the file is not a store of bestofk",
        "name another file: results are collected into an SQLite file of their own, such as results.db.",
    ),
}


def opened(path: Path, *, create: bool) -> sqlite3.Connection:
    """Open a store for reading and writing; where writing is impossible, for reading."""
    _check_path(path, create)
    with in_three_lines(str(path)):
        return _settled(path, create, until=monotonic() + PATIENCE)


def _settled(path: Path, create: bool, until: float) -> sqlite3.Connection:
    """A connection to a store that is made; SQLite by itself does not wait for another that makes it just now."""
    while True:
        connection = connected(path)
        try:
            _settle(connection, path, create)
        except sqlite3.OperationalError as error:
            connection.close()
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > until:
                raise
            sleep(0.02)
        except BaseException:
            connection.close()
            raise
        else:
            return connection


def connected(path: Path) -> sqlite3.Connection:
    """A connection that makes every commit safe against a crash of the machine, not of the process alone.

    With synchronous = FULL a commit returns after the write-ahead log is on the disk; NORMAL would lose the last ones
    when the power fails.
    """
    address = f"file:{quote(str(path.resolve()))}?mode={'rw' if path.exists() else 'rwc'}"
    try:
        return _connected(address)
    except sqlite3.Error as error:
        cannot = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
        if not cannot or _write_ahead_log(path).exists():
            raise
        # A store in a folder that cannot be written needs no log as long as nobody writes.
        return _connected(f"{address}&immutable=1")


def _connected(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        address, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False, cached_statements=32
    )
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")  # damage is told by checksums
    try:
        for setting in ("synchronous = FULL", "trusted_schema = OFF", "schema_version"):  # the last one reads the file
            connection.execute(f"PRAGMA {setting}").fetchone()
    except UnicodeDecodeError:  # the message of an error quotes a schema that is no text
        connection.close()
        malformed = sqlite3.DatabaseError("malformed database schema")
        malformed.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
        raise malformed from None
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _write_ahead_log(path: Path) -> Path:
    return Path(f"{path.resolve()}-wal")


def _check_path(path: Path, create: bool) -> None:
    if path.is_dir():
        raise InputError(f"{path} is a folder.", "opening a store", f"name a file: {path / 'results.db'}.")
    if path.exists() and not path.is_file():
        raise InputError(f"{path} is a pipe or a device, and no file.", "opening a store", "name a file: results.db.")
    if not path.exists() and not create:
        raise InputError(
            f"there is no store {path}.", "opening a store", "check the name, or collect into it: bestofk collect."
        )
    if not path.parent.is_dir():
        raise InputError(f"the folder {path.parent} does not exist.", f"opening the store {path}", "make it first.")


def _settle(connection: sqlite3.Connection, path: Path, create: bool) -> None:
    if _is_empty(connection):
        if not create:
            raise _no_store(path)
        _make(connection)
    if _number(connection, "application_id") != SQLITE_APPLICATION:
        raise _no_store(path)
    refuse_newer(connection, path)


def refuse_newer(connection: sqlite3.Connection, path: Path) -> None:
    """Refuse a store of a format that this version does not know: what it reads there may mean something else."""
    version = _number(connection, "user_version")
    if version > VERSION and _number(connection, "application_id") == SQLITE_APPLICATION:
        raise too_new("the store", version, VERSION, str(path))


def _make(connection: sqlite3.Connection) -> None:
    """Make the tables; of two that start at once the second finds them made."""
    connection.execute(f"PRAGMA page_size = {_PAGE}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _is_empty(connection):
            for statement in filter(str.strip, _TABLES.split(";")):
                connection.execute(statement)
            created = datetime.now(UTC).isoformat(timespec="seconds")
            connection.execute("INSERT INTO meta VALUES ('created', ?)", (created,))
            connection.execute(f"PRAGMA application_id = {SQLITE_APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _is_empty(connection: sqlite3.Connection) -> bool:
    with closing(connection.execute("SELECT count(*) FROM sqlite_master")) as found:
        return bool(found.fetchone()[0] == 0 and _number(connection, "application_id") == 0)


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def _no_store(path: Path) -> InputError:
    return InputError(
        "the file is not a store of bestofk.",
        str(path),
        "name another file: results are collected into a file of their own, such as results.db.",
    )


class Damaged(InputError):
    """A store is there, and its file is not as SQLite left it."""


def _told(error: sqlite3.Error, where: str) -> InputError:
    """Return the three lines for an error of SQLite."""
    code = getattr(error, "sqlite_errorcode", None)
    wrong, fix = _TOLD.get((code or 0) & 0xFF, ("the store does not answer", "see bestofk store verify."))
    kind = Damaged if (code or 0) & 0xFF == sqlite3.SQLITE_CORRUPT else InputError
    return kind(f"{wrong} ({error}).", where, fix)


@contextmanager
def in_three_lines(where: str) -> Iterator[None]:
    """Turn errors of SQLite and of the file system into three lines."""
    try:
        yield
    except sqlite3.Error as error:
        raise _told(error, where) from None
    except OSError as error:
        raise InputError(
            f"the store cannot be used ({error.strerror or error}).",
            where,
            "see that its folder exists, has space, and that you may write there.",
        ) from None
