"""How far every learner is from the first: differences with intervals and adjusted p."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted, p_words, signed
from bestofk.plots.canvas.board import Board, named_rows, row_places, rows_height
from bestofk.plots.canvas.text_width import SMALL
from bestofk.plots.info import Info
from bestofk.plots.sources import comparison_in, family_words, order_in, possible


@frozen(eq=False)
class DifferenceIntervalsInfo(Info):
    """Difference of each learner from ``against`` that the test is about, with the interval of the same test and p.

    It is in units of the measure, or, with ``ratio``, the logarithm of a ratio. ``interval_level`` is None where each
    interval has the level that decided its pair; ends may be infinite. ``family`` says what p is adjusted for, if for
    anything. No difference can be above ``largest``: what an interval has beyond is not drawn.
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
    ratio: bool = False
    interval_level: float | None = None
    largest: float = np.inf
    sides: str = "two"

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """Against the first of the order, or against the control; None where nothing was tested."""
        comparison, order = comparison_in(result), order_in(result)
        if comparison is None or not comparison.sized or not comparison.tested:
            return None
        against = comparison.control or order[0]
        others = tuple(name for name in order if name != against)
        pairs = [comparison.pair(name, against) for name in others]
        tested = [not comparison.untested(name, against) for name in others]

        def numbers(field: str) -> tuple[float, ...]:
            values = (getattr(pair, field) or 0.0 for pair in pairs)
            return tuple(value if known else np.nan for value, known in zip(values, tested, strict=True))

        bounded = comparison.bounded
        ratio = comparison.sample.scale == "log-ratio"
        return cls(
            against=against,
            learners=others,
            difference=tuple(pair.difference or 0.0 for pair in pairs),
            low=numbers("low") if bounded else None,
            high=numbers("high") if bounded else None,
            adjusted=numbers("adjusted"),
            alpha=comparison.alpha,
            measure=comparison.measure,
            larger_is_better=comparison.larger_is_better,
            test=comparison.test,
            family=family_words(comparison),
            ratio=ratio,
            interval_level=comparison.interval_level,
            largest=np.inf if ratio else float(np.ptp(possible(comparison.measure, list(comparison.means.values())))),
            sides=comparison.sides,
        )

    @property
    def title(self) -> str:
        """What it is."""
        return f"{'Ratio' if self.ratio else 'Difference'} in {self.measure} {self._from} {self.against}"

    @property
    def _from(self) -> str:
        return "to" if self.ratio else "from"

    def _said(self, difference: float) -> str:
        return f"×{np.exp(difference):.3g}" if self.ratio else signed(difference)

    @property
    def alt(self) -> str:
        """Every difference with its p."""
        each = "; ".join(
            f"{name} {self._said(difference)} ({p_words(p)})"
            for name, difference, p in zip(self.learners, self.difference, self.adjusted, strict=True)
        )
        level = self.interval_level
        at = "the level that decided the pair" if level is None else f"{100 * level:.4g} %"
        bounds = f" with the interval of the test at {at}" if self.low is not None else ""
        number = counted(len(self.learners), "ratio" if self.ratio else "difference")
        how = f"{self.sides}-sided p{f' by {self.test}' if self.test else ''}{self.family}"
        return f"{number} in {self.measure} {self._from} {self.against}{bounds}: {each} ({how})."

    def _ends(self) -> tuple[float, float]:
        """The ends of the axis: all that is finite, and 0."""
        values = np.clip([0.0, *self.difference, *(self.low or ()), *(self.high or ())], -self.largest, self.largest)
        low, high = values[np.isfinite(values)].min(), values[np.isfinite(values)].max()
        room = 0.05 * (high - low) or 1.0
        return max(float(low - room), -self.largest), min(float(high + room), self.largest)

    def height(self, width: float) -> float:
        """A row per learner."""
        return rows_height(len(self.learners))

    def paint(self, board: Board) -> None:
        """Draw a row per learner; filled where the difference is significant, open where it is not."""
        better = "above 0: better" if self.larger_is_better else "below 0: better"
        better = better.replace("0", "1") if self.ratio else better
        words = f"{'ratio' if self.ratio else 'difference'} in {self.measure} ({better})"
        plot = named_rows(board, self.learners, words, right=17.0)
        plot.ticks("x", most=3)  # digits of small differences need room
        if self.ratio:
            plot.ax.xaxis.set_major_formatter(lambda value, _: f"×{np.exp(value):.3g}")
        ends = self._ends()
        plot.ax.set_xlim(*ends)
        plot.ax.axvline(0.0, color=board.theme.muted, linewidth=0.9)
        places = row_places(board, len(self.learners))
        for i, (difference, p) in enumerate(zip(self.difference, self.adjusted, strict=True)):
            found = p <= self.alpha
            colour = board.theme.accent if found else board.theme.muted
            if self.low is not None and self.high is not None:
                inside = np.clip([self.low[i], self.high[i]], *ends)  # an end without bound runs out of the picture
                plot.ax.plot(inside, [i, i], color=colour, linewidth=1.6 if found else 1.0)
            fill = colour if found else board.theme.paper
            plot.ax.plot(difference, i, "o" if found else "s", markersize=4.5, color=colour, markerfacecolor=fill)
            weight = "bold" if found else "normal"
            board.text(board.size()[0] - 15.5, places[i], p_words(p), size=SMALL, fontweight=weight)
