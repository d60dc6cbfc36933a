"""A process that works for a run: it is told the setting once, keeps to one thread, and dies with its parent.

What learners print in it goes to stderr: stdout is for the answer.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from typing import Any

from bestofk.collecting.run.jobs import Setting

#: Settings by the token of the run: one worker of a cluster may serve several runs.
SETTINGS: dict[str, Setting] = {}
#: Threads by token that run cells in this very process: more than one where a cluster's worker has several.
THREADS: Counter[str] = Counter()
#: Connections by token to a parent that wants to know which jobs were begun.
BEGUN: dict[str, Any] = {}
LOOK_EVERY = 0.5  # seconds
#: Read by BLAS and OpenMP when they are loaded; one thread per process from the start costs less than a limit later.
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


def begin(token: str, setting: Setting, parent: int, begun: Any = None) -> None:
    """Make ready a process that the given parent has started for a run; ``begun`` is told of every job it begins."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; the parent decides what becomes of workers
    print_to_stderr()
    threading.Thread(target=_die_with, args=(parent,), daemon=True).start()
    SETTINGS[token], BEGUN[token] = setting, begun


def quiet_tracker() -> None:
    """Start loky's tracker of semaphores so that it clears up without a word, and whoever is killed.

    Workers are killed, with all that they hold, when a run ends or is stopped; the tracker then takes their semaphores
    back, as it should, and would call them leaked. In a session of its own it also outlives a kill of the whole group.
    """
    from joblib.externals.loky.backend import resource_tracker

    before, spawn = os.environ.get("PYTHONWARNINGS"), resource_tracker.spawnv_passfds
    quiet = "ignore:resource_tracker:UserWarning"
    os.environ["PYTHONWARNINGS"] = quiet if not before else f"{before},{quiet}"
    if os.name == "posix":
        resource_tracker.spawnv_passfds = lambda path, args, passed: spawn(path, _in_a_session(args), passed)
    try:
        resource_tracker.ensure_running()
    finally:
        resource_tracker.spawnv_passfds = spawn
        if before is None:
            del os.environ["PYTHONWARNINGS"]
        else:
            os.environ["PYTHONWARNINGS"] = before


def _in_a_session(command: list[str]) -> list[str]:
    """The command of a Python process that begins with a session of its own; what it runs comes last."""
    return [*command[:-1], f"import os; os.setsid(); {command[-1]}"]


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold BLAS and OpenMP to one thread: cells run side by side, and sums must not depend on the machine's cores."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1):
        yield


def _die_with(parent: int) -> None:
    """End this process when its parent is gone, kill -9 included: nobody would take the results."""
    while os.getppid() == parent:
        time.sleep(LOOK_EVERY)
    os._exit(1)


def print_to_stderr() -> None:
    """Let all that this process prints go to stderr, also what compiled libraries print."""
    with suppress(OSError):  # a process without one of them has nothing to mend
        os.dup2(2, 1)


@contextmanager
def printing_to_stderr() -> Iterator[None]:
    """Let what is printed inside go to stderr, and stdout be as it was afterwards."""
    _flush()
    try:
        before = os.dup(1)
    except OSError:
        before = None
    if before is not None:
        print_to_stderr()
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        _flush()
        if before is not None:
            os.dup2(before, 1)
            os.close(before)


def _flush() -> None:
    """Hand over what was printed so far, also by compiled libraries, which hold it back until a buffer is full."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()
    with suppress(Exception):
        import ctypes

        ctypes.CDLL(None).fflush(None)
