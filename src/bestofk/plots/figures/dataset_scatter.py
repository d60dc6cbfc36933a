"""Two learners on every data set: points off the diagonal say who does better where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.phrases import counted
from bestofk.evidence import Scores
from bestofk.plots.canvas.board import Board
from bestofk.plots.canvas.text_width import fitted, literal, shortened, text_width
from bestofk.plots.info import Info
from bestofk.plots.sources import evidence_in, pair_in, paired_values

_NAMED = 4  # data sets with the largest differences
_ALL_NAMED = 8  # so few data sets are all named
#: Where the name of a point may stand, in points from it: right, left, above, below, aslant.
_SIDES: tuple[tuple[Literal["left", "right", "center"], Literal["center", "bottom", "top"], float, float], ...] = (
    ("left", "center", 4.0, 0.0),
    ("right", "center", -4.0, 0.0),
    ("center", "bottom", 0.0, 3.5),
    ("center", "top", 0.0, -3.5),
    ("left", "top", 2.0, -2.5),
    ("left", "bottom", 2.0, 2.5),
    ("right", "bottom", -1.0, 3.0),
    ("right", "top", -1.0, -3.0),
)


@dataclass(frozen=True, eq=False)
class DatasetScatterInfo(Info):
    """``one`` and ``two`` are the results of ``first`` and ``second`` on ``datasets``, in units of the measure."""

    name: ClassVar[str] = "scatter"

    first: str
    second: str
    datasets: tuple[str, ...]
    one: Array
    two: Array
    measure: str
    larger_is_better: bool

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """The first of the order and its strongest rival, on data sets that both have."""
        found, pair = evidence_in(result, evidence), pair_in(result)
        if not isinstance(found, Scores) or len(found.datasets) < 2 or len(pair) < 2:
            return None
        table = paired_values(found, pair)
        if table is None:
            return None
        both = np.asarray(~np.isnan(table).any(axis=0))
        names = tuple(name for name, kept in zip(found.datasets, both, strict=True) if kept)
        if not names:
            return None
        values = table[0, both], table[1, both]
        return cls(pair[0], pair[1], names, *values, found.measure, found.larger_is_better)

    @property
    def better(self) -> Array:
        """1 where the first does better, −1 where the second does, 0 where they are equal."""
        sign = np.sign(self.one - self.two)
        return np.asarray(sign if self.larger_is_better else -sign)

    @property
    def title(self) -> str:
        """What it is."""
        return f"{self.first} against {self.second} on every data set"

    @property
    def alt(self) -> str:
        """Who does better how often."""
        wins = [int((self.better == value).sum()) for value in (1, -1, 0)]
        return (
            f"Mean {self.measure} of {self.first} and {self.second} on {counted(len(self.datasets), 'data set')}: "
            f"{self.first} does better on {wins[0]}, {self.second} on {wins[1]}, equal on {wins[2]}."
        )

    def height(self, width: float) -> float:
        """A square."""
        return min(width, 100.0) * 0.93

    def paint(self, board: Board) -> None:
        """Draw a point per data set, the diagonal of equality, and the names of those furthest from it."""
        width, height = board.millimetres()
        side = min(width - 18.0, height - 15.5)
        plot = board.plot(left=15.0, right=width - 15.0 - side, top=height - 10.0 - side, bottom=10.0)
        _heads(board, self, 15.0 + side + 2.0)
        plot.frame()
        low, high = float(min(self.one.min(), self.two.min())), float(max(self.one.max(), self.two.max()))
        pad = 0.06 * (high - low or 1.0)
        ends = (low - pad, high + pad)
        plot.ax.set(xlim=ends, ylim=ends)
        plot.ax.plot(ends, ends, color=board.theme.muted, linewidth=0.8, linestyle=(0, (3, 2)))
        _points(plot, self)
        _names(plot, self)
        plot.ticks("x")
        plot.ticks("y")
        room = side - 4.0
        names = shortened((self.first, self.second), room - text_width(f"{self.measure} of ", 7.5), 7.5)
        plot.labels(*(f"{self.measure} of {each}" for each in names))


def _points(plot: Board, info: DatasetScatterInfo) -> None:
    for value, place in ((1, 0), (-1, 1), (0, 6)):
        some, style = info.better == value, plot.style(place)
        plot.ax.plot(info.one[some], info.two[some], style.marker, color=style.colour, markersize=4.5, alpha=0.85)


def _heads(board: Board, info: DatasetScatterInfo, width: float) -> None:
    """Above the plot: who does better how often, in the colour of the points."""
    names = shortened((info.first, info.second), (width - 19.0) / 2 - text_width(" better: 100", 7.0), 7.0)
    for name, value, place, x, ha in zip(names, (1, -1), (0, 1), (15.0, width - 2.0), ("left", "right"), strict=True):
        words = f"{name} better: {int((info.better == value).sum())}"
        board.text(x, 2.8, words, size=7.0, ha=ha, color=board.style(place).colour)


def _names(plot: Board, info: DatasetScatterInfo) -> None:
    """Names at the points furthest from the diagonal, where they meet no other words."""
    plot.settle()
    taken = [text.get_window_extent() for text in plot.ax.texts]
    points = plot.ax.transData.transform(np.stack([info.one, info.two], axis=-1))
    furthest = np.argsort(-np.abs(info.one - info.two), kind="stable")
    furthest = furthest[: len(furthest) if len(furthest) <= _ALL_NAMED else _NAMED]
    frame = plot.ax.get_window_extent()
    for i in furthest:
        for ha, va, shift, rise in _SIDES:
            words = plot.ax.annotate(
                literal(fitted(info.datasets[i], 26.0, 6.5)),
                (info.one[i], info.two[i]),
                xytext=(shift, rise),
                textcoords="offset points",
                fontsize=6.5,
                ha=ha,
                va=va,
                color=plot.theme.muted,
            )
            box = words.get_window_extent()
            inside = box.x0 >= frame.x0 and box.x1 <= frame.x1 and box.y0 >= frame.y0 and box.y1 <= frame.y1
            covers = any(box.contains(*point) for j, point in enumerate(points) if j != i)
            if inside and not covers and not any(box.overlaps(other) for other in taken):
                taken.append(box)
                break
            words.remove()
