"""What a statistic would be by chance, with the observed one and the critical value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import one_of
from bestofk.core.phrases import counted, listed
from bestofk.plots.canvas.bins import counts_in, edges_of
from bestofk.plots.canvas.board import Board
from bestofk.plots.canvas.text_width import line_height, text_width
from bestofk.plots.info import Info
from bestofk.plots.sources import comparison_in, p_words
from bestofk.stats.curves.randomized_anova import RandomizedAnovaResult


@dataclass(frozen=True, eq=False)
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
        if comparison is None or comparison.curves is None:
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
    if info.stretched:
        plot.ax.set_xscale("log")
    else:
        plot.ticks("x", 5)
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
    plot.settle()
    to_board = plot.ax.transData + board.ax.transData.inverted()
    width = board.size()[0]
    for i, words, value in finite:
        half = text_width(words, 7.0) / 2 + 0.5
        x = min(max(float(to_board.transform((value, 0.0))[0]), half), width - half)
        board.text(x, above + 1.0 + line_height(7.0) * (i + 0.5), words, size=7.0, color=colours[i % 3], ha="center")
