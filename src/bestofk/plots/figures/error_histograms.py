"""Results of two learners beside the histogram of their paired differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from bestofk.core.arrays import Array, without_rounding
from bestofk.core.errors import InputError
from bestofk.judging import Verdict
from bestofk.plots.canvas.bins import counts_in, edges_of, edges_of_differences
from bestofk.plots.canvas.board import Board, draw_key, key_height
from bestofk.plots.canvas.text_width import shortened
from bestofk.plots.info import Info
from bestofk.plots.sources import evidence_in, pair_in, paired_values


@dataclass(frozen=True, eq=False)
class ErrorHistogramsInfo(Info):
    """``one`` and ``two`` are paired values of ``first`` and ``second`` in units of the measure."""

    name: ClassVar[str] = "error-histograms"

    first: str
    second: str
    one: Array
    two: Array
    measure: str

    def __post_init__(self) -> None:
        one, two = np.asarray(self.one, dtype=float), np.asarray(self.two, dtype=float)
        if one.ndim != 1 or one.shape != two.shape or len(one) < 2 or not np.isfinite([one, two]).all():
            raise InputError(
                f"values have the shapes {one.shape} and {two.shape}.",
                "error histograms",
                "give two or more paired values of each learner.",
            )
        object.__setattr__(self, "one", one)
        object.__setattr__(self, "two", two)

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """The pair of ``pair_in``; of several measures the errors of the one that says the most."""
        if isinstance(result, Verdict) and result.comparison.several is not None:
            return cls._most_telling(result)
        found, pair = evidence_in(result, evidence), pair_in(result)
        table = paired_values(found, pair) if len(pair) > 1 else None
        if found is None or table is None:
            return None
        both = ~np.isnan(table).any(axis=0)
        if both.sum() < 2:
            return None
        return cls(pair[0], pair[1], table[0, both], table[1, both], found.measure)

    @classmethod
    def _most_telling(cls, verdict: Verdict) -> Self | None:
        rows = verdict.comparison.sample.error
        if rows is None or rows.shape[1] < 2:
            return None
        first, second = verdict.telling
        one, two = (rows[verdict.comparison.learners.index(name)] for name in (first, second))
        return cls(first, second, one, two, "error")

    @property
    def difference(self) -> Array:
        """First minus second, pair by pair."""
        return without_rounding(self.one - self.two, self.scale)

    @property
    def scale(self) -> float:
        """The largest of the values, whatever its sign."""
        return float(np.abs([self.one, self.two]).max())

    @property
    def title(self) -> str:
        """What it is."""
        return f"Values of {self.measure} of {self.first} and {self.second}, and their differences"

    @property
    def alt(self) -> str:
        """Means, and how the differences lie."""
        d = self.difference
        kind = f"Histograms of {self.measure} of {self.first} (mean {self.one.mean():.3g}) and {self.second}"
        mean = without_rounding(d.mean(), self.scale)
        found = f"mean {mean:+.3g}, {int((d < 0).sum())} below and {int((d > 0).sum())} above 0"
        kind += f" (mean {self.two.mean():.3g})"
        return f"{kind}, and of their {len(d)} differences {self.first} minus {self.second}: {found}."

    def height(self, width: float) -> float:
        """Two panels side by side."""
        return 42.0 + key_height(2, width)

    def paint(self, board: Board) -> None:
        """Draw both learners at the left, their differences with 0 and the mean at the right."""
        width, _ = board.millimetres()
        below = key_height(2, width) + 9.5
        left = board.plot(left=9.0, right=width / 2 + 2.0, top=2.0, bottom=below)
        right = board.plot(left=width / 2 + 8.0, right=3.0, top=2.0, bottom=below)
        _values(left, self)
        _differences(right, self)
        draw_key(board, (self.first, self.second))


def _values(plot: Board, info: ErrorHistogramsInfo) -> None:
    plot.frame()
    edges = edges_of(info.one, info.two, most=16)
    for i, values in enumerate((info.one, info.two)):
        style = plot.style(i)
        counts = counts_in(values, edges)
        plot.ax.stairs(counts, edges, fill=True, color=style.colour, alpha=0.25)
        plot.ax.stairs(counts, edges, color=style.colour, linewidth=1.2, linestyle=style.line)
        plot.ax.plot(values.mean(), 0.0, style.marker, color=style.colour, markersize=5, clip_on=False, zorder=5)
    _leave_room_around_one_bar(plot, edges)
    plot.ticks("x", 3)
    plot.ticks("y", 3, whole=True)
    plot.labels(info.measure)


def _differences(plot: Board, info: ErrorHistogramsInfo) -> None:
    plot.frame()
    difference = info.difference
    edges = edges_of_differences(difference, most=16, scale=info.scale)
    plot.ax.stairs(counts_in(difference, edges), edges, fill=True, color=plot.theme.muted, alpha=0.5)
    plot.ax.axvline(0.0, color=plot.theme.against, linewidth=1.3)
    plot.ax.plot(difference.mean(), 0.0, "D", color=plot.theme.ink, markersize=5, clip_on=False, zorder=5)
    _leave_room_around_one_bar(plot, edges)
    plot.ticks("x", 3)
    plot.ticks("y", 3, whole=True)
    first, second = shortened((info.first, info.second), 14.0, 7.5)
    plot.labels(f"{first} − {second}")


def _leave_room_around_one_bar(plot: Board, edges: Array) -> None:
    """One bar alone would fill the axes, and nobody would see that it stands at one value."""
    if len(edges) == 2:
        width = edges[1] - edges[0]
        low, high = plot.ax.get_xlim()
        plot.ax.set_xlim(min(low, edges[0] - 3 * width), max(high, edges[1] + 3 * width))
