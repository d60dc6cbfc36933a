"""The experiment on many data sets, in one process or several; finished parts are kept as they come."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

from bestofk.design.datasets.dataset import Dataset
from bestofk.replications.multitest.experiment import Course, FoldErrors
from bestofk.replications.multitest.kept import Kept, key_of
from bestofk.replications.replication import Progress

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
