"""Processes of this machine, through joblib's loky: they start clean, and the pool survives the loss of one.

The setting of a run travels in a file without a name, which all of them read at once. What is sent through the pipe
that starts a process holds up the start of the next one until this one reads it, which is seconds for each: sixteen
workers would start one after the other.
"""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import closing
from multiprocessing import Pipe
from pickle import loads
from tempfile import TemporaryFile, gettempdir
from typing import Any
from uuid import uuid4

from bestofk.collecting.engines.pool import Keeper, Rest, refuse_unportable
from bestofk.collecting.engines.process import ONE_THREAD, begin, quiet_tracker
from bestofk.collecting.engines.worker import work
from bestofk.collecting.run.jobs import Done, Job, Setting
from bestofk.core.errors import InputError

#: Jobs under way per worker: one that runs and one that waits, so that no worker stands idle while results are written.
PER_WORKER = 2


class Local:
    """Runs cells in worker processes, as many as there are cores unless told otherwise."""

    def __init__(self, workers: int | None = None) -> None:
        if workers is None:
            from joblib import cpu_count

            workers = int(cpu_count())
        self.workers = workers

    def run(self, setting: Setting, jobs: Iterator[Job]) -> Generator[list[Done]]:
        """Run jobs in a pool that lives as long as the iterator."""
        refuse_unportable(setting)
        with closing(_Processes(self.workers, setting)) as pool:
            yield from Keeper(pool, setting, jobs, PER_WORKER * self.workers).run()


class _Processes:
    """A loky executor whose workers were told the setting when they started."""

    again = 3

    def __init__(self, workers: int, setting: Setting) -> None:
        from joblib.externals.loky.process_executor import ShutdownExecutorError

        # The second is what jobs get that were under way when the pool was renewed because of another.
        self.lost: tuple[type[BaseException], ...] = (BrokenExecutor, ShutdownExecutorError)
        self.workers, self.parcel, self.token = workers, Parcel(setting), uuid4().hex
        # Workers write to one pipe without a lock, which a killed one would keep: so short a message goes in one piece.
        self.inbox, self.outbox = Pipe(duplex=False)
        self.executor = self._started()

    def submit(self, job: Job) -> Future[Done]:
        future: Future[Done] = self.executor.submit(work, self.token, job)
        return future

    def begun(self) -> set[Job]:
        told = set()
        while self.inbox.poll():
            told.add(Job(*self.inbox.recv()))
        return told

    def idle(self) -> Rest | None:
        """Nobody can tell a worker that waits from one at work: those that die are noticed."""
        return None

    def renew(self) -> None:
        self.executor.shutdown(wait=True, kill_workers=True)
        self.executor = self._started()

    def close(self) -> None:
        self.executor.shutdown(wait=True, kill_workers=True)
        self.inbox.close()
        self.outbox.close()
        self.parcel.close()

    def _started(self) -> Any:
        from joblib.externals.loky import ProcessPoolExecutor

        quiet_tracker()
        told = (self.token, self.parcel, os.getpid(), self.outbox)
        return ProcessPoolExecutor(self.workers, initializer=begin_with, initargs=told, env=ONE_THREAD)


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
            self.setting = loads(_whole(self.file.fileno(), self.size))  # noqa: S301  the parent wrote it, into a file without a name
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
    try:
        with TemporaryFile() as file:
            file.write(packed)
            file.flush()
            return Connection(os.dup(file.fileno()), writable=False), len(packed)
    except OSError as error:
        raise InputError(
            f"the data cannot be handed to the workers ({error.strerror}).",
            f"{gettempdir()}, the folder for temporary files",
            f"free {len(packed):,} bytes there, or name another folder: TMPDIR=…",
        ) from None


def _whole(file: int, size: int) -> bytes:
    """All bytes from the beginning, wherever other processes are reading."""
    parts: list[bytes] = []
    while (at := sum(map(len, parts))) < size:
        parts.append(os.pread(file, size - at, at))
    return b"".join(parts)
