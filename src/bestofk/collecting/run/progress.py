"""How far a run is, on stderr: a bar at a terminal, a line now and then in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, TextIO

LINE_EVERY = 30.0  # seconds
#: Seconds of work from which on a rate says something.
WORTH_A_RATE = 1.0
#: Columns of the widest line.
WIDEST = 80
#: Columns of the bar, where there is room.
BAR = 24


class Progress:
    """Counts folds, cells and failures and shows them.

    ``steps`` says what is done before a worker is at work, and before the first fold is finished. In a pipe the first
    line comes ``at_once``, or not before the work takes long.
    """

    def __init__(
        self,
        total: int,
        *,
        shown: bool = True,
        at_once: bool = True,
        stream: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.total, self.folds, self.cells, self.failures = total, 0, 0, 0
        self.steps, self.stream, self.clock = ("starting", "at work on the first"), stream or sys.stderr, clock
        self.shown, self.at_once = shown and total > 0, at_once
        self.watched = self.shown and self.stream.isatty()
        self.begun: float | None = None
        self.waiting = ""
        self.last = self.said = clock()
        self._bar: Any = None

    def __enter__(self) -> Progress:
        if self.watched:
            self._bar = _bar(self)
            self._bar.start()
        elif self.at_once:
            self._print()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._bar is not None:
            self._bar.stop()

    def add(self, cells: int, folds: int, failures: int, seconds: float = 0.0) -> None:
        """Count what has been written and took so many seconds; the clock of the rate starts when work begins."""
        self.waiting = ""
        self.cells += cells
        self.folds += folds
        self.failures += failures
        before, self.last = self.last, self.clock()
        if self.begun is None:
            self.begun = max(before, self.last - seconds)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self.folds)
        elif self.last - self.said >= LINE_EVERY:
            self._print()

    def lessen(self, folds: int) -> None:
        """Count so many folds less, which others have run."""
        self.total -= folds
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], total=self.total)

    def wait_for(self, what: str) -> None:
        """Say what is waited for."""
        self.waiting, self.last = f"waiting for {what}", self.clock()
        if not self.watched and self.last - self.said >= LINE_EVERY:
            self._print()

    def line(self) -> str:
        """The state in one line; the time left is what is left at the rate shown."""
        if self.waiting:
            return f"{self.folds:,} of {self.total:,} folds · {self.waiting}"
        if self.begun is None:
            return f"{self.total:,} folds to run · {self.steps[0]}"
        parts = [f"{self.folds:,} of {self.total:,} folds"]
        if self.failures:
            parts.append(f"{self.failures:,} failed")
        if not self.folds:
            parts.append(self.steps[1])
        elif self.last - self.begun >= WORTH_A_RATE:
            shown, rate = rate_in_words(self.folds / (self.last - self.begun))
            parts += [shown, f"{span((self.total - self.folds) / rate)} left"]
        return " · ".join(parts)

    def _print(self) -> None:
        self.said = self.last
        if self.shown:
            print(self.line(), file=self.stream, flush=True)


def rate_in_words(per_second: float) -> tuple[str, float]:
    """Folds per second, minute or hour, and the folds per second that these words say.

    Examples
    --------
    >>> rate_in_words(2.0404)
    ('2.04 folds/s', 2.04)
    >>> rate_in_words(0.05)[0], rate_in_words(12345)[0]
    ('3 folds/min', '12,300 folds/s')
    """
    unit, seconds = next((each for each in _UNITS if per_second * each[1] >= 1), _UNITS[-1])
    rounded = float(f"{per_second * seconds:.3g}")
    return f"{rounded:,.10g} folds/{unit}", rounded / seconds


_UNITS = (("s", 1), ("min", 60), ("h", 3600))


def span(seconds: float) -> str:
    """A time in one or two units.

    Examples
    --------
    >>> span(0.4), span(24), span(199), span(7384), span(187200)
    ('0 s', '24 s', '3 min 19 s', '2 h 3 min', '52 h 0 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60:,} h {minutes % 60} min"


def _bar(shown: Progress) -> Any:
    from rich import progress
    from rich.console import Console
    from rich.text import Text

    console = Console(file=shown.stream)
    width = min(WIDEST, console.width) - 1

    class Line(progress.ProgressColumn):
        def render(self, task: progress.Task) -> Text:
            line = shown.line()
            cells = max(0, min(BAR, width - len(line) - 1))
            done = cells * shown.folds // max(1, shown.total)
            return Text.assemble(("━" * done, "green"), ("━" * (cells - done), "dim"), f" {line}", no_wrap=True)

    bar = progress.Progress(Line(), console=console, transient=True)
    bar.add_task("collect", total=shown.total)
    return bar
