"""Critical-difference diagram: learners along their mean rank, bars exactly as the groups of the comparison."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted, digits, listed
from bestofk.ordering.contest import smallest_first
from bestofk.plots.canvas.board import Board, named_rows, row_places, rows_height
from bestofk.plots.canvas.text_width import SMALL, shortened, text_width, widest_of
from bestofk.plots.info import Info
from bestofk.plots.sources import Groups, comparison_in, groups_in
from bestofk.stats.omnibus import nemenyi

_FEW, _APART = 12, 0.8  # learners, and millimetres between their stems, for names at the sides
_BAR = 2.0  # millimetres from bar to bar
#: Groups that are drawn; title and alternative text say so where there are more.
_MOST = 30


@frozen(eq=False)
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
        """Mean ranks over data sets, else the means of the measure; None where not all pairs were tested."""
        comparison = comparison_in(result)
        if comparison is None or comparison.control is not None or comparison.degenerate.any():
            return None
        means, axis, larger = comparison.means, f"mean {comparison.measure}", comparison.larger_is_better
        ranked, cd = comparison.mean_ranks, None
        if ranked is None and comparison.kind == "datasets" and not comparison.sample.incomplete:
            ranked = comparison.sample.mean_ranks
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
        places = [f"{name} {digits(place)}" for name, place in zip(self.learners, self.places, strict=True)]
        bars = "; ".join(listed(group) for group in self.groups) if self.groups else "nobody"
        kind = f"Critical-difference diagram of {counted(len(self.learners), 'learner')} by {self.axis}, best first"
        rest = f" Only the first {_MOST} of these groups are drawn." if len(self.groups) > _MOST else ""
        cd = "" if self.critical_difference is None else f" Critical difference {self.critical_difference:.3g}."
        return f"{kind}: {listed(places)}. Joined, as not significantly different by {self.test}: {bars}.{rest}{cd}"

    def height(self, width: float) -> float:
        """Half of the names on each side below the bars; a row per learner where they are many."""
        if not self.classic(width):
            return rows_height(len(self.learners))
        return _axis_at(self) + 4.0 + _BAR * len(set(_bar_rows(self, width))) + 4.2 * ((len(self.learners) + 1) // 2)

    def paint(self, board: Board) -> None:
        """Draw the axis, best at the left, the bars under it, and the names left and right below; or rows."""
        width, height = board.millimetres()
        if not self.classic(width):
            _as_rows(board, self)
            return
        x = _along(self, width)
        _axis(board, self, x, width)
        bars = _bar_rows(self, width)
        for row, group in zip(bars, self.drawn, strict=True):
            y, ends = _axis_at(self) + 2.0 + _BAR * row, _ends(self, group, x)
            members = [(x[self.learners.index(name)], y) for name in group]
            board.bar([(ends[0], y), (ends[1], y)], members, whole=self.whole(group))
        top = _axis_at(self) + 1.5 + _BAR * len(set(bars))
        _names(board, self, x, top, (height - top - 1.5) / ((len(self.learners) + 1) // 2))

    def classic(self, width: float) -> bool:
        """Whether every stem can be told from its neighbours, so that names can stand at the sides."""
        return len(self.learners) <= _FEW and bool(np.diff(np.sort(_along(self, width))).min() >= _APART)

    @property
    def drawn(self) -> Groups:
        """The groups that are drawn, from the best."""
        return tuple(sorted(self.groups[:_MOST], key=lambda group: min(map(self.learners.index, group))))

    def whole(self, group: tuple[str, ...]) -> bool:
        """Whether nobody stands between the members of a group."""
        places = [self.learners.index(name) for name in group]
        return max(places) - min(places) + 1 == len(group)

    @property
    def reach(self) -> tuple[float, float]:
        """Both ends of the axis: all places, and the critical difference from the best."""
        return min(self.places), max(*self.places, self.places[0] + (self.critical_difference or 0.0))


def _axis_at(info: CriticalDifferenceInfo) -> float:
    """Millimetres above the axis: its words, the critical difference, the numbers of its ticks."""
    return 9.0 if info.critical_difference is None else 15.0


def _margin(info: CriticalDifferenceInfo, width: float) -> float:
    """Room for names and numbers at either side: no more than they need, so that the axis has the rest."""
    return min(0.36 * width, 50.0, max(14.0, widest_of(info.learners, 7.5) + _digits(info) + 3.0))


def _digits(info: CriticalDifferenceInfo) -> float:
    return widest_of([digits(value) for value in info.places], 6.0) + 1.5


def _along(info: CriticalDifferenceInfo, width: float, values: Any = None) -> Array:
    """Millimetres from the left of places, the best at the left."""
    low, high = info.reach
    given = np.asarray(info.places if values is None else values)
    share = np.full(given.shape, 0.5) if low == high else (given - low) / (high - low)
    share = 1.0 - share if info.larger_is_better else share
    margin = _margin(info, width)
    return np.asarray(margin + share * (width - 2 * margin))


def _ends(info: CriticalDifferenceInfo, group: tuple[str, ...], x: Array) -> tuple[float, float]:
    """A bar reaches over the stems of its members, and not to those of others."""
    inside = np.array([name in group for name in info.learners])
    low, high = x[inside].min(), x[inside].max()
    left, right = x[~inside & (x < low)], x[~inside & (x > high)]
    over = min(0.8, 0.4 * float(min(np.min(low - left, initial=9.0), np.min(right - high, initial=9.0))))
    return float(low - over), float(high + over)


def _bar_rows(info: CriticalDifferenceInfo, width: float) -> list[int]:
    """Row of every bar: bars that lie well apart share one."""
    x = _along(info, width)
    taken: list[float] = []
    rows = []
    for low, high in (_ends(info, group, x) for group in info.drawn):
        row = next((i for i, end in enumerate(taken) if low > end + 2.0), len(taken))
        taken[row : row + 1] = [high]
        rows.append(row)
    return rows


def _axis(board: Board, info: CriticalDifferenceInfo, x: Array, width: float) -> None:
    from matplotlib.ticker import MaxNLocator

    low, high = info.reach
    theme, y = board.theme, _axis_at(info)
    ends = _along(info, width, [low, high])
    board.ax.plot(ends, [y, y], color=theme.ink, linewidth=0.9)
    ticks = [tick for tick in MaxNLocator(4, steps=[1, 2, 5, 10]).tick_values(low, high) if low <= tick <= high]
    for tick, at in zip(ticks, _along(info, width, ticks), strict=True):
        board.ax.plot([at, at], [y - 1.2, y], color=theme.ink, linewidth=0.7)
        board.text(at, y - 3.0, f"{tick:.4g}", size=SMALL, ha="center")
    board.text(ends.mean(), 2.4, f"{info.axis}, best at the left", size=SMALL, ha="center", color=theme.muted)
    if info.critical_difference is not None:
        ruler = _along(info, width, [info.places[0], info.places[0] + info.critical_difference])
        words = f"critical difference {info.critical_difference:.3g}"
        half = text_width(words, SMALL) / 2 + 1.0
        middle = min(max(float(ruler.mean()), half), width - half)
        board.text(middle, 6.0, words, size=SMALL, ha="center", color=theme.against)
        board.ax.plot(ruler, [8.4, 8.4], color=theme.against, linewidth=1.2, marker="|", markersize=4)


def _names(board: Board, info: CriticalDifferenceInfo, x: Array, top: float, step: float) -> None:
    """A stem from the axis down to each name; its number stands on it, outside of every stem."""
    width, _ = board.size()
    half, outside = (len(x) + 1) // 2, _margin(info, width) - _digits(info)
    for i, name in enumerate(shortened(info.learners, outside - 2.0, 7.5)):
        left = i < half
        side, edge = (-1.0, outside) if left else (1.0, width - outside)
        y = top + ((i if left else len(x) - 1 - i) + 0.6) * step
        lines: dict[str, Any] = {"color": board.theme.muted, "linewidth": 0.6, "solid_joinstyle": "miter", "zorder": 1}
        board.ax.plot([x[i], x[i], edge], [_axis_at(info), y, y], **lines)
        board.text(edge + 0.8 * side, y, name, ha="right" if left else "left")
        look: dict[str, Any] = {"size": SMALL, "color": board.theme.muted, "va": "bottom"}
        board.text(edge - 0.3 * side, y - 0.3, digits(info.places[i]), ha="left" if left else "right", **look)


def _as_rows(board: Board, info: CriticalDifferenceInfo) -> None:
    """A row per learner with a mark at its place; bars stand upright at the right."""
    width, _ = board.size()
    step = min(2.2, 0.3 * width / max(1, len(info.drawn)))
    ruler = info.critical_difference
    words = f"{info.axis}  ({'→' if info.larger_is_better else '←'} better)"
    words += "" if ruler is None else f"; orange: critical difference {ruler:.3g}"
    plot = named_rows(board, info.learners, words, right=step * len(info.drawn) + 3.5)
    plot.ax.plot(info.places, range(len(info.places)), "o", color=board.theme.ink, markersize=3.2)
    if info.axis == "mean rank":
        plot.within("x", 1.0, max(info.reach[1], len(info.places)))
    if ruler is not None:
        ends = [info.places[0], info.places[0] + ruler]
        plot.ax.plot(ends, [-0.45] * 2, color=board.theme.against, linewidth=1.2, marker="|", markersize=3)
    rows = row_places(board, len(info.places))
    board.upright_bars([[info.learners.index(n) for n in group] for group in info.drawn], rows, width - 1.5, -step)
