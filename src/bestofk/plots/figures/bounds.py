"""How far below the best every learner may be, beside the margin that was given."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from bestofk.core.frozen import frozen
from bestofk.judging import Verdict
from bestofk.judging.good_enough import bound_text
from bestofk.plots.canvas.board import Board, named_rows, rows_height
from bestofk.plots.info import Info


@frozen(eq=False)
class BoundsInfo(Info):
    """What each learner loses to the best at most (``bounds``, infinite where nothing is known), smallest first.

    In units of the measure, or shares of the best where ``relative``; ``sure`` is the chance that all of them hold.
    """

    name: ClassVar[str] = "bounds"

    learners: tuple[str, ...]
    bounds: tuple[float, ...]
    margin: float
    measure: str
    relative: bool = False
    sure: float = 0.95

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """Of a verdict with a margin."""
        within = result.within if isinstance(result, Verdict) else None
        if within is None:
            return None
        order = sorted(within.bounds, key=lambda name: within.bounds[name])
        bounds = tuple(within.bounds[name] for name in order)
        return cls(tuple(order), bounds, within.margin, result.measure, within.relative, 1.0 - result.alpha)

    @property
    def title(self) -> str:
        """What it is."""
        return f"What is lost to the best at most, in {'shares of ' if self.relative else ''}{self.measure}"

    @property
    def alt(self) -> str:
        """Every bound, and who is within the margin."""
        texts = [bound_text(bound, self.relative) or "not known" for bound in self.bounds]
        each = "; ".join(f"{name} {text}" for name, text in zip(self.learners, texts, strict=True))
        near = [name for name, bound in zip(self.learners, self.bounds, strict=True) if bound <= self.margin]
        margin = f"{100 * self.margin:g} %" if self.relative else f"{self.margin:g}"
        return f"{self.title} ({100 * self.sure:g} %): {each}. Within {margin}: {', '.join(near) or 'nobody'}."

    def height(self, width: float) -> float:
        """A row per learner."""
        return rows_height(len(self.learners))

    def paint(self, board: Board) -> None:
        """Draw a bar from 0 to each bound, filled mark where it is within the margin, and the margin."""
        theme = board.theme
        words = f"lost at most ({100 * self.sure:g} %); dashed: margin {self.margin:g}"
        plot = named_rows(board, self.learners, words)
        plot.ticks("x", most=4)
        if self.relative:
            plot.ax.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.3g} %")
        finite = [each for each in self.bounds if np.isfinite(each)]
        most = 1.06 * max(self.margin, *finite, 1.5 * self.margin)
        plot.ax.set_xlim(0.0, most)
        plot.ax.axvline(self.margin, color=theme.against, linewidth=1.1, linestyle=(0, (4, 2)))
        for i, bound in enumerate(self.bounds):
            near = bound <= self.margin
            colour = theme.accent if near else theme.muted
            plot.ax.plot([0.0, min(bound, most)], [i, i], color=colour, linewidth=1.6 if near else 1.0)
            if np.isfinite(bound):  # else the bar runs out of the picture
                plot.ax.plot(bound, i, "o", markersize=4.5, color=colour, clip_on=False,
                             markerfacecolor=colour if near else theme.paper)  # fmt: skip
