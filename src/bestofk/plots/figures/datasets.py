"""Data sets one by one: what becomes of p without each, and who does better on which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, Self

import numpy as np

from bestofk.advice.dataset_question import question_of
from bestofk.comparing import sample_of
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted, listed, p_words
from bestofk.evidence import Scores
from bestofk.judging import Verdict
from bestofk.plots.canvas.board import Board, named_rows, rows_height
from bestofk.plots.canvas.text_width import SMALL, fitted, literal, shortened, text_width
from bestofk.plots.info import Info
from bestofk.plots.sources import comparison_in, evidence_in, pair_in, paired_values, possible
from bestofk.stats.across import leave_out
from bestofk.stats.pairwise import PAIRWISE

_MOST = 30  # data sets shown, those that move p the most
_MOST_VALUES = 100_000  # of all pairs on all choices of data sets: a figure must not be waited for


@frozen(eq=False)
class DatasetInfluenceInfo(Info):
    """``without`` has the p value of the pair when that data set is left out; ``together`` the one of all data sets."""

    name: ClassVar[str] = "influence"

    first: str
    second: str
    datasets: tuple[str, ...]
    without: tuple[float, ...]
    together: float
    alpha: float
    test: str
    adjusted: bool = False

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """The pair that fewest data sets decide, or that of ``pair_in``; the family is adjusted anew each time."""
        comparison, found = comparison_in(result), evidence_in(result, evidence)
        if comparison is None or not isinstance(found, Scores):
            return None
        first, second = _shakiest(result) or pair_in(result)
        question = question_of(found, comparison) if comparison.compared(first, second) else None
        if question is None or len(comparison.pairs) * len(found.datasets) ** 2 > _MOST_VALUES:
            return None
        place = next(i for i, pair in enumerate(comparison.pairs) if set(pair) == {first, second})
        left = leave_out(sample_of(found).rows, question, 1).decided.adjusted[:, place]
        without = tuple(float(p) for p in left)
        together = comparison.adjusted_pvalue(first, second)
        alpha, several = comparison.alpha, len(comparison.pairs) > 1
        return cls(first, second, found.datasets, without, together, alpha, comparison.test, adjusted=several)

    @classmethod
    def from_values(
        cls,
        first: str,
        second: str,
        one: Any,
        two: Any,
        datasets: Sequence[str],
        *,
        test: str = "paired-t",
        alpha: float = 0.05,
    ) -> Self:
        """From the results of two learners on each data set: the test is repeated with each left out."""
        a, b = np.asarray(one, dtype=float), np.asarray(two, dtype=float)
        names = tuple(datasets)
        if a.shape != (len(names),) or b.shape != a.shape or len(a) < 4:
            raise InputError(
                f"values have the shapes {a.shape} and {b.shape} for {counted(len(names), 'data set')}.",
                "influence",
                "give one value per data set of each learner, four data sets or more.",
            )
        run = PAIRWISE[test]
        rest = ~np.eye(len(a), dtype=bool)
        left = np.array([a[keep] for keep in rest]), np.array([b[keep] for keep in rest])
        without = tuple(float(p) for p in np.atleast_1d(run(*left).pvalue))
        return cls(first, second, names, without, float(run(a, b).pvalue), alpha, test)

    @property
    def flips(self) -> tuple[str, ...]:
        """Data sets whose removal changes the answer at ``alpha``."""
        found = self.together <= self.alpha
        return tuple(
            name for name, p in zip(self.datasets, self.without, strict=True) if (p <= self.alpha) is not found
        )

    @property
    def shown(self) -> tuple[int, ...]:
        """Positions of the data sets that are drawn: those that move p the most, on a scale of ratios."""
        ratio = np.abs(np.log(np.maximum(self.without, 1e-12) / max(self.together, 1e-12)))
        return tuple(int(i) for i in np.argsort(-ratio, kind="stable")[:_MOST])

    @property
    def telling(self) -> bool:
        """Nothing where the pair does not differ, whatever is left out."""
        return self.together <= self.alpha or bool(self.flips)

    @property
    def title(self) -> str:
        """What it is."""
        kind = "Adjusted p" if self.adjusted else "The p"
        return f"{kind} of {self.first} against {self.second} without each data set"

    @property
    def alt(self) -> str:
        """Range of p, and which data sets change the answer."""
        low, high = min(self.without), max(self.without)
        changed = listed(self.flips) if self.flips else "no single data set"
        few = len(self.shown) < len(self.datasets)
        most = f" The {len(self.shown)} that move it most are shown." if few else ""
        kind = f"Pair {self.first} and {self.second} by {self.test} on {counted(len(self.datasets), 'data set')}"
        together = f"{p_words(self.together)} with all, {p_words(low)} to {p_words(high)} with one left out"
        return f"{kind}: {together}. The answer at {self.alpha:g} changes without: {changed}.{most}"

    def height(self, width: float) -> float:
        """A row per data set."""
        return rows_height(len(self.shown))

    def paint(self, board: Board) -> None:
        """Draw p without each data set beside p of all; filled where the answer changes."""
        colours, floor = board.theme, min(0.001, 0.1 * self.alpha)
        cut = f", cut at {floor:g}" if min(*self.without, self.together) < floor else ""
        words = f"p{cut}  (line: all data sets; dashed: {self.alpha:g})"
        plot = named_rows(board, [self.datasets[i] for i in self.shown], words)
        plot.ax.axvline(max(self.together, floor), color=colours.muted, linewidth=1.0)
        plot.ax.axvline(self.alpha, color=colours.against, linewidth=1.0, linestyle=(0, (4, 1.5)))
        for row, i in enumerate(self.shown):
            p, flips = max(self.without[i], floor), self.datasets[i] in self.flips
            colour = colours.against if flips else colours.accent
            plot.ax.plot([max(self.together, floor), p], [row, row], color=colour, linewidth=1.0)
            plot.ax.plot(p, row, "D" if flips else "o", color=colour, markersize=5 if flips else 4)
        plot.ax.set_xlim(0.7 * max(min(*self.without, self.together, self.alpha), floor), 1.25)
        plot.ratios()


def _shakiest(result: Any) -> tuple[str, str] | None:
    """The pair of a verdict whose conclusion hangs on the fewest data sets: the one that its words name."""
    if not isinstance(result, Verdict) or result.sensitivity is None or result.sensitivity.shakiest is None:
        return None
    first, second = result.sensitivity.shakiest.about
    return first, second


# Two learners on every data set: points off the diagonal say who does better where.


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


@frozen(eq=False)
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
        for axis in "xy":
            plot.within(axis, *possible(self.measure, high))
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
                literal(fitted(info.datasets[i], 26.0, SMALL)),
                (info.one[i], info.two[i]),
                xytext=(shift, rise),
                textcoords="offset points",
                fontsize=SMALL,
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
