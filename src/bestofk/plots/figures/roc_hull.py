"""ROC curves of all learners with their convex hull: who can be best for some costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted, listed
from bestofk.evidence import Items
from bestofk.evidence.vectors import Vectors
from bestofk.judging import Verdict
from bestofk.plots.canvas.board import Board, draw_key, key_height
from bestofk.plots.info import Info
from bestofk.plots.sources import evidence_in, order_in
from bestofk.stats.roc import auc, convex_hull, curve

_CLEAR_UP_TO = 10  # learners; of more, those inside the hull are drawn thin


@frozen(eq=False)
class RocHullInfo(Info):
    """``curves`` has (points, 2) as (fpr, tpr) per learner; ``hull`` are the corners over all, made by ``on_hull``."""

    name: ClassVar[str] = "roc"

    learners: tuple[str, ...]
    curves: tuple[Array, ...]
    areas: tuple[float, ...] | None
    hull: Array
    on_hull: tuple[str, ...]

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """From probabilities of two classes (the second is the positive one), or from counts of several folds."""
        if isinstance(result, Verdict) and isinstance(result.evidence, Vectors):
            return cls._of_counts(result)
        found, order = evidence_in(result, evidence), order_in(result)
        if not isinstance(found, Items) or found.probabilities is None or found.truth is None:
            return None
        if len(found.classes) != 2 or not set(order) <= set(found.probabilities):
            return None
        y = np.array([label == found.classes[1] for label in found.truth], dtype=float)
        if not 0 < y.sum() < len(y):
            return None
        return cls.from_scores(y, {name: found.probabilities[name][:, 1] for name in order})

    @classmethod
    def _of_counts(cls, verdict: Verdict) -> Self | None:
        """Curves where there are probabilities, else a point per learner from counts; None without both."""
        if verdict.roc is not None:
            curves = [np.asarray(verdict.roc.curves[name]) for name in verdict.order]
            return cls._with_hull(verdict.order, curves, tuple(verdict.roc.areas[name] for name in verdict.order))
        if verdict.mistake_costs is None:
            return None
        return cls.from_points({name: verdict.mistake_costs.rates[name] for name in verdict.order})

    @classmethod
    def from_scores(cls, y: Any, scores: Mapping[str, Any]) -> Self:
        """From the truth (0/1) and a score per item and learner, larger for the positive class."""
        curves = [curve(y, each) for each in scores.values()]
        tables = [np.stack([each.fpr, each.tpr], axis=-1) for each in curves]
        return cls._with_hull(tuple(scores), tables, tuple(float(auc(y, each)) for each in scores.values()))

    @classmethod
    def from_points(cls, points: Mapping[str, Any]) -> Self:
        """From one or more (fpr, tpr) per learner, of classifiers that give no scores."""
        return cls._with_hull(tuple(points), [np.atleast_2d(np.asarray(p, dtype=float)) for p in points.values()], None)

    @classmethod
    def _with_hull(cls, names: tuple[str, ...], tables: list[Array], areas: tuple[float, ...] | None) -> Self:
        owner = np.repeat(np.arange(len(tables)), [len(each) for each in tables])
        found = convex_hull(np.concatenate(tables))
        corners = np.concatenate(tables)[list(found.members)]
        inside = ~((corners == 0.0).all(axis=-1) | (corners == 1.0).all(axis=-1))  # (0, 0) and (1, 1) are everybody's
        makers = {int(owner[m]) for m, kept in zip(found.members, inside, strict=True) if kept}
        return cls(names, tuple(tables), areas, found.vertices, tuple(names[i] for i in sorted(makers)))

    @property
    def title(self) -> str:
        """What it is."""
        return f"ROC {self._kind} with their convex hull"

    @property
    def _kind(self) -> str:
        """Points of classifiers without scores, or curves."""
        return "points" if all(len(each) == 1 for each in self.curves) else "curves"

    @property
    def alt(self) -> str:
        """Areas, and who is on the hull."""
        areas = ""
        if self.areas is not None:
            each = [f"{name} {area:.3g}" for name, area in zip(self.learners, self.areas, strict=True)]
            areas = f" Areas under the curve: {listed(each)}."
        hull = f" On the convex hull: {listed(self.on_hull)}." if self.on_hull else ""
        return f"ROC {self._kind} of {counted(len(self.learners), 'learner')}.{areas}{hull}"

    @property
    def reach(self) -> float:
        """How much of both axes is drawn: of points alone the corner of the perfect classifier that holds them."""
        if self._kind == "curves":
            return 1.0
        fpr, tpr = np.concatenate(self.curves).T
        needed = 1.25 * max(float(fpr.max()), 1.0 - float(tpr.min()), 0.02)
        return needed if needed < 0.7 else 1.0

    def height(self, width: float) -> float:
        """A square, with the key below."""
        return min(width, 100.0) * 0.86 + key_height(len(self.learners), width)

    def paint(self, board: Board) -> None:
        """Draw the curves or points, the hull as a wide pale line under them, and the diagonal of guessing."""
        width, height = board.millimetres()
        below = key_height(len(self.learners), width) + 9.5
        side = min(width - 16.0, height - below - 2.0)
        plot = board.plot(left=13.0, right=width - 13.0 - side, top=height - below - side, bottom=below)
        plot.frame()
        plot.ax.plot([0, 1], [0, 1], color=board.theme.faint, linewidth=0.9, linestyle=(0, (3, 2)))
        plot.ax.plot(*self.hull.T, color=board.theme.muted, linewidth=4.5, alpha=0.3, solid_capstyle="butt")
        _draw_curves(plot, self)
        room = 0.015 * self.reach
        plot.ax.set(xlim=(-room, self.reach + room), ylim=(1.0 - self.reach - room, 1.0 + room))
        plot.ticks("x")
        plot.ticks("y")
        plot.labels("false positive rate", "true positive rate")
        points = [i for i, table in enumerate(self.curves) if len(table) == 1]  # hollow: they may be at one place
        draw_key(board, self.learners, lines=set(range(len(self.learners))) - set(points), hollow=points)


def _draw_curves(plot: Board, info: RocHullInfo) -> None:
    """A point, or a curve; of many learners those inside the hull thin."""
    for i, table in enumerate(info.curves):
        style = plot.style(i)
        if len(table) == 1:
            plot.ax.plot(*table[0], style.marker, color=style.colour, markerfacecolor="none", markersize=6.0, zorder=3)
            continue
        if len(info.learners) > _CLEAR_UP_TO and info.learners[i] not in info.on_hull:
            plot.ax.plot(*table.T, color=style.colour, linestyle=style.line, linewidth=0.5, alpha=0.6)
            continue
        line = {"color": style.colour, "linestyle": style.line, "linewidth": 1.2, "zorder": 3}
        plot.ax.plot(*table.T, marker=style.marker, markersize=3.5, markevery=_some(len(table)), **line)


def _some(points: int) -> int | None:
    """Markers at some of the points of a long curve."""
    return None if points < 12 else max(1, points // 8)
