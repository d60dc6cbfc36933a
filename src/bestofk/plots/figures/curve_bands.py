"""Performance curves: the mean of every learner and where most of its runs lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.phrases import counted
from bestofk.evidence import Curves
from bestofk.plots.canvas.board import Board
from bestofk.plots.canvas.label_layout import end_room, label_ends
from bestofk.plots.canvas.text_width import line_height
from bestofk.plots.info import Info
from bestofk.plots.sources import evidence_in, order_in

_SHARE = 0.8  # of the runs inside the band
_BANDS_UP_TO = 5  # learners; more bands would hide each other


@dataclass(frozen=True, eq=False)
class CurveBandsInfo(Info):
    """``mean``, ``low`` and ``high`` are (learners, steps), best first; the band holds the middle 80 % of the runs."""

    name: ClassVar[str] = "curves"

    learners: tuple[str, ...]
    steps: tuple[float, ...]
    mean: Array
    low: Array
    high: Array
    runs: tuple[int, ...]
    measure: str
    larger_is_better: bool

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """From curves; the learners in the order found, or as they come."""
        found = evidence_in(result, evidence) or (result if isinstance(result, Curves) else None)
        if not isinstance(found, Curves):
            return None
        order = order_in(result) or found.learners
        if not set(order) <= set(found.learners):
            return None
        curves = dict(zip(found.learners, found.values, strict=True))
        return cls.from_curves(
            {name: curves[name] for name in order}, found.steps, found.measure, found.larger_is_better
        )

    @classmethod
    def from_curves(
        cls, curves: dict[str, Any], steps: Any, measure: str = "score", larger_is_better: bool = True
    ) -> Self:
        """From arrays (runs, steps) by learner."""
        tables = [np.asarray(each, dtype=float) for each in curves.values()]
        tails = ((1 - _SHARE) / 2, (1 + _SHARE) / 2)
        low, high = (np.array([np.nanquantile(each, q, axis=0) for each in tables]) for q in tails)
        mean = np.array([np.nanmean(each, axis=0) for each in tables])
        runs = tuple(len(each) for each in tables)
        return cls(tuple(curves), tuple(float(s) for s in steps), mean, low, high, runs, measure, larger_is_better)

    @property
    def title(self) -> str:
        """What it is."""
        return f"{self.measure} along training"

    @property
    def alt(self) -> str:
        """Where every curve starts and ends."""
        ends = "; ".join(
            f"{name} from {mean[0]:.3g} to {mean[-1]:.3g}" for name, mean in zip(self.learners, self.mean, strict=True)
        )
        kind = f"Mean {self.measure} of {counted(len(self.learners), 'learner')} at {counted(len(self.steps), 'step')}"
        return f"{kind} from {self.steps[0]:g} to {self.steps[-1]:g}: {ends}."

    @property
    def banded(self) -> bool:
        """Whether bands are drawn: several runs, few learners."""
        return len(self.learners) <= _BANDS_UP_TO and min(self.runs) > 1

    def height(self, width: float) -> float:
        """Room for the names at the right."""
        return max(52.0, 14.0 + len(self.learners) * line_height(7.0))

    def paint(self, board: Board) -> None:
        """Draw a line per learner with its name at the end; bands for few learners."""
        width, _ = board.millimetres()
        widest = 0.22 * width
        plot = board.plot(left=14.0, right=end_room(self.learners, widest) + 1.0, top=2.0, bottom=9.5)
        plot.frame(grid="y")
        for i, mean in enumerate(self.mean):
            style = board.style(i)
            if self.banded:
                plot.ax.fill_between(self.steps, self.low[i], self.high[i], color=style.colour, alpha=0.16, linewidth=0)
            line = {"color": style.colour, "linestyle": style.line, "linewidth": 1.3}
            plot.ax.plot(self.steps, mean, marker=style.marker, markersize=3, **line)
        if self.steps[0] > 0 and self.steps[-1] / self.steps[0] > 50:
            plot.ax.set_xscale("log")
        else:
            plot.ticks("x", 5)
        plot.ticks("y", 5)
        band = "  (band: middle 80 % of runs)" if self.banded else ""
        plot.labels(f"step{band}", self.measure)
        label_ends(board, plot, [(self.steps[-1], float(mean[-1])) for mean in self.mean], self.learners, widest=widest)
