"""One writer per SQLite file: a lock that the system itself takes back when its holder dies, however it dies.

The lock is SQLite's own exclusive lock on an empty file beside the store: it works wherever SQLite works, is not
inherited by a fork, and needs no guess whether a noted process is still alive.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from pathlib import Path


class WriterLock:
    """The right to write to a store; ``take`` fails at once when another has it."""

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
