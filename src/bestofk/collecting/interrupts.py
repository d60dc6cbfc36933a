"""Ctrl-C and the wish of the system that we end: never in the middle of a write."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class Signalled(KeyboardInterrupt):
    """A signal arrived, and no learner raised it."""


def from_outside(error: BaseException) -> bool:
    """Whether somebody wants the run to stop; a learner may raise KeyboardInterrupt by itself, and only its fold fails.

    Where nobody listens to signals through ``Interrupts``, as in a cell that is run by hand, Python itself does.
    """
    if not isinstance(error, KeyboardInterrupt) or isinstance(error, Signalled):
        return isinstance(error, Signalled)
    listening = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or listening is signal.SIG_IGN:
        return False  # signals reach the main thread alone, and workers do not hear them at all
    return not isinstance(getattr(listening, "__self__", None), Interrupts)


class Interrupts:
    """Turns SIGINT and SIGTERM into a KeyboardInterrupt of their own, and holds them back where asked."""

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
        if not self._holding:
            raise Signalled
        self._pending = True
