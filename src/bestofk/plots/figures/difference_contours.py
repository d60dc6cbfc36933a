"""Paired differences in two measures: contours, and whether the origin lies far out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from bestofk.core.arrays import Array, without_rounding
from bestofk.core.errors import InputError
from bestofk.judging import Verdict
from bestofk.plots.canvas.board import Board
from bestofk.plots.canvas.ellipses import contour, two_columns
from bestofk.plots.figures.two_measures import Pair, measures_in, rows_are, two_measures
from bestofk.plots.info import Info
from bestofk.plots.sources import evidence_in, family_words, p_words, pair_in
from bestofk.stats.multivariate import hotelling


@dataclass(frozen=True, eq=False)
class DifferenceContoursInfo(Info):
    """``differences`` (rows, 2) are first minus second in ``measures``; ``test`` says what ``pvalue`` is of.

    Rows are folds or data sets, as ``rows`` says.
    """

    name: ClassVar[str] = "difference-contours"

    first: str
    second: str
    measures: Pair
    differences: Array
    pvalue: float | None
    rows: str = "folds"
    test: str = "Hotelling's test that both are 0"

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """The pair of ``pair_in``; of several measures the one that says the most, with the verdict's own p."""
        if isinstance(result, Verdict) and result.comparison.several is not None:
            return cls._most_telling(result)
        found, pair = two_measures(evidence_in(result, evidence)), pair_in(result)
        if found is None or len(pair) < 2 or not set(pair) <= set(found[1]):
            return None
        first, second = pair
        return cls.from_points(first, second, found[1][first], found[1][second], found[0])

    @classmethod
    def _most_telling(cls, verdict: Verdict) -> Self | None:
        found, (first, second) = measures_in(verdict), verdict.telling
        if found is None:
            return None
        differences = np.asarray(found[1][first] - found[1][second])
        rows, measures = rows_are(verdict), verdict.names
        both = "both are 0" if set(measures) == set(found[0]) else f"all of {', '.join(measures)} are 0"
        test = f"{verdict.comparison.test} that {both}{family_words(verdict.comparison)}"
        return cls(first, second, found[0], differences, verdict.comparison.adjusted_pvalue(first, second), rows, test)

    @classmethod
    def from_points(cls, first: str, second: str, one: Any, two: Any, measures: Pair) -> Self:
        """From (folds, 2) of two learners on the same folds."""
        a, b = two_columns(one), two_columns(two)
        if a.shape != b.shape:
            raise InputError(f"{len(a)} and {len(b)} folds.", "difference contours", "give the same folds of both.")
        try:
            pvalue = float(hotelling(a, b).pvalue)
        except InputError:  # too few folds for the test; the picture stands
            pvalue = None
        return cls(first, second, measures, a - b, pvalue)

    @property
    def title(self) -> str:
        """What it is."""
        return f"Differences {self.first} − {self.second} in {self.measures[0]} and {self.measures[1]}"

    @property
    def alt(self) -> str:
        """Mean difference in both measures, and the test."""
        x, y = without_rounding(self.differences.mean(axis=0), np.abs(self.differences).max())
        test = "" if self.pvalue is None else f" {self.test}: {p_words(self.pvalue)}."
        number = f"{len(self.differences)} {self.rows}"
        kind = f"Paired differences {self.first} minus {self.second} of {number} with contours"
        return f"{kind}; mean {x:+.3g} in {self.measures[0]} and {y:+.3g} in {self.measures[1]}, origin marked.{test}"

    def height(self, width: float) -> float:
        """Nearly square."""
        return min(width, 110.0) * 0.8

    def paint(self, board: Board) -> None:
        """Draw the differences, their contours and mean, and a cross at (0, 0)."""
        board.millimetres()
        plot = board.plot(left=15.0, right=3.0, top=6.0, bottom=9.5)
        plot.frame()
        colours = board.theme
        plot.ax.axhline(0.0, color=colours.faint, linewidth=0.8, zorder=0)
        plot.ax.axvline(0.0, color=colours.faint, linewidth=0.8, zorder=0)
        for share, weight in ((0.5, 1.3), (0.75, 1.0), (0.95, 0.7)):
            plot.ax.plot(*contour(self.differences, share).T, color=colours.accent, linewidth=weight)
        plot.ax.plot(*self.differences.T, "o", color=colours.accent, markersize=3, alpha=0.6, markeredgewidth=0)
        plot.ax.plot(*np.mean(self.differences, axis=0), "D", color=colours.accent, markersize=5)
        plot.ax.plot(0.0, 0.0, "X", color=colours.against, markersize=7, zorder=5)
        of_all = " (all measures)" if " that all of " in self.test else ""
        tested = "" if self.pvalue is None else f"   {p_words(self.pvalue)}{of_all}"
        words = f"✕ no difference   ◆ mean{tested}"
        board.text(15.0, 2.8, words, size=7.0)
        plot.ticks("x")
        plot.ticks("y")
        plot.labels(f"difference in {self.measures[0]}", f"difference in {self.measures[1]}")
