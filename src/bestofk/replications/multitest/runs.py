"""The experiment on many data sets, in one process or several, and the file that keeps finished parts as they come."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import sha256
from multiprocessing import get_context, parent_process
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.version import __version__
from bestofk.design.dataset import Dataset
from bestofk.replications.multitest.experiment import Course, FoldErrors, Part
from bestofk.replications.replication import Progress

#: Grows when a learner of the experiment, or the order of its random numbers, changes: older parts are then not used.
FORM = 1
_MARK = 0x626B7270  # "bkrp" in the header of the file: nothing else is ever written into
_TABLE = """CREATE TABLE IF NOT EXISTS parts (
    key TEXT, start INTEGER, stop INTEGER, rates TEXT, others BLOB, logistic BLOB, sum TEXT,
    PRIMARY KEY (key, start, stop)) WITHOUT ROWID"""


def key_of(dataset: Dataset, seed: int) -> str:
    """What a part belongs to: the data to the last value, the seed, the form of the learners and the version."""
    digest = sha256(f"{dataset.name}|{dataset.classes}|".encode())
    digest.update(np.ascontiguousarray(dataset.y, dtype=np.float64).tobytes())
    for feature in dataset.features:
        digest.update(f"{feature.name}|{feature.categories}|".encode())
        digest.update(np.ascontiguousarray(feature.values, dtype=np.float64).tobytes())
    return f"{dataset.name}|{seed}|{FORM}|{__version__}|{digest.hexdigest()[:24]}"


@dataclass(frozen=True)
class Kept:
    """The file of finished parts; every call opens it anew, so that processes share it."""

    path: Path

    @classmethod
    def open(cls, path: str | Path) -> Kept:
        """Open or make the file; another file, or a folder that is not there, is refused."""
        kept = cls(Path(path))
        try:
            with kept._connected() as connection:
                connection.execute(_TABLE)
        except sqlite3.Error as error:
            raise kept._refused(str(error)) from None
        return kept

    def add(self, key: str, part: Part) -> None:
        """Keep a part: the whole row or nothing."""
        blobs = (part.others.tobytes(), part.logistic.tobytes())
        row = (key, part.start, part.stop, json.dumps(part.rates), *blobs, _sum(*blobs))
        with self._connected() as connection:
            connection.execute("INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def part(self, key: str, start: int, stop: int) -> Part | None:
        """The part of these runs, None where it is not there or not whole."""
        asked = "SELECT rates, others, logistic, sum FROM parts WHERE key = ? AND start = ? AND stop = ?"
        with self._connected() as connection:
            row = connection.execute(asked, (key, start, stop)).fetchone()
        if row is None or _sum(row[1], row[2]) != row[3]:
            return None
        rates, others, logistic = tuple(json.loads(row[0])), np.frombuffer(row[1]), np.frombuffer(row[2])
        return Part(start, stop, others.reshape(4, -1), rates, logistic.reshape(len(rates), -1))

    def runs(self, key: str, within: int) -> int:
        """How many of the first runs of a key are there."""
        asked = "SELECT coalesce(sum(stop - start), 0) FROM parts WHERE key = ? AND stop <= ?"
        with self._connected() as connection:
            return int(connection.execute(asked, (key, within)).fetchone()[0])

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(self.path, timeout=60)) as connection:
            mark = connection.execute("PRAGMA application_id").fetchone()[0]
            if mark != _MARK:
                if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    raise self._refused("it is a database of something else")
                connection.execute(f"PRAGMA application_id = {_MARK}")
            with connection:
                yield connection

    def _refused(self, why: str) -> InputError:
        return InputError(
            f"{self.path} cannot keep parts of a replication: {why}.",
            "replicate multitest, option --into",
            "name a new file, or one that an earlier replication wrote.",
        )


def _sum(*blobs: bytes) -> str:
    digest = sha256()
    for blob in blobs:
        digest.update(blob)
    return digest.hexdigest()[:16]


#: Runs of a part: what a stop can cost.
PART = 20
#: Seconds between two looks at how far the processes are.
LOOK = 1.0


def errors_of_sets(
    sets: Mapping[str, Dataset], runs: int, seed: int, *, into: str | Path | None, workers: int, progress: Progress
) -> dict[str, FoldErrors]:
    """Errors of every fold on every data set; what ``into`` keeps already is not run again."""
    with _kept(into) as kept:
        work = sorted(sets, key=lambda name: _cost(sets[name]), reverse=True)  # the largest first: none ends alone
        if workers == 1 or len(sets) == 1:
            return {name: one_set(sets[name], runs, seed, kept, _telling(progress, sets, runs, name)) for name in work}
        return _by_processes(sets, work, runs, seed, kept, min(workers, len(sets)), progress)


def one_set(
    dataset: Dataset, runs: int, seed: int, kept: Kept, told: Callable[[int], None] = lambda done: None
) -> FoldErrors:
    """Run what is missing on one data set; ``told`` hears how many runs are done."""
    from threadpoolctl import threadpool_limits

    course, key = Course(dataset, seed), key_of(dataset, seed)
    with threadpool_limits(1):  # many small products: threads would only wait for each other
        for start in range(0, runs, PART):
            stop = min(start + PART, runs)
            part = kept.part(key, start, stop)
            if part is None:
                kept.add(key, course.run(stop - start))
            else:
                course.take(part)
            told(stop)
    return course.errors()


def _cost(dataset: Dataset) -> int:
    """Grows as the time of a fold does: cells of the table times classes."""
    inputs = sum(len(feature.categories) or 1 for feature in dataset.features)
    return dataset.rows * inputs * len(dataset.classes)


def _telling(progress: Progress, sets: Mapping[str, Dataset], runs: int, name: str) -> Callable[[int], None]:
    order = sorted(sets, key=lambda each: _cost(sets[each]), reverse=True)
    before = order.index(name) * runs
    return lambda done: progress(before + done, len(sets) * runs, name)


@contextmanager
def _kept(into: str | Path | None) -> Iterator[Kept]:
    if into is not None:
        yield Kept.open(into)
        return
    with TemporaryDirectory() as folder:
        yield Kept.open(Path(folder) / "parts.db")


def _by_processes(
    sets: Mapping[str, Dataset], work: list[str], runs: int, seed: int, kept: Kept, workers: int, progress: Progress
) -> dict[str, FoldErrors]:
    keys = {name: key_of(sets[name], seed) for name in work}
    # A child that is forked from a process with threads may hang; a spawned one starts clean.
    with ProcessPoolExecutor(workers, get_context("spawn"), _begin_as_child) as pool:
        tasks = {pool.submit(one_set, sets[name], runs, seed, kept): name for name in work}
        try:
            waiting: set[Future[FoldErrors]] = set(tasks)
            while waiting:
                finished, waiting = wait(waiting, LOOK, FIRST_COMPLETED)
                for task in finished:
                    task.result()
                done = sum(kept.runs(keys[name], runs) for name in work)
                progress(done, len(work) * runs, f"{len(tasks) - len(waiting)} of {len(tasks)} data sets finished")
        except BaseException:
            _end(pool)
            raise
        return {tasks[task]: task.result() for task in tasks}


def _begin_as_child() -> None:
    """Ctrl-C is the parent's: it ends its children. A parent that is killed cannot, so they watch it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Wait until the parent is gone, then go too: finished parts are in the file, one transaction each."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _end(pool: ProcessPoolExecutor) -> None:
    """Take back what has not begun and stop what has: finished parts are kept."""
    pool.shutdown(wait=False, cancel_futures=True)
    for process in list((pool._processes or {}).values()):
        process.terminate()
