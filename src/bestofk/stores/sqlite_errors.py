"""What SQLite complains about, in three lines."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from bestofk.core.errors import InputError

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


class Damaged(InputError):
    """A store is there, and its file is not as SQLite left it."""


def told(error: sqlite3.Error, where: str) -> InputError:
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
        raise told(error, where) from None
    except OSError as error:
        raise InputError(
            f"the store cannot be used ({error.strerror or error}).",
            where,
            "see that its folder exists, has space, and that you may write there.",
        ) from None
