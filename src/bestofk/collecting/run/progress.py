"""How far a run is: a bar where somebody watches, a line now and then where nobody does."""

from __future__ import annotations

import sys
import time
from datetime import timedelta
from types import TracebackType
from typing import Any, TextIO

LINE_EVERY = 30.0  # seconds


class Progress:
    """Counts folds, cells and failures and shows them on stderr."""

    def __init__(self, total: int, *, shown: bool = True, stream: TextIO | None = None) -> None:
        self.total, self.folds, self.cells, self.failures = total, 0, 0, 0
        self.stream = stream or sys.stderr
        self.watched = shown and self.stream.isatty()
        self.shown = shown
        self.started = self.said = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Progress:
        if self.watched and self.total:
            self._bar, self._task = _bar(self.stream, self.total)
            self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

    def add(self, cells: int, folds: int, failures: int) -> None:
        """Count what has been written."""
        self.cells += cells
        self.folds += folds
        self.failures += failures
        if self._bar is not None:
            self._bar.update(self._task, completed=self.folds, words=self._counts(), rate=self._rate())
        elif self.shown and not self.watched and time.monotonic() - self.said >= LINE_EVERY:
            self.said = time.monotonic()
            print(self.line(), file=self.stream, flush=True)

    def line(self) -> str:
        """The state in one line."""
        left = timedelta(seconds=round(self._left()))
        return f"{self.folds:,} of {self.total:,} folds, {self._counts()}, {self._rate()}, {left} left"

    def _counts(self) -> str:
        failed = f", {self.failures:,} failed" if self.failures else ""
        return f"{self.cells:,} cell{'' if self.cells == 1 else 's'}{failed}"

    def _rate(self) -> str:
        return f"{self._per_second():,.3g} folds/s"

    def _per_second(self) -> float:
        return self.folds / max(time.monotonic() - self.started, 1e-9)

    def _left(self) -> float:
        return (self.total - self.folds) / max(self._per_second(), 1e-9) if self.folds else 0.0


def _bar(stream: TextIO, total: int) -> tuple[Any, Any]:
    from rich import progress
    from rich.console import Console

    bar = progress.Progress(
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TextColumn("folds · {task.fields[words]} · {task.fields[rate]}"),
        progress.TimeRemainingColumn(),
        console=Console(file=stream),
        transient=True,
    )
    return bar, bar.add_task("collect", total=total, words="0 cells", rate="")
