"""Compiled loops in this process: loaded in one piece, and how long numba took over compiling them.

That is once on a machine, for they are kept on its disk.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from bestofk.core.compiled import compiled_wanted

_CLOCK: dict[str, Any] = {}


def load_loops() -> None:
    """Load numba where it is used, and take the time of what is compiled from now on."""
    if compiled_wanted() and not _CLOCK:
        events: Any = import_module("numba.core.event")
        _CLOCK["numba"] = events.TimingListener()
        events.register("numba:compile", _CLOCK["numba"])


def compiling_seconds() -> float:
    """All seconds of compiling so far."""
    clock = _CLOCK.get("numba")
    return float(clock.duration) if clock is not None and clock.done else 0.0


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait: a package that is half loaded when it comes stays broken for the rest of the process."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
