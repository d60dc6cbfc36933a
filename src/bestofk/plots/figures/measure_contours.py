"""Two measures at once: every fold as a point, and contours of a Gaussian fitted to each learner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

from bestofk.core.arrays import Array
from bestofk.core.phrases import counted
from bestofk.judging import Verdict
from bestofk.plots.canvas.board import Board
from bestofk.plots.canvas.ellipses import contour, two_columns
from bestofk.plots.canvas.keys import draw_key, key_height
from bestofk.plots.figures.two_measures import Pair, measures_in, rows_are, two_measures
from bestofk.plots.info import Info
from bestofk.plots.sources import evidence_in, order_in

_TWO_CONTOURS_UP_TO = 6  # learners


@dataclass(frozen=True, eq=False)
class MeasureContoursInfo(Info):
    """``points`` has (rows, 2) per learner, best first; ``measures`` names the columns, ``rows`` what rows are."""

    name: ClassVar[str] = "contours"

    learners: tuple[str, ...]
    measures: Pair
    points: tuple[Array, ...]
    rows: str = "folds"

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """From confusion counts (true and false positive rate), or from two measures of the same folds."""
        several = isinstance(result, Verdict) and result.comparison.several is not None
        found = measures_in(result) if several else two_measures(evidence_in(result, evidence))
        order = result.order if several else order_in(result)
        if found is None or not order or not set(order) <= set(found[1]):
            return None
        rows = rows_are(result) if several else "folds"
        return cls.from_points({name: found[1][name] for name in order}, found[0], rows)

    @classmethod
    def from_points(cls, points: dict[str, Any], measures: Pair, rows: str = "folds") -> Self:
        """From {learner: (rows, 2)}; rows are folds or data sets."""
        return cls(tuple(points), measures, tuple(two_columns(each) for each in points.values()), rows)

    @property
    def title(self) -> str:
        """What it is."""
        return f"{self.measures[0]} and {self.measures[1]} of every {self.rows.removesuffix('s')}"

    @property
    def alt(self) -> str:
        """The two means of every learner."""
        means = "; ".join(
            f"{name} {each[:, 0].mean():.3g}, {each[:, 1].mean():.3g}"
            for name, each in zip(self.learners, self.points, strict=True)
        )
        kind = f"{self.rows.capitalize()} of {counted(len(self.learners), 'learner')} with contours of fitted Gaussians"
        return f"{kind}; mean {self.measures[0]} and mean {self.measures[1]}: {means}."

    def height(self, width: float) -> float:
        """Nearly square, with the key below."""
        return min(width, 110.0) * 0.82 + key_height(len(self.learners), width)

    def paint(self, board: Board) -> None:
        """Draw points, the half and the 95 % contour (of many learners the half alone), a large mark at each mean."""
        width, _ = board.millimetres()
        below = key_height(len(self.learners), width) + 9.5
        plot = board.plot(left=14.0, right=3.0, top=2.0, bottom=below)
        plot.frame()
        few = len(self.learners) <= _TWO_CONTOURS_UP_TO
        for i, points in enumerate(self.points):
            style = board.style(i)
            for share in (0.5, 0.95) if few else (0.5,):
                corners = contour(points, share)
                weight = 1.2 if share == 0.5 else 0.7
                plot.ax.plot(*corners.T, color=style.colour, linewidth=weight, linestyle=style.line)
            if few:
                plot.ax.plot(*points.T, style.marker, color=style.colour, markersize=3, alpha=0.55, markeredgewidth=0)
            plot.ax.plot(*points.mean(axis=0), style.marker, color=style.colour, markersize=6)
        plot.ticks("x")
        plot.ticks("y")
        plot.labels(*self.measures)
        draw_key(board, self.learners)
