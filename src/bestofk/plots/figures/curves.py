"""Performance curves: the mean of every learner with a band of its runs, and along which steps pairs differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted, p_words
from bestofk.evidence import Curves, Runs
from bestofk.plots.canvas.board import Board, end_room, label_ends, named_rows, rows_height
from bestofk.plots.canvas.text_width import SMALL, line_height, text_width
from bestofk.plots.canvas.themes import readable_on
from bestofk.plots.figures.pair_map import level_of
from bestofk.plots.info import Info
from bestofk.plots.sources import comparison_in, evidence_in, order_in, possible

_SHARE = 0.8  # of the runs inside the band
_BANDS_UP_TO = 5  # learners; more bands would hide each other
_NAMES_UP_TO = 8  # learners, the first of them; the lines of more are grey, and have no name


@frozen(eq=False)
class CurveBandsInfo(Info):
    """``mean``, ``low`` and ``high`` are (learners, steps), best first; the band holds the middle 80 % of the runs.

    ``within`` says within what runs differ, of several data sets.
    """

    name: ClassVar[str] = "curves"

    learners: tuple[str, ...]
    steps: tuple[float, ...]
    mean: Array
    low: Array
    high: Array
    runs: tuple[int, ...]
    measure: str
    larger_is_better: bool
    within: str = ""

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """From curves; the learners in the order found, or as they come."""
        found = evidence_in(result, evidence) or (result if isinstance(result, Curves) else None)
        if not isinstance(found, Curves) or isinstance(found, Runs):
            return None
        order = order_in(result) or found.learners
        if not set(order) <= set(found.learners) or (found.datasets and not found.shared_datasets()):
            return None
        values = found.within_datasets()
        curves = {name: values[name] for name in order}
        told = cls.from_curves(curves, found.steps, found.measure, found.larger_is_better)
        return replace(told, within=f" within {found.block}s") if found.datasets else told

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
        """What it is, and what bands or grey lines are."""
        others = len(self.learners) - len(self.named)
        also = (
            f"; bands: the middle 80 % of runs{self.within}"
            if self.banded
            else f"; grey: {counted(others, 'other')}"
            if others
            else ""
        )
        return f"{self.measure} along training{also}"

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

    @property
    def named(self) -> tuple[str, ...]:
        """The learners whose lines have a colour and a name: the first ones."""
        return self.learners[:_NAMES_UP_TO]

    def height(self, width: float) -> float:
        """Room for the names at the right."""
        return max(52.0, 14.0 + len(self.named) * line_height(7.0))

    def paint(self, board: Board) -> None:
        """Draw a line per learner, with its name at the end where they are not too many; bands for few learners."""
        width, _ = board.millimetres()
        widest = 0.22 * width
        plot = board.plot(left=14.0, right=end_room(self.named, widest) + 1.0, top=2.0, bottom=9.5)
        plot.frame(grid="y")
        others = self.mean[len(self.named) :]
        plot.ax.plot(self.steps, others.T, color=board.theme.faint, linewidth=0.8, zorder=1)
        for i, mean in enumerate(self.mean[: len(self.named)]):
            style = board.style(i)
            if self.banded:
                plot.ax.fill_between(self.steps, self.low[i], self.high[i], color=style.colour, alpha=0.16, linewidth=0)
            line = {"color": style.colour, "linestyle": style.line, "linewidth": 1.3}
            plot.ax.plot(self.steps, mean, marker=style.marker, markersize=3, **line)
        if self.steps[0] > 0 and self.steps[-1] / self.steps[0] > 50:
            plot.ratios()
        else:
            plot.ticks("x", 5)
        plot.within("y", *possible(self.measure, [self.mean, self.high]))
        plot.ticks("y", 5)
        plot.labels("step", self.measure)
        ends = [(self.steps[-1], float(mean[-1])) for mean in self.mean]
        label_ends(board, plot, ends[: len(self.named)], self.named, widest=widest)


# Along which steps curves differ: a strip per pair, each interval with its p.


Stretch = tuple[float, float, float]  # from, to, adjusted p
#: Strips of a verdict with many pairs.
MOST_PAIRS = 30


@frozen(eq=False)
class WhereTheyDifferInfo(Info):
    """``strips`` has for each row (a pair of learners) its intervals of steps (from, to, p)."""

    name: ClassVar[str] = "where-they-differ"

    rows: tuple[str, ...]
    strips: tuple[tuple[Stretch, ...], ...]
    steps: tuple[float, float]
    alpha: float = 0.05

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """From a verdict or a comparison of curves."""
        comparison = comparison_in(result)
        if comparison is None or comparison.curves is None:
            return None
        curves = comparison.curves
        strips = {
            f"{pair.first} – {pair.second}": [(each.start, each.stop, each.pvalue) for each in pair.stretches]
            for pair in curves.pairs[:MOST_PAIRS]
        }
        return cls.from_intervals(strips, curves.steps, curves.alpha)

    @classmethod
    def from_intervals(
        cls, intervals: Mapping[str, Sequence[Stretch]], steps: Sequence[float], alpha: float = 0.05
    ) -> Self:
        """From {"knn – tree": [(50, 200, 0.01), …]} and the steps of the curves; p adjusted for all intervals tried."""
        ends = (float(min(steps)), float(max(steps)))
        for row, stretches in intervals.items():
            for low, high, p in stretches:
                if not (ends[0] <= low <= high <= ends[1] and 0 <= p <= 1):
                    raise InputError(
                        f"interval ({low:g}, {high:g}, {p:g}) of {row} does not fit steps {ends[0]:g} to {ends[1]:g}.",
                        "where they differ, argument intervals",
                        "give (from, to, p) inside the steps.",
                    )
        rows = tuple(tuple((float(a), float(b), float(p)) for a, b, p in each) for each in intervals.values())
        return cls(tuple(intervals), rows, ends, alpha)

    @property
    def telling(self) -> bool:
        """Nothing where no step differs."""
        return any(p <= self.alpha for strip in self.strips for _, _, p in strip)

    @property
    def title(self) -> str:
        """What it is."""
        return "Where along training the curves differ"

    @property
    def alt(self) -> str:
        """Every significant interval."""
        found = [
            f"{row} from {low:g} to {high:g} ({p_words(p)})"
            for row, strip in zip(self.rows, self.strips, strict=True)
            for low, high, p in strip
            if p <= self.alpha
        ]
        start = f"Strips of {counted(len(self.rows), 'pair')} along steps {self.steps[0]:g} to {self.steps[1]:g}."
        return f"{start} Differences at {self.alpha:g}: {'; '.join(found) if found else 'none'}."

    def height(self, width: float) -> float:
        """A strip per pair."""
        return rows_height(len(self.rows))

    def paint(self, board: Board) -> None:
        """Draw a strip per row; an interval is the darker, the smaller its p."""
        low, high = self.steps
        span = high - low or 1.0
        plot = named_rows(board, self.rows, "step")
        plot.ax.set_xlim(low - 0.01 * span, high + 0.01 * span)
        across = plot.size()[0] / (1.02 * span)
        for i, strip in enumerate(self.strips):
            for start, stop, p in strip:
                colour, words = board.theme.levels[level_of(p, self.alpha)], p_words(p)
                plot.ax.barh(i, max(stop - start, 0.01 * span), left=start, height=0.7, color=colour)
                if text_width(words, SMALL) < (stop - start) * across - 0.6:
                    ink = readable_on(colour, board.theme)
                    plot.text((start + stop) / 2, i, words, size=SMALL, ha="center", color=ink)
