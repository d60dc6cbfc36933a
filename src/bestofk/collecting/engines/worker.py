"""The one function that every engine calls in its workers, and children that hold cells to time and memory.

Cells of one process share the global generators, the filters of warnings and the limits on threads. A worker that runs
several at once, in threads, gives each thread a child process of its own: a lock around a cell would be as right, but
would leave a worker of sixteen threads, as ``dask worker`` starts them, with one cell at a time.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import re
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import BrokenExecutor
from concurrent.futures import TimeoutError as TooLate
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.collecting.cell.shared_ways import compiling_seconds
from bestofk.collecting.cell.tally import joined
from bestofk.collecting.engines.process import BEGUN, ONE_THREAD, SETTINGS, THREADS, begin, one_thread, quiet_tracker
from bestofk.collecting.run.jobs import Done, Job, Setting
from bestofk.core.errors import InputError
from bestofk.design.plan.cell import CellResult
from bestofk.sharing.plain_fold import warm_up


def work(token: str, job: Job) -> Done:
    """Run one job, within the limits of its setting, with one thread for BLAS and OpenMP."""
    setting, begun = SETTINGS[token], BEGUN.get(token)
    if begun is not None:
        begun.send((job.dataset, job.learner, job.start, job.stop))
    start, compiled = time.perf_counter(), compiling_seconds()
    result = _result(token, setting, job)
    return Done(job, result, time.perf_counter() - start, compiling_seconds() - compiled)


def _result(token: str, setting: Setting, job: Job) -> CellResult:
    if setting.timeout is not None or setting.memory is not None:
        return run_within_limits(token, setting, job)
    if THREADS[token] > 1:
        return run_apart(token, setting, job)
    with one_thread():
        return setting.run(job)


_CHILDREN = threading.local()  # a worker of a cluster may run several cells at once, one per thread
_ALIVE: dict[str, list[_Child]] = {}  # by the token of their run
_NEVER_LOADED: dict[str, set[int]] = {}  # by the token of their run: learners that no child could load in time
_STARTING = threading.Lock()
#: OpenBLAS waits for ever for its buffers where there is less.
LEAST = 64_000_000
#: Seconds after which a child that has not loaded its learner is given up: longer than any loops take to compile.
READY = 300.0
AGAIN = 3  # times that a cell without limits runs again when its child died, as in the other engines
RENEWED = 1  # times that a child which could not load its learner is replaced

#: Threads of a worker that import joblib for the first time at once can meet it half made.
_IMPORTING = threading.Lock()


def checked_limits(timeout: float | str | None, memory: float | str | None) -> tuple[float | None, int | None]:
    """Return seconds and bytes, or refuse limits that cannot be held."""
    where = "collect, limits of a cell"
    seconds = seconds_of(timeout, name="cell_timeout", where=where)
    size = bytes_of(memory, name="cell_memory", where=where)
    if size is not None and size < LEAST:
        raise InputError(
            f"cell_memory is {size:,} bytes, and the libraries under every learner take some megabytes of it.",
            where,
            f"give at least {LEAST // 10**6} MB, or leave it out.",
        )
    if size is not None and not os.path.exists("/proc/self/statm"):
        raise InputError("cell_memory cannot be held on this system.", where, "leave it out.")
    return seconds, size


def run_within_limits(token: str, setting: Setting, job: Job) -> CellResult:
    """Run a job in a child; what is finished when it goes over a limit is kept, the rest fails with the reason."""
    child = _ready_child(token, setting, job)
    if isinstance(child, str):
        return setting.failed(job, child)
    deadline = time.monotonic() + (setting.timeout if setting.timeout is not None else float("inf"))
    pieces: list[CellResult] = []
    for replication in range(job.start, job.stop):
        piece = child.answer(replace(job, start=replication, stop=replication + 1), deadline)
        if isinstance(piece, str):
            pieces.append(_with_limit_named(setting.failed(replace(job, start=replication), piece), setting.memory))
            break
        pieces.append(_with_limit_named(piece, setting.memory))
    return joined(pieces)


def run_apart(token: str, setting: Setting, job: Job) -> CellResult:
    """Run a job without limits in a child of this thread's own."""
    reason = ""
    for _ in range(1 + AGAIN):
        child = _ready_child(token, setting, job)
        if isinstance(child, str):
            return setting.failed(job, child)
        answer = child.answer(job, float("inf"))
        if not isinstance(answer, str):
            return answer
        reason = answer
        if token not in SETTINGS:  # the run is over, and its children were ended
            break
    return setting.failed(job, reason)


def end_children(token: str) -> None:
    """End the children that worked for a run."""
    _NEVER_LOADED.pop(token, None)
    for child in _ALIVE.pop(token, []):
        child.end()


def _with_limit_named(piece: CellResult, memory: int | None) -> CellResult:
    """Say in the reason that the memory which ran out was limited by the plan's owner."""
    if memory is None or not piece.failed:
        return piece
    told = f" (cell_memory is {memory:,} bytes)"
    lines = (tuple(each + told if "MemoryError" in each else each for each in line) for line in piece.failures)
    return replace(piece, failures=tuple(lines))


class _Child:
    """A process of one worker that runs replications one by one; it is kept from cell to cell while it lives."""

    def __init__(self, token: str, setting: Setting) -> None:
        with _IMPORTING:
            from joblib.externals.loky import ProcessPoolExecutor

            quiet_tracker()
        self.token, self.timeout, self.memory = token, setting.timeout, setting.memory
        free = replace(setting, timeout=None, memory=None)
        self.pool: Any = ProcessPoolExecutor(1, initializer=begin, initargs=(token, free, os.getpid()), env=ONE_THREAD)
        self.broken = False

    def trouble_loading(self, job: Job) -> str:
        """Wait until the child has loaded what the learner needs, so that the clock starts at the work; say why not."""
        try:
            with _children_allowed():
                future = self.pool.submit(_load, self.token, job)
            future.result(READY)
            return ""
        except TooLate:
            self.end()
            return _too_late()
        except (BrokenExecutor, RuntimeError) as error:
            self.end()
            return f"{type(error).__name__}: the process died while it loaded the learner."

    def answer(self, job: Job, deadline: float) -> CellResult | str:
        """Return the cell of one replication, or why there is none."""
        try:
            future = self.pool.submit(_run, self.token, job, self.memory)
            remaining = deadline - time.monotonic()
            return future.result(None if remaining == float("inf") else max(0.0, remaining))  # type: ignore[no-any-return]
        except TooLate:
            self.end()
            return f"TimeoutError: over the limit of {self.timeout:g} s for a cell (cell_timeout)."
        except (BrokenExecutor, RuntimeError) as error:
            self.end()
            limit = "" if self.memory is None else f"; cell_memory is {self.memory:,} bytes"
            return f"{type(error).__name__}: the process that ran the cell died{limit}."

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.broken = True
        with suppress(ValueError):
            _ALIVE.get(self.token, []).remove(self)
        self.pool.shutdown(wait=False, kill_workers=True)


def _ready_child(token: str, setting: Setting, job: Job) -> _Child | str:
    """A child that has loaded the learner, or why there is none; one that dies or does not answer is replaced.

    A learner that none of them could load in time is not waited for again in this run.
    """
    if job.learner in _NEVER_LOADED.get(token, ()):
        return _too_late()
    trouble = ""
    for _ in range(1 + RENEWED):
        child = _child_for(token, setting)
        trouble = child.trouble_loading(job)
        if not trouble:
            return child
        if token not in SETTINGS:  # the run is over, and its children were ended
            return trouble
    if trouble == _too_late():
        _NEVER_LOADED.setdefault(token, set()).add(job.learner)
    return trouble


def _too_late() -> str:
    return f"TimeoutError: the learner was not loaded within {READY:g} s, and no fold of it was tried."


def _child_for(token: str, setting: Setting) -> _Child:
    child: _Child | None = getattr(_CHILDREN, "child", None)
    if child is None or child.broken or child.token != token:
        if child is not None and not child.broken:
            child.end()
        child = _CHILDREN.child = _Child(token, setting)
        _ALIVE.setdefault(token, []).append(child)
    return child


def _load(token: str, job: Job) -> None:
    try:
        square = np.eye(64)
        np.linalg.svd(square @ square)  # buffers of BLAS are not the learner's memory
        warm_up(SETTINGS[token].learners[job.learner].make())
    except BaseException:
        return  # the cell itself will meet it, and say so


def _run(token: str, job: Job, memory: int | None) -> CellResult | str:
    try:
        with one_thread(), _held_to(memory):
            return SETTINGS[token].run(job)
    except MemoryError:  # not even enough for the machinery around a learner
        return "MemoryError: there was too little memory to begin with the cell."


@contextmanager
def _held_to(memory: int | None) -> Iterator[None]:
    """Let what is inside take so many bytes beyond what the process has by now.

    Only then: a process that has no memory to take a job or to hand a result back would never answer.
    """
    if memory is None:
        yield
        return
    import resource

    with open("/proc/self/statm") as file:  # pages of address space come first
        taken = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (taken + memory, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@contextmanager
def _children_allowed() -> Iterator[None]:
    """Let a daemonic process (a Dask worker under its nanny) have a child: ours watches its parent and dies with it."""
    config = multiprocessing.current_process()._config  # type: ignore[attr-defined]
    with _STARTING:  # the mark is one for all threads
        daemonic = config.get("daemon")
        config["daemon"] = False
        try:
            yield
        finally:
            config["daemon"] = daemonic


#: Beyond it clocks and system calls have no number: a petabyte, thirty million years.
MOST = 1e15
_AMOUNT = re.compile(r"\s*(\d+(?:\.\d*)?|\.\d+)\s*([a-z]*)\s*", re.IGNORECASE)
_BYTES = {"": 1, "b": 1, **{f"{p}b": 1000**n for n, p in enumerate("kmgt", 1)}}
_BYTES |= {f"{p}ib": 1024**n for n, p in enumerate("kmgt", 1)} | {p: 1000**n for n, p in enumerate("kmgt", 1)}
_SECONDS = {"": 1.0, "s": 1.0, "sec": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


def bytes_of(amount: float | str | None, *, name: str, where: str) -> int | None:
    """Return bytes: a number of them, or text such as ``500MB``, ``1.5GB``, ``2GiB``.

    Examples
    --------
    >>> bytes_of("1.5GB", name="cell_memory", where="collect")
    1500000000
    """
    found = _amount(amount, _BYTES, f'give bytes above 0, or text such as "500MB": {name} = "1GB".', name, where)
    return None if found is None else max(1, int(found))


def seconds_of(amount: float | str | None, *, name: str, where: str) -> float | None:
    """Return seconds: a number of them, or text such as ``90s``, ``10m``, ``2h``.

    Examples
    --------
    >>> seconds_of("10m", name="cell_timeout", where="collect")
    600.0
    """
    return _amount(
        amount, _SECONDS, f'give seconds above 0, or text such as "90s", "10m", "2h": {name} = "10m".', name, where
    )


def _amount(amount: float | str | None, units: Mapping[str, float], fix: str, name: str, where: str) -> float | None:
    if amount is None:
        return None
    if isinstance(amount, bool):
        raise InputError(f"{name} is {amount!r}.", where, fix)
    found = _AMOUNT.fullmatch(amount) if isinstance(amount, str) else None
    unit = units.get(found[2].lower()) if found else 1
    number = float(found[1]) if found else amount if isinstance(amount, int | float) else math.nan
    if unit is None or not number > 0 or not number * unit <= MOST:
        raise InputError(f"{name} is {amount!r}.", where, fix)
    return number * unit
