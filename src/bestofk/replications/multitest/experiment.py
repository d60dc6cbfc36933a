"""The paper's experiment: 5 × 2 halves a run, five learners, the errors of every fold; finished parts are kept."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import closing, contextmanager
from hashlib import sha256
from itertools import pairwise
from multiprocessing import get_context, parent_process
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from zlib import crc32

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.version import __version__
from bestofk.design.datasets.dataset import Dataset
from bestofk.replications.multitest.learners import (
    RATES,
    Neighbours,
    best_rate,
    held_out_rows,
    logistic,
    nearest_mean,
    starts_of,
    tree,
)
from bestofk.replications.multitest.published import LEARNERS
from bestofk.replications.multitest.table import Labels, Prepared, Table, error_rates, prepared, random_halves, table_of
from bestofk.replications.replication import Progress

#: Folds that are run at once; between them rates of the logistic learner are given up.
FOLDS_AT_ONCE = 100
#: Standard errors by which a rate must be behind the best to be given up: no chance that it would have won.
GIVEN_UP = 8.0


@frozen(eq=False)
class FoldErrors:
    """Errors of each learner (learners, runs, 5, 2), learners in the order of LEARNERS; the rate that LGC took."""

    dataset: str
    errors: Array
    rate: float

    def of(self, learner: str) -> Array:
        """Errors (runs, 5, 2) of one learner."""
        errors: Array = self.errors[LEARNERS.index(learner)]
        return errors


@frozen(eq=False)
class Part:
    """Errors of some runs in a row: ``others`` (4, folds) of the learners without a rate, LGC's (rates, folds).

    ``rates`` are those that were still in the race when the runs began; one that was given up on the way has NaN.
    """

    start: int
    stop: int
    others: Array
    rates: tuple[float, ...]
    logistic: Array


class Course:
    """Runs on one data set, part by part. The first runs are the same however many follow.

    The seed and the name of the set give three streams: halves, held-out rows, first weights. They are
    ``numpy.random.SeedSequence(seed, spawn_key=(crc32(name),)).spawn(3)``, each behind a default generator.
    """

    def __init__(self, dataset: Dataset, seed: int) -> None:
        if seed < 0:
            raise InputError(f"seed is {seed}.", "fold_errors, argument seed", "give a whole number from 0 up.")
        self.dataset, self.table, self.done = dataset.name, table_of(dataset), 0
        streams = np.random.SeedSequence(seed, spawn_key=(crc32(dataset.name.encode()),)).spawn(3)
        self._halves, self._held_out, self._starts = map(np.random.default_rng, streams)
        self._neighbours = Neighbours(self.table)
        self._parts: list[Part] = []

    def run(self, runs: int) -> Part:
        """Run the next runs."""
        pieces = []
        ends = [*range(0, runs, max(1, FOLDS_AT_ONCE // 10)), runs]
        for start, stop in pairwise(ends):
            pieces.append(self._piece(stop - start))
            self._parts.append(pieces[-1])
        part = _joined(pieces)
        self._parts[-len(pieces) :] = [part]
        return part

    def take(self, part: Part) -> None:
        """Go past runs that were made before: their random numbers are drawn and not used."""
        train, _ = self._folds(part.stop - part.start)
        starts_of(self.table, len(train), self._starts)
        self._parts.append(part)
        self.done = part.stop

    def errors(self) -> FoldErrors:
        """Errors of all runs so far, LGC's at the rate with the lowest mean error."""
        whole = _joined(self._parts)
        running = ~np.isnan(whole.logistic).any(axis=1)
        errors, rates = whole.logistic[running], np.array(whole.rates)[running]
        chosen = best_rate(errors)
        most, nearest, grown, neighbour = whole.others
        by_learner = np.stack([most, nearest, errors[chosen], grown, neighbour])
        return FoldErrors(self.dataset, by_learner.reshape(len(LEARNERS), -1, 5, 2), float(rates[chosen]))

    def _folds(self, runs: int) -> tuple[Flags, Flags]:
        train = random_halves(self.table.rows, 5 * runs, self._halves)
        return train, held_out_rows(train, self._held_out)

    def _piece(self, runs: int) -> Part:
        train, held_out = self._folds(runs)
        ready = prepared(self.table, train)
        labels = [
            most_frequent(self.table, train),
            nearest_mean(self.table, train, ready),
            tree(self.table, train, held_out, fills=ready.fills),
            self._neighbours.labels(train, ready),
        ]
        others = np.stack([error_rates(self.table.y, train, each) for each in labels])
        rates = self._rates()
        start, self.done = self.done, self.done + runs
        return Part(start, self.done, others, rates, self._descended(train, ready, rates))

    def _rates(self) -> tuple[float, ...]:
        """Rates in the race. Those out of it are not run any further: some folds are enough to see it."""
        if not self._parts:
            return RATES
        whole = _joined(self._parts)
        running = ~np.isnan(whole.logistic).any(axis=1)
        near = in_the_race(whole.logistic[running])
        return tuple(np.array(whole.rates)[running][near].tolist())

    def _descended(self, train: Flags, ready: Prepared, rates: tuple[float, ...]) -> Array:
        starts = starts_of(self.table, len(train), self._starts)
        return error_rates(self.table.y, train, logistic(self.table, train, starts, rates, ready))


def fold_errors(dataset: Dataset, runs: int, seed: int) -> FoldErrors:
    """Run the experiment on one data set."""
    if runs < 1:
        raise InputError(f"runs is {runs}.", "fold_errors, argument runs", "ask for at least one run.")
    course = Course(dataset, seed)
    course.run(runs)
    return course.errors()


def in_the_race(errors: Array) -> Flags:
    """Rates that are not worse than the best one by more than GIVEN_UP standard errors; ``errors`` (rates, folds)."""
    worse = errors - errors[best_rate(errors)]
    near: Flags = worse.mean(axis=1) <= GIVEN_UP * worse.std(axis=1) / np.sqrt(worse.shape[1])
    return near


def _joined(parts: list[Part]) -> Part:
    """Parts in a row as one; a rate that a later part no longer ran has NaN there."""
    if len(parts) == 1:
        return parts[0]
    rates = parts[0].rates
    logistic = [_spread_over(part, rates) for part in parts]
    others = np.hstack([part.others for part in parts])
    return Part(parts[0].start, parts[-1].stop, others, rates, np.hstack(logistic))


def _spread_over(part: Part, rates: tuple[float, ...]) -> Array:
    errors = np.full((len(rates), part.logistic.shape[1]), np.nan)
    errors[[rates.index(rate) for rate in part.rates]] = part.logistic
    return errors


def most_frequent(table: Table, train: Flags) -> Labels:
    """Predicted labels (folds, rows) of every row by each of many training halves ``train`` (folds, rows)."""
    counts = train.astype(np.float64) @ np.eye(table.classes)[table.y]
    return np.broadcast_to(counts.argmax(axis=1)[:, None], train.shape)


# Many data sets, in one process or several, and the file that keeps finished parts.


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


@frozen
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
    return sha256(b"".join(blobs)).hexdigest()[:16]


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
