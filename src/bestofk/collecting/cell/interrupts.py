"""Ctrl-C and the wish of the system that we end: never in the middle of a write."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

#: Those that heard a signal: nearly always none, which is quickly asked after every fold.
_SIGNALLED: set[Interrupts | None] = set()


class Signalled(KeyboardInterrupt):
    """A signal arrived, and no learner raised it."""


def from_outside(error: BaseException) -> bool:
    """Whether somebody wants the run to stop; a learner may raise KeyboardInterrupt by itself, and only its fold fails.

    Where nobody listens to signals through ``Interrupts``, as in a cell that is run by hand, Python itself does.
    """
    if isinstance(error, Signalled) or _a_signal_came():
        return True  # a learner that tidies up may hand on an exception of its own
    if not isinstance(error, KeyboardInterrupt):
        return False
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        return False  # signals reach the main thread alone, and workers do not hear them at all
    return _listener() is None


def let_through(error: BaseException) -> None:
    """Raise what wants the run to stop; anything else is a learner's own failure, and nothing happens."""
    if _a_signal_came():
        raise Signalled from error
    if from_outside(error):
        raise error


def stop_if_signalled() -> None:
    """Raise a signal once more that a learner has kept to itself: what it made after that is no result."""
    if _a_signal_came():
        raise Signalled


def _a_signal_came() -> bool:
    return bool(_SIGNALLED) and _listener() in _SIGNALLED


def _listener() -> Interrupts | None:
    """Who listens to signals on behalf of this thread, if it is one of ours."""
    listening = getattr(signal.getsignal(signal.SIGINT), "__self__", None)
    main = threading.current_thread() is threading.main_thread()
    return listening if main and isinstance(listening, Interrupts) else None


class Interrupts:
    """Turns SIGINT and SIGTERM into a KeyboardInterrupt of their own, and holds them back where asked.

    That one came is remembered: whoever catches the exception cannot keep the run from ending.
    """

    def __init__(self) -> None:
        self._holding = self._pending = False

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Listen to both signals; elsewhere than in the main thread Python cannot, and nothing changes."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before: dict[int, Any] = {
            number: signal.signal(number, self._hear) for number in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
            _SIGNALLED.discard(self)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let what is inside come to its end first."""
        self._holding = True
        try:
            yield
        finally:
            self._holding = False
        if self._pending:
            self._pending = False
            raise Signalled

    def _hear(self, number: int, frame: FrameType | None) -> None:
        _SIGNALLED.add(self)
        if not self._holding:
            raise Signalled
        self._pending = True
