"""Critical-difference diagram: learners along their mean rank, bars exactly as the groups of the comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from bestofk.comparing import Comparison
from bestofk.core.phrases import counted, listed
from bestofk.ordering.contest import smallest_first
from bestofk.plots.canvas.board import Board
from bestofk.plots.canvas.text_width import shortened, widest_of
from bestofk.plots.info import Info
from bestofk.plots.sources import Groups, comparison_in, groups_in
from bestofk.stats.omnibus import nemenyi
from bestofk.stats.omnibus.friedman import row_ranks

#: Groups that are drawn; title and alternative text say so where there are more.
_MOST = 30


@dataclass(frozen=True, eq=False)
class CriticalDifferenceInfo(Info):
    """``places`` are mean ranks (or means), best first; ``groups`` are joined by a bar.

    ``critical_difference`` is Nemenyi's, and only there when his test made the groups.
    """

    name: ClassVar[str] = "critical-difference"

    learners: tuple[str, ...]
    places: tuple[float, ...]
    axis: str
    larger_is_better: bool
    groups: Groups
    test: str
    critical_difference: float | None = None

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """Mean ranks over data sets, else the means of the measure."""
        comparison = comparison_in(result)
        if comparison is None or comparison.control is not None:
            return None
        means, axis, larger = comparison.means, f"mean {comparison.measure}", comparison.larger_is_better
        ranked, cd = _mean_ranks(comparison), None
        if ranked is not None:
            means, axis, larger = ranked, "mean rank", False
            table = np.ascontiguousarray(comparison.sample.rows.T)
            cd = nemenyi(table, alpha=comparison.alpha).critical_difference if comparison.test == "nemenyi" else None
        names = sorted(comparison.learners)
        losses = np.array([-means[each] if larger else means[each] for each in names])
        best = [names[place] for place in smallest_first(losses)]
        groups = groups_in(comparison, tuple(best)) or ()
        places = tuple(float(means[name]) for name in best)
        return cls(tuple(best), places, axis, larger, groups, comparison.test, cd)

    @property
    def title(self) -> str:
        """What it is."""
        rest = f" (the first {_MOST} of {len(self.groups)} groups)" if len(self.groups) > _MOST else ""
        return f"Learners along their {self.axis}; a bar joins those not significantly different by {self.test}{rest}"

    @property
    def alt(self) -> str:
        """Places and bars."""
        places = [f"{name} {place:.3g}" for name, place in zip(self.learners, self.places, strict=True)]
        bars = "; ".join(listed(group) for group in self.groups) if self.groups else "nobody"
        kind = f"Critical-difference diagram of {counted(len(self.learners), 'learner')} by {self.axis}, best first"
        rest = f" Only the first {_MOST} of these groups are drawn." if len(self.groups) > _MOST else ""
        cd = "" if self.critical_difference is None else f" Critical difference {self.critical_difference:.3g}."
        return f"{kind}: {listed(places)}. Joined, as not significantly different by {self.test}: {bars}.{rest}{cd}"

    def height(self, width: float) -> float:
        """Half of the names on each side, below the bars."""
        return 13.0 + _bars_height(self) + _step(self) * ((len(self.learners) + 1) // 2)

    def paint(self, board: Board) -> None:
        """Draw the axis, best at the left, the bars under it, and the names left and right below."""
        width, height = board.millimetres()
        half = (len(self.learners) + 1) // 2
        margin = _margin(self, width)
        low, high = min(self.places), max(self.places)
        best, worst = (high, low) if self.larger_is_better else (low, high)

        def x(value: float) -> float:
            along = 0.5 if worst == best else (value - best) / (worst - best)
            return margin + along * (width - 2 * margin)

        _axis(board, self, x, (low, high))
        bars = 9.5 + _bars_height(self)
        step = (height - bars - 3.0) / half
        _bars(board, self, x)
        short = shortened(self.learners, margin - 6.5, 7.5)
        for i, (name, value) in enumerate(zip(short, self.places, strict=True)):
            left = i < half
            row = i if left else len(self.learners) - 1 - i
            y = bars + (row + 0.6) * step
            edge = margin - 5.0 if left else width - margin + 5.0
            lines: dict[str, Any] = {"color": board.theme.muted, "linewidth": 0.6, "solid_joinstyle": "miter"}
            board.ax.plot([x(value), x(value), edge], [9.0, y, y], **lines)
            board.text(edge + (-0.8 if left else 0.8), y, name, ha="right" if left else "left")
            number = edge + (1.0 if left else -1.0)  # on its line, beside the name
            look: dict[str, Any] = {"size": 6.0, "color": board.theme.muted, "va": "bottom"}
            board.text(number, y - 0.3, f"{value:.3g}", ha="left" if left else "right", **look)


def _mean_ranks(comparison: Comparison) -> dict[str, float] | None:
    """Those that learners are listed by, and beside any other test over data sets."""
    if comparison.mean_ranks is not None or comparison.kind != "datasets" or comparison.sample.incomplete:
        return comparison.mean_ranks
    ranks = row_ranks(np.ascontiguousarray(comparison.sample.rows.T)).mean(axis=0)
    return dict(zip(comparison.learners, ranks.tolist(), strict=True))


def _step(info: CriticalDifferenceInfo) -> float:
    return 4.2 if len(info.learners) <= 12 else 3.6


def _levels(info: CriticalDifferenceInfo) -> list[int]:
    """Row of every bar: bars that do not meet share one."""
    at = dict(zip(info.learners, info.places, strict=True))
    ends: list[float] = []
    rows = []
    low, high = min(info.places), max(info.places)
    for group in sorted(info.groups[:_MOST], key=lambda group: min(at[name] for name in group)):
        values = [at[name] for name in group]
        row = next((i for i, end in enumerate(ends) if min(values) > end + 0.03 * (high - low)), len(ends))
        ends[row : row + 1] = [max(values)]
        rows.append(row)
    return rows


def _ruler(info: CriticalDifferenceInfo) -> float:
    """Length of the critical difference where it is drawn: 0 without one, and where it is longer than the axis."""
    length = info.critical_difference or 0.0
    return length if length <= max(info.places) - min(info.places) else 0.0


def _bars_height(info: CriticalDifferenceInfo) -> float:
    return 2.0 * (max(_levels(info), default=-1) + 1) + 1.5 + _ruler_height(info)


def _ruler_height(info: CriticalDifferenceInfo) -> float:
    return 4.0 if _ruler(info) else 0.0


def _margin(info: CriticalDifferenceInfo, width: float) -> float:
    """Room for the names at either side: no more than they need, so that the axis has the rest."""
    return min(0.35 * width, 34.0, max(14.0, widest_of(info.learners, 7.5) + 7.0))


def _axis(board: Board, info: CriticalDifferenceInfo, x: Any, ends: tuple[float, float]) -> None:
    from matplotlib.ticker import MaxNLocator

    low, high = ends
    theme = board.theme
    board.ax.plot([x(low), x(high)], [9.0, 9.0], color=theme.ink, linewidth=0.9)
    for tick in MaxNLocator(4, steps=[1, 2, 5, 10]).tick_values(low, high):
        if low - 1e-12 <= tick <= high + 1e-12:
            board.ax.plot([x(tick)] * 2, [7.8, 9.0], color=theme.ink, linewidth=0.7)
            board.text(x(tick), 6.0, f"{tick:.4g}", size=6.5, ha="center")
    board.text((x(low) + x(high)) / 2, 2.4, f"{info.axis}, best at the left", size=6.5, ha="center", color=theme.muted)
    if _ruler(info):
        start, end = x(info.places[0]), x(info.places[0] + _ruler(info))
        board.ax.plot([start, end], [12.0, 12.0], color=theme.against, linewidth=1.2, marker="|", markersize=4)
        board.text(end + 1.5, 12.0, f"critical difference {_ruler(info):.3g}", size=6.5, color=theme.against)


def _bars(board: Board, info: CriticalDifferenceInfo, x: Any) -> None:
    at = dict(zip(info.learners, info.places, strict=True))
    groups = sorted(info.groups[:_MOST], key=lambda group: min(at[name] for name in group))
    for row, group in zip(_levels(info), groups, strict=True):
        y = 11.0 + _ruler_height(info) + 2.0 * row
        values = sorted(x(at[name]) for name in group)
        inside = [name for name in info.learners if values[0] - 1e-9 <= x(at[name]) <= values[-1] + 1e-9]
        whole = len(inside) == len(group)
        ends = [values[0] - 0.8, values[-1] + 0.8]
        board.ax.plot(ends, [y, y], color=board.theme.accent, linewidth=2.2 if whole else 0.8)
        if not whole:  # somebody in between belongs to another group: only the dots are members
            board.ax.plot(values, [y] * len(values), "o", color=board.theme.accent, markersize=3.2)
