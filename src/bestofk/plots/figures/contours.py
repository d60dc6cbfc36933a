"""Two measures at once: folds as points with contours of fitted Gaussians, and differences of two learners."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from bestofk.core import special
from bestofk.core.arrays import Array, without_rounding
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted, p_words, signed
from bestofk.evidence import Evidence, Scores
from bestofk.evidence.vectors import Vectors
from bestofk.judging import Verdict
from bestofk.measures.count_columns import measures
from bestofk.plots.canvas.board import Board, draw_key, key_height
from bestofk.plots.canvas.text_width import SMALL
from bestofk.plots.info import Info
from bestofk.plots.sources import evidence_in, family_words, order_in, pair_in, possible
from bestofk.stats.multivariate import hotelling

_TWO_CONTOURS_UP_TO = 6  # learners


@frozen(eq=False)
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
        places = across_and_up(self.measures)
        names, every = [self.measures[place] for place in places], np.concatenate(self.points)[:, places]
        ends = np.array([possible(name, column) for name, column in zip(names, every.T, strict=True)])
        for i, points in enumerate(each[:, places] for each in self.points):
            style = board.style(i)
            for share in (0.5, 0.95) if few else (0.5,):
                corners = contour(points, share)
                corners[((corners < ends[:, 0]) | (corners > ends[:, 1])).any(axis=1)] = np.nan  # no value can be there
                weight = 1.2 if share == 0.5 else 0.7
                plot.ax.plot(*corners.T, color=style.colour, linewidth=weight, linestyle=style.line)
            if few:
                plot.ax.plot(*points.T, style.marker, color=style.colour, markersize=3, alpha=0.55, markeredgewidth=0)
            plot.ax.plot(*points.mean(axis=0), style.marker, color=style.colour, markersize=6)
        for axis, (low, high) in zip("xy", ends, strict=True):
            plot.within(axis, low, high)
            plot.ticks(axis)
        plot.labels(*names)
        draw_key(board, self.learners)


def across_and_up(measures: Pair) -> list[int]:
    """Which of two measures goes across and which up: the false positive rate across, as in a ROC diagram."""
    return [1, 0] if measures[1] == "fpr" else [0, 1]


# Paired differences in two measures, their mean and its region, and whether the origin lies outside.


@frozen(eq=False)
class DifferenceContoursInfo(Info):
    """``differences`` (rows, 2) are first minus second in ``measures``; ``test`` says what ``pvalue`` is of, and
    ``of_more`` that it is of further measures too.

    Rows are folds or data sets, as ``rows`` says. ``radius`` is how far the region of the mean reaches, in standard
    deviations of the differences, None for a test without a region: the pair differs significantly where the origin
    is outside, and of two measures only there. It is that of the test at ``level``.
    """

    name: ClassVar[str] = "difference-contours"

    first: str
    second: str
    measures: Pair
    differences: Array
    pvalue: float | None
    rows: str = "folds"
    test: str = "Hotelling's test that both are 0"
    radius: float | None = None
    level: float = 0.95
    of_more: bool = False

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
        more = set(measures) != set(found[0])
        both = f"all of {', '.join(measures)} are 0" if more else "both are 0"
        test = f"{verdict.comparison.test} that {both}{family_words(verdict.comparison)}"
        pair = verdict.comparison.pair(first, second)
        radius = None
        if pair.vector is not None and pair.vector.f_statistic is not None:
            share = verdict.comparison.sample.share if verdict.comparison.test == "hotelling-corrected" else None
            size = hotelling(found[1][first], found[1][second], test_fraction=share).effective_size
            radius = _radius(pair.vector.df, size, pair.level)
        return cls(first, second, found[0], differences, pair.adjusted, rows, test, radius, pair.level, more)

    @classmethod
    def from_points(cls, first: str, second: str, one: Any, two: Any, measures: Pair) -> Self:
        """From (folds, 2) of two learners on the same folds."""
        a, b = two_columns(one), two_columns(two)
        if a.shape != b.shape:
            raise InputError(f"{len(a)} and {len(b)} folds.", "difference contours", "give the same folds of both.")
        try:
            tested = hotelling(a, b)
        except InputError:  # too few folds for the test; the picture stands
            return cls(first, second, measures, a - b, None)
        radius = _radius(tested.df, tested.effective_size, 0.95)
        return cls(first, second, measures, a - b, float(tested.pvalue), radius=radius)

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
        region = "" if self.radius is None else f" with its region at {100 * self.level:.4g} %"
        mean = f"mean {signed(x)} in {self.measures[0]} and {signed(y)} in {self.measures[1]}{region}"
        return f"Paired differences {self.first} minus {self.second} of {number}; {mean}, origin marked.{test}"

    def height(self, width: float) -> float:
        """Nearly square."""
        return min(width, 110.0) * 0.8

    def paint(self, board: Board) -> None:
        """Draw the differences, their mean with its region, and a cross at (0, 0)."""
        board.millimetres()
        plot = board.plot(left=15.0, right=3.0, top=6.0, bottom=9.5)
        plot.frame()
        colours = board.theme
        plot.ax.axhline(0.0, color=colours.faint, linewidth=0.8, zorder=0)
        plot.ax.axvline(0.0, color=colours.faint, linewidth=0.8, zorder=0)
        places = across_and_up(self.measures)
        rows, names = self.differences[:, places], [self.measures[place] for place in places]
        if self.radius is not None:
            plot.ax.plot(*ellipse(rows, self.radius).T, color=colours.accent, linewidth=1.3)
        plot.ax.plot(*rows.T, "o", color=colours.muted, markersize=3, alpha=0.6, markeredgewidth=0)
        plot.ax.plot(*rows.mean(axis=0), "D", color=colours.accent, markersize=5)
        plot.ax.plot(0.0, 0.0, "X", color=colours.against, markersize=7, zorder=5)
        of_all = " (all)" if self.of_more else ""
        tested = "" if self.pvalue is None else f"  {p_words(self.pvalue)}{of_all}"
        region = "" if self.radius is None else f", {100 * self.level:.4g} % region"
        words = f"✕ zero  ◆ mean{region}{tested}"
        board.text(board.size()[0] - 1.0, 2.8, words, size=SMALL, ha="right")
        plot.ticks("x")
        plot.ticks("y")
        plot.labels(*(f"difference in {name}" for name in names))


def _radius(df: Any, size: float, level: float) -> float:
    """How far the region of Hotelling's test reaches: T² at the level is df₁·m/df₂·F with m = df₁ + df₂ − 1."""
    used, rest = (float(each) for each in df)
    critical = float(special.fdtri(used, rest, level))
    return float(np.sqrt(critical * used * (used + rest - 1.0) / rest / size))


# Two measures of every fold, from confusion counts or from measures that came together.


Pair = tuple[str, str]


def measures_in(verdict: Verdict) -> tuple[Pair, dict[str, Array]] | None:
    """Two measures of a verdict on several, every row of the tests a point; None for fewer than three rows.

    The first two that vary and are not copies of each other on the first pair: tp and fn show the same thing. They
    stand in the order in which the measures were named, also where the first of them is the one that does not vary.
    """
    vectors, parts = verdict.evidence, verdict.comparison.pair(*verdict.comparison.pairs[0]).parts
    if not isinstance(vectors, Vectors) or verdict.comparison.sample.units < 3 or len(parts) < 2:
        return None
    varies = np.ptp(vectors.rows(), axis=(0, 1)) > 0
    first, *rest = sorted(parts, key=lambda part: not varies[verdict.names.index(part.measure)])
    second = next((part for part in rest if abs(part.pvalue - first.pvalue) > 1e-12), rest[0])
    places = sorted(verdict.names.index(part.measure) for part in (first, second))
    names = (verdict.names[places[0]], verdict.names[places[1]])
    points = vectors.rows()[:, :, places]
    return names, dict(zip(vectors.learners, points, strict=True))


def rows_are(verdict: Verdict) -> str:
    """What the points of a verdict are: folds of one data set, or data sets."""
    return "data sets" if verdict.comparison.kind == "datasets" else "folds"


def two_measures(evidence: Evidence | None, names: Pair | None = None) -> tuple[Pair, dict[str, Array]] | None:
    """Measure names and (folds, 2) by learner; None where one data set does not have two measures of three folds."""
    if not isinstance(evidence, Scores) or len(evidence.datasets) > 1 or evidence.gaps.any():
        return None
    if evidence.counts is not None:
        names = names or ("tpr", "fpr")
        table = _from_counts(evidence.counts, names)
    else:
        others = {evidence.measure: evidence.values, **evidence.others}
        names = names or (tuple(others)[:2] if len(others) > 1 else None)  # type: ignore[assignment]
        if names is None or not set(names) <= set(others):
            return None
        table = np.stack([others[name] for name in names], axis=-1)
    if table is None or np.isnan(table).any():
        return None
    folds = table.reshape(len(evidence.learners), -1, 2)
    if folds.shape[1] < 3:
        return None
    return names, dict(zip(evidence.learners, folds, strict=True))


def _from_counts(counts: Array, names: Pair) -> Array | None:
    try:
        found: Any = measures(*(counts[..., i] for i in range(4)), names=names)
    except InputError:  # 0/0 in some fold: this figure has nothing to show there
        return None
    return np.asarray(found)


# Isoprobability contours of a fitted two-dimensional Gaussian.


def contour(points: Any, probability: float) -> Array:
    """Corners of the ellipse that holds this share of the Gaussian fitted to points (n, 2).

    In two dimensions the squared distance is chi-square with 2 degrees of freedom: r² = −2 ln(1 − probability).
    """
    return ellipse(points, float(np.sqrt(-2.0 * np.log1p(-probability))))


def ellipse(points: Any, radius: float, corners: int = 91) -> Array:
    """Corners (corners, 2) of the ellipse around the mean of points (n, 2), so many standard deviations wide."""
    table = two_columns(points)
    values, vectors = np.linalg.eigh(np.cov(table.T))
    turn = np.linspace(0.0, 2.0 * np.pi, corners)
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    return np.asarray(table.mean(axis=0) + radius * (circle * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)


def two_columns(points: Any) -> Array:
    """Take points (n, 2), n at least 3, without gaps."""
    table = np.asarray(points, dtype=float)
    if table.ndim != 2 or table.shape[1] != 2 or len(table) < 3 or not np.isfinite(table).all():
        raise InputError(
            f"points have the shape {table.shape}.", "contours", "give two finite measures of at least three folds."
        )
    return table
