"""Performance profiles: the share of all runs that are better than a value, along the values of the measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal, Self

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted
from bestofk.judging.findings.aggregates import task_runs
from bestofk.plots.canvas.board import Board, draw_key, key_height
from bestofk.plots.info import Info
from bestofk.plots.sources import comparison_in, order_in, possible
from bestofk.stats.aggregates import performance_profile

_POINTS = 200  # of the values at most
_BANDS_UP_TO = 5  # learners; more bands would hide each other


@frozen(eq=False)
class PerformanceProfilesInfo(Info):
    """``share``, ``low`` and ``high`` are (learners, points), best first: of the runs that are better than ``at``.

    Every task counts the same. ``low`` and ``high`` are a pointwise band at ``level``.
    """

    name: ClassVar[str] = "performance-profiles"

    learners: tuple[str, ...]
    at: Array
    share: Array
    low: Array
    high: Array
    tasks: int
    level: float
    measure: str
    larger_is_better: bool

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """From a verdict or a comparison of runs on several tasks whose values have a common scale."""
        comparison = comparison_in(result)
        runs = None if comparison is None else task_runs(comparison, order_in(result))
        if comparison is None or runs is None or not runs.comparable:
            return None
        values = {
            name: (runs.sign * losses, tasks)
            for name, losses, tasks in zip(runs.learners, runs.losses, runs.tasks, strict=True)
        }
        larger, level = comparison.larger_is_better, 1.0 - comparison.alpha
        return cls.from_runs(values, comparison.measure, larger, level=level, seed=comparison.seed)

    @classmethod
    def from_runs(
        cls,
        runs: Mapping[str, tuple[Any, Sequence[Any]]],
        measure: str = "score",
        larger_is_better: bool = True,
        *,
        level: float = 0.95,
        seed: int = 0,
    ) -> Self:
        """From the values of every learner's runs, and the task of each."""
        sign = -1.0 if larger_is_better else 1.0
        tables = [np.asarray(values, dtype=float) for values, _ in runs.values()]
        at = _places(np.concatenate(tables))
        found = [
            performance_profile(sign * values, tasks, sign * at, level=level, rng=seed)
            for values, (_, tasks) in zip(tables, runs.values(), strict=True)
        ]
        share, low, high = (np.array([getattr(each, field) for each in found]) for field in ("estimate", "low", "high"))
        tasks = len({str(task) for _, names in runs.values() for task in names})
        return cls(tuple(runs), at, share, low, high, tasks, level, measure, larger_is_better)

    @property
    def title(self) -> str:
        """What it is."""
        return f"Share of runs by {self.measure}, over {counted(self.tasks, 'task')}"

    @property
    def alt(self) -> str:
        """Where half of every learner's runs are better."""
        halves = "; ".join(
            f"{name} {self.at[int(np.argmin(np.abs(share - 0.5)))]:.3g}"
            for name, share in zip(self.learners, self.share, strict=True)
        )
        kind = f"Performance profiles of {counted(len(self.learners), 'learner')} on {counted(self.tasks, 'task')}"
        return f"{kind}: share of runs with {self.measure} {self._side} a value. About half of the runs at: {halves}."

    @property
    def _side(self) -> str:
        return "above" if self.larger_is_better else "below"

    @property
    def banded(self) -> bool:
        """Whether bands are drawn: few learners."""
        return len(self.learners) <= _BANDS_UP_TO

    def height(self, width: float) -> float:
        """A plot that is broader than high, with the key below."""
        return min(56.0, 0.62 * width) + 9.5 + key_height(len(self.learners), width)

    def paint(self, board: Board) -> None:
        """Draw steps that fall (smaller is better: rise) from all runs to none; bands for few learners."""
        width, _ = board.millimetres()
        plot = board.plot(left=13.0, right=3.0, top=2.0, bottom=key_height(len(self.learners), width) + 9.5)
        plot.frame(grid="y")
        step: Literal["post", "pre"] = "post" if self.larger_is_better else "pre"  # a run at a value is not above it
        for i, share in enumerate(self.share):
            style = board.style(i)
            if self.banded:
                look: dict[str, Any] = {"color": style.colour, "alpha": 0.16, "linewidth": 0}
                plot.ax.fill_between(self.at, self.low[i], self.high[i], step=step, **look)
            line = {"color": style.colour, "linestyle": style.line, "linewidth": 1.2}
            plot.ax.plot(self.at, share, drawstyle=f"steps-{step}", **line)
            some = slice(len(self.at) // 12 + i, None, max(1, len(self.at) // 6))  # not all at the same places
            mark: dict[str, Any] = {"color": style.colour, "marker": style.marker, "markersize": 3.5}
            plot.ax.plot(self.at[some], share[some], linestyle="none", **mark)
        plot.ax.set(ylim=(-0.02, 1.02))
        plot.within("x", *possible(self.measure, self.at[1:-1]))
        plot.ticks("x", 5)
        plot.ticks("y", 5)
        band = f"  (band: {100 * self.level:g} %, pointwise)" if self.banded else ""
        plot.labels(f"{self.measure}{band}", f"share of runs {self._side}")
        draw_key(board, self.learners, lines=True)


def _places(values: Array) -> Array:
    """The values themselves, or so many between them where they are many; a little more on either side."""
    low, high = float(values.min()), float(values.max())
    room = 0.02 * (high - low) or 0.02 * abs(high) or 0.02
    every = np.unique(values)
    inside = every if len(every) <= _POINTS else np.linspace(low, high, _POINTS)
    return np.concatenate([[low - room], inside, [high + room]])
