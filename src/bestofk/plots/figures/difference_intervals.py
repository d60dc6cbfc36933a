"""How far every learner is from the first: differences with intervals and adjusted p."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from bestofk.core.phrases import counted
from bestofk.plots.canvas.board import Board, named_rows, row_places, rows_height
from bestofk.plots.canvas.text_width import fitted, text_width
from bestofk.plots.info import Info
from bestofk.plots.sources import comparison_in, family_words, order_in, p_words


@dataclass(frozen=True, eq=False)
class DifferenceIntervalsInfo(Info):
    """Difference of each learner from ``against``, in units of the measure, with bounds at ``level`` and adjusted p.

    ``family`` says what p is adjusted for, if for anything.
    """

    name: ClassVar[str] = "differences"

    against: str
    learners: tuple[str, ...]
    difference: tuple[float, ...]
    low: tuple[float, ...] | None
    high: tuple[float, ...] | None
    adjusted: tuple[float, ...]
    alpha: float
    measure: str
    larger_is_better: bool
    test: str = ""
    family: str = ""

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """Against the first of the order, or against the control."""
        comparison, order = comparison_in(result), order_in(result)
        if comparison is None or comparison.difference is None:
            return None
        against = comparison.control or order[0]
        others = tuple(name for name in order if name != against)
        pairs = [comparison.pair(name, against) for name in others]
        bounded = comparison.bounded
        return cls(
            against=against,
            learners=others,
            difference=tuple(pair.difference or 0.0 for pair in pairs),
            low=tuple(float(pair.low or 0.0) for pair in pairs) if bounded else None,
            high=tuple(float(pair.high or 0.0) for pair in pairs) if bounded else None,
            adjusted=tuple(pair.adjusted for pair in pairs),
            alpha=comparison.alpha,
            measure=comparison.measure,
            larger_is_better=comparison.larger_is_better,
            test=comparison.test,
            family=family_words(comparison),
        )

    @property
    def title(self) -> str:
        """What it is."""
        return f"Difference in {self.measure} from {self.against}"

    @property
    def alt(self) -> str:
        """Every difference with its p."""
        each = "; ".join(
            f"{name} {difference:+.3g} ({p_words(p)})"
            for name, difference, p in zip(self.learners, self.difference, self.adjusted, strict=True)
        )
        bounds = " with the interval of the test at the level that decided the pair" if self.low is not None else ""
        kind = f"{counted(len(self.learners), 'difference')} in mean {self.measure} from {self.against}{bounds}"
        by = f" by {self.test}" if self.test else ""
        return f"{kind}: {each} (two-sided p{by}{self.family})."

    def height(self, width: float) -> float:
        """A row per learner."""
        return rows_height(len(self.learners))

    def paint(self, board: Board) -> None:
        """Draw a row per learner; filled where the difference is significant, open where it is not."""
        better = "above 0: better" if self.larger_is_better else "below 0: better"
        room = board.size()[0] - text_width(f"{self.measure}, difference from ({better}), wide", 7.5)
        words = f"{self.measure}, difference from {fitted(self.against, max(room, 15.0), 7.5)} ({better})"
        plot = named_rows(board, self.learners, words, right=17.0)
        plot.ax.axvline(0.0, color=board.theme.muted, linewidth=0.9)
        places = row_places(board, len(self.learners))
        for i, (difference, p) in enumerate(zip(self.difference, self.adjusted, strict=True)):
            found = p <= self.alpha
            colour = board.theme.accent if found else board.theme.muted
            if self.low is not None and self.high is not None:
                plot.ax.plot([self.low[i], self.high[i]], [i, i], color=colour, linewidth=1.6 if found else 1.0)
            fill = colour if found else board.theme.paper
            plot.ax.plot(difference, i, "o" if found else "s", markersize=4.5, color=colour, markerfacecolor=fill)
            weight = "bold" if found else "normal"
            board.text(board.size()[0] - 15.5, places[i], p_words(p), size=6.3, fontweight=weight)
