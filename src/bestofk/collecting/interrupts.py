"""Ctrl-C and the wish of the system that we end: never in the middle of a write."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


class Interrupts:
    """Turns SIGINT and SIGTERM into KeyboardInterrupt, and holds them back where asked."""

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
            raise KeyboardInterrupt

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if not self._holding:
            raise KeyboardInterrupt
        self._pending = True
