"""Histograms: results of two learners and their differences, and what a statistic would be by chance."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from bestofk.core.arrays import ROUNDING, Array, without_rounding
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.options import one_of
from bestofk.core.phrases import counted, listed, p_words, signed
from bestofk.judging import Verdict
from bestofk.plots.canvas.board import Board, draw_key, key_height
from bestofk.plots.canvas.text_width import line_height, shortened, text_width
from bestofk.plots.info import Info
from bestofk.plots.sources import comparison_in, evidence_in, pair_in, paired_values, possible
from bestofk.stats.curves.randomized_anova import RandomizedAnovaResult


@frozen(eq=False)
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
        found = f"mean {signed(float(mean))}, {int((d < 0).sum())} below and {int((d > 0).sum())} above 0"
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
    low, high = possible(info.measure, [info.one, info.two])
    edges = edges_of(info.one, info.two, most=16)
    edges = edges if np.isinf(high) else np.clip(edges, low, high)
    for i, values in enumerate((info.one, info.two)):
        style = plot.style(i)
        counts = counts_in(values, edges)
        plot.ax.stairs(counts, edges, fill=True, color=style.colour, alpha=0.25)
        plot.ax.stairs(counts, edges, color=style.colour, linewidth=1.2, linestyle=style.line)
        plot.ax.plot(values.mean(), 0.0, style.marker, color=style.colour, markersize=5, clip_on=False, zorder=5)
    _leave_room_around_one_bar(plot, edges)
    plot.within("x", min(low, edges[0]), high)
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


# What a statistic would be by chance, with the observed one and the critical value.


@frozen(eq=False)
class NullHistogramInfo(Info):
    """``values`` under the null hypothesis; ``marks`` are (words, value), the first of them the most important."""

    name: ClassVar[str] = "null-histogram"
    #: Which effect of a randomized ANOVA is drawn where none is named.
    effect: ClassVar[str] = "algorithm"

    values: Array
    marks: tuple[tuple[str, float], ...]
    statistic: str
    shuffles: str = "shuffles"
    below: NullHistogramInfo | None = None  # a second one, drawn under it

    def __post_init__(self) -> None:
        values = np.asarray(self.values, dtype=float)
        values = values[np.isfinite(values)]
        if values.size == 0:
            raise InputError("there is no finite value.", "null histogram, values", "give the shuffled statistics.")
        object.__setattr__(self, "values", values)

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """From a randomized ANOVA, or from a verdict or comparison of curves."""
        if isinstance(result, RandomizedAnovaResult):
            return cls.from_anova(result, cls.effect)
        comparison = comparison_in(result)
        if comparison is None or comparison.curves is None or comparison.curves.anova is None:
            return None
        if cls.effect == "interaction":  # a verdict has both in one picture
            return None
        anova = comparison.curves.anova
        return replace(cls.from_anova(anova), below=NullHistogramInfo.from_anova(anova, "interaction"))

    @classmethod
    def from_anova(cls, result: RandomizedAnovaResult, effect: str = "algorithm") -> Self:
        """The algorithm effect or the interaction of one randomized ANOVA."""
        effect = one_of(effect, ("algorithm", "interaction"), name="effect", where="null histogram")
        part = "alg" if effect == "algorithm" else "int"
        observed, critical = getattr(result, f"f_{part}"), getattr(result, f"critical_{part}")
        pvalue = getattr(result, f"p_{part}")
        marks = (
            (f"observed {observed:.3g}, {p_words(pvalue)}", float(observed)),
            (f"critical {critical:.3g} at {result.alpha:g}", float(critical)),
        )
        return cls(getattr(result, f"null_{part}"), marks, f"F of the {effect} effect")

    @property
    def title(self) -> str:
        """What it is."""
        if self.below is not None:
            return f"{self.statistic} and {self.below.statistic} when curves are dealt out by chance"
        return (
            f"{self.statistic} when curves are dealt out by chance" if self.shuffles == "shuffles" else self.statistic
        )

    @property
    def alt(self) -> str:
        """Range of the null, and the marks."""
        low, high = self.values.min(), self.values.max()
        kind = f"Histogram of {self.statistic} in {counted(len(self.values), self.shuffles.removesuffix('s'))}"
        marks = f" Marked: {listed([words for words, _ in self.marks])}." if self.marks else ""
        more = "" if self.below is None else f" Below it: {self.below.alt}"
        return f"{kind}, from {low:.3g} to {high:.3g}.{marks}{more}"

    @property
    def stretched(self) -> bool:
        """Whether a mark lies so far out that the axis must be logarithmic."""
        furthest = max((value for _, value in self.marks), default=0.0)
        return bool(furthest > 6.0 * self.values.max() and self.values.min() > 0 and np.isfinite(furthest))

    def height(self, width: float) -> float:
        """A flat picture, or two."""
        return 46.0 if self.below is None else 92.0

    def paint(self, board: Board) -> None:
        """Draw the histogram and a line with words per mark."""
        board.millimetres()
        shown = (self,) if self.below is None else (self, self.below)
        height = board.size()[1] / len(shown)
        for row, each in enumerate(shown):
            _histogram(board, each, row * height, (len(shown) - 1 - row) * height)


class NullHistogramInteractionInfo(NullHistogramInfo):
    """The same of the interaction, which tells of the shapes of curves."""

    name: ClassVar[str] = "null-histogram-interaction"
    effect: ClassVar[str] = "interaction"


def _histogram(board: Board, info: NullHistogramInfo, above: float, under: float) -> None:
    """One histogram in a strip of the sheet."""
    top = 2.0 + line_height(7.0) * len(info.marks)
    plot = board.plot(left=13.0, right=3.0, top=above + top, bottom=under + 9.5)
    plot.frame()
    values = np.log10(info.values) if info.stretched else info.values
    edges = edges_of(values)
    shown = 10.0**edges if info.stretched else edges
    plot.ax.stairs(counts_in(values, edges), shown, fill=True, color=board.theme.muted, alpha=0.55)
    plot.ticks("y", 3, whole=True)
    plot.labels(info.statistic, info.shuffles)
    _marks(board, plot, info, above)


def _marks(board: Board, plot: Board, info: NullHistogramInfo, above: float) -> None:
    """A line per mark, and its words above it as far as the sheet allows."""
    colours = (board.theme.against, board.theme.accent, board.theme.ink)
    lines = ("-", (0, (4, 1.5)), (0, (1, 1.2)))
    finite = [(i, words, value) for i, (words, value) in enumerate(info.marks) if np.isfinite(value)]
    for i, _, value in finite:
        plot.ax.axvline(value, color=colours[i % 3], linewidth=1.4, linestyle=lines[i % 3])
    if info.stretched:
        plot.ratios()
    else:
        plot.ticks("x", 5)
    plot.settle()
    to_board = plot.ax.transData + board.ax.transData.inverted()
    width = board.size()[0]
    for i, words, value in finite:
        half = text_width(words, 7.0) / 2 + 0.5
        x = min(max(float(to_board.transform((value, 0.0))[0]), half), width - half)
        board.text(x, above + 1.0 + line_height(7.0) * (i + 0.5), words, size=7.0, color=colours[i % 3], ha="center")


#: Below this a float has no steps to divide.
TINY = float(np.finfo(np.float64).tiny)
#: The narrowest bar that is still seen, as a share of what the axis shows.
SEEN = 0.04


def edges_of_differences(values: Any, *, most: int = 30, scale: float = 1.0) -> Array:
    """Edges with a bar centred on 0 where some values are 0; else none holds both signs, and each is wide enough.

    ``scale`` is the size of the numbers that were subtracted: how wide the bar of differences that are all 0 is.
    """
    given = np.asarray(values, dtype=float)
    low, high = float(given.min()), float(given.max())
    shown = max(high, 0.0) - min(low, 0.0)
    if high - low <= max(SEEN * shown, TINY):
        middle, half = low + (high - low) / 2, SEEN * max(shown or abs(scale) or 1.0, TINY / SEEN) / 2
        return np.array([min(middle - half, low), max(middle + half, high)])
    zeros = bool((given == 0.0).any())
    plain = float(np.diff(edges_of(given, most=most)[:2])[0])
    width = _width_around_zero(given, plain, most) if zeros else max(plain, 0.5 * SEEN * shown)
    at = 0.5 if zeros else 0.0  # where in its bar 0 stands
    first = int(np.floor(low / width + at + 1e-9))
    last = max(int(np.ceil(high / width + at - 1e-9)), first + 1)
    edges = width * (np.arange(first, last + 1.0) - at)
    edges[0], edges[-1] = min(edges[0], low), max(edges[-1], high)  # rounding leaves no value outside
    return edges


def _width_around_zero(values: Array, plain: float, most: int) -> float:
    """The step of values that come in steps, as those of whole items do; else narrow enough for the bar at 0."""
    finest, step = np.ptp(values) / most, np.abs(values[values != 0.0]).min()
    steps = values / step
    if step >= finest and np.abs(steps - np.rint(steps)).max() < 1e-6:
        return float(step)
    return float(plain if plain < 2 * step else max(step, finest))


def edges_of(*samples: Any, most: int = 30) -> Array:
    """Edges over all samples together; values that are equal up to rounding get one bar around them."""
    values = np.concatenate([np.ravel(each) for each in samples])
    low, high = float(values.min()), float(values.max())
    if high - low <= max(ROUNDING * max(abs(low), abs(high)), TINY):
        half = 0.05 * (abs(low) if abs(low) > TINY else 1.0)
        return np.array([low - half, low + half])
    count = int(np.clip(np.ceil(np.sqrt(values.size)), 6, most))
    if np.all(values == np.rint(values)):  # whole numbers: as many in every bar, each in the middle of its part
        width = np.ceil((high - low + 1.0) / count)
        return np.asarray(low - 0.5 + width * np.arange(np.ceil((high - low + 1.0) / width) + 1.0))
    return np.linspace(low, high, count + 1)


def counts_in(values: Any, edges: Array) -> Array:
    """How many values lie between neighbouring edges."""
    return np.histogram(values, bins=edges)[0].astype(float)
