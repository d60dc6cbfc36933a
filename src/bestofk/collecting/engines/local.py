"""Processes of this machine, through joblib's loky: they start clean, and the pool survives the loss of one."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import closing
from multiprocessing import Pipe
from typing import Any
from uuid import uuid4

from bestofk.collecting.engines.parcel import Parcel, begin_with
from bestofk.collecting.engines.pool import Keeper, refuse_unportable
from bestofk.collecting.job import Done, Job, Setting
from bestofk.collecting.process import ONE_THREAD, quiet_tracker
from bestofk.collecting.worker import work

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
