"""The setting of a run on its way to worker processes: in a file without a name, which all of them read at once.

What is sent through the pipe that starts a process holds up the start of the next one until this one reads it, which
is seconds for each: sixteen workers would start one after the other.
"""

from __future__ import annotations

import os
from pickle import loads
from tempfile import TemporaryFile
from typing import Any

from bestofk.collecting.job import Setting
from bestofk.collecting.process import begin

#: Whether a process that is started can be given an open file.
HANDED_DOWN = os.name == "posix"


class Parcel:
    """Packed once; it can be sent to processes that are being started as long as it is not closed."""

    def __init__(self, setting: Setting) -> None:
        self.setting: Setting | None = None if HANDED_DOWN else setting
        self.file: Any = None
        self.size = 0
        if HANDED_DOWN:
            self.file, self.size = _written(setting)

    def opened(self) -> Setting:
        """The setting, in the process that got the parcel."""
        if self.setting is None:
            self.setting = loads(_whole(self.file.fileno(), self.size))
        return self.setting

    def close(self) -> None:
        """Let the file go; processes that have opened the parcel keep what they read."""
        if self.file is not None:
            self.file.close()


def begin_with(token: str, parcel: Parcel, parent: int, begun: Any) -> None:
    """Make ready a worker process with the setting of a parcel."""
    setting = parcel.opened()
    parcel.close()
    begin(token, setting, parent, begun)


def _written(setting: Setting) -> tuple[Any, int]:
    """A connection to the file, for connections are what can be handed to a process, and the bytes in it."""
    from multiprocessing.connection import Connection

    from joblib.externals.loky.backend.reduction import dumps

    packed = dumps(setting)
    with TemporaryFile() as file:
        file.write(packed)
        file.flush()
        return Connection(os.dup(file.fileno()), writable=False), len(packed)


def _whole(file: int, size: int) -> bytes:
    """All bytes from the beginning, wherever other processes are reading."""
    parts: list[bytes] = []
    while (at := sum(map(len, parts))) < size:
        parts.append(os.pread(file, size - at, at))
    return b"".join(parts)
