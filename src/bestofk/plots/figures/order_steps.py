"""How MultiTest takes out the best, step by step: candidates that nobody beats, and among them the most preferred."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, Self

import numpy as np

from bestofk.comparing import Comparison
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted
from bestofk.ordering import Ordering
from bestofk.ordering.graph import from_edges
from bestofk.ordering.methods import CORRECTED, winner_of
from bestofk.plots.canvas.board import Board, named_rows, rows_height
from bestofk.plots.canvas.text_width import SMALL, shortened
from bestofk.plots.canvas.themes import readable_on
from bestofk.plots.info import Info
from bestofk.plots.sources import comparison_in, ordering_in

Edges = tuple[tuple[str, str], ...]
_GRAPHS_UP_TO = 6  # learners: as in the paper; a table of steps for more
_PANEL = 27.0  # millimetres

#: So many steps are shown without being asked for.
MOST_STEPS = 12


@frozen(eq=False)
class Step:
    """Who is left, who among them is beaten by nobody left, and who of these is taken: the most preferred."""

    left: tuple[str, ...]
    candidates: tuple[str, ...]
    taken: str


@frozen(eq=False)
class OrderStepsInfo(Info):
    """``steps`` in order; ``edges`` (i, j) say that j is placed above i by a test."""

    name: ClassVar[str] = "order-steps"

    prior: tuple[str, ...]
    edges: Edges
    steps: tuple[Step, ...]
    method: str = "MultiTest"

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """From a verdict or an order that a graph made."""
        ordering = ordering_in(result)
        if ordering is None or ordering.prior is None or ordering.method not in CORRECTED:
            return None
        if getattr(result, "best", None) not in (None, ordering.order[0]):
            return None  # chosen by a margin: the steps would name another
        comparison = comparison_in(result)
        if comparison is not None and ordering.method == "multitest" and comparison.sides == "two":
            return cls.from_order(ordering.order, _found_by_tests(comparison, ordering), ordering.prior)
        made = cls.from_edges(ordering.edges, ordering.prior)
        if tuple(step.taken for step in made.steps) != ordering.order:
            return None  # differences between which the preference is not overruled have a part in it
        return replace(made, method="Multi²Test") if ordering.method == "multi2test" else made

    @classmethod
    def from_edges(cls, edges: Any, prior: Any) -> Self:
        """From the edges of a graph and a preference."""
        order = from_edges(edges, prior)
        return cls.from_order(order.order, order.edges, order.prior)

    @classmethod
    def from_order(cls, order: tuple[str, ...], edges: Edges, prior: tuple[str, ...]) -> Self:
        """From the order in which learners are taken; in a circle of edges the one taken is the candidate."""
        steps = []
        left = list(prior)
        for taken in order:
            open_edges = {worse for worse, better in edges if worse in left and better in left}
            candidates = tuple(name for name in left if name not in open_edges) or (taken,)
            steps.append(Step(tuple(left), candidates, taken))
            left.remove(taken)
        return cls(prior, edges, tuple(steps))

    @property
    def telling(self) -> bool:
        """Nothing without an arrow; nobody reads very many steps."""
        return bool(self.edges) and len(self.steps) <= MOST_STEPS

    @property
    def title(self) -> str:
        """What it is."""
        return f"Taking out the best by {self.method}, step by step"

    @property
    def alt(self) -> str:
        """Who is taken at each step, and from among whom."""
        said = "; ".join(
            f"step {i}: {step.taken}" + (f" ({len(step.candidates)} candidates)" if len(step.candidates) > 1 else "")
            for i, step in enumerate(self.steps, 1)
        )
        said += "; numbers are places in the preference" if len(self.prior) <= _GRAPHS_UP_TO else ""
        return f"{counted(len(self.steps), 'step')} of {self.method} on {counted(len(self.prior), 'learner')}: {said}."

    def height(self, width: float) -> float:
        """Panels for few learners, a table for many."""
        k = len(self.prior)
        if k <= _GRAPHS_UP_TO:
            return (_PANEL + 6.0) * -(-k // _columns(k, width))
        return rows_height(k)

    def paint(self, board: Board) -> None:
        """Draw a graph per step for few learners, a column per step for many."""
        width, height = board.millimetres()
        if len(self.prior) <= _GRAPHS_UP_TO:
            _graphs(board, self, width, height)
        else:
            _table(board, self)


def _found_by_tests(comparison: Comparison, ordering: Ordering) -> Edges:
    """Every (worse, better) that is shown, and everybody below the winner, if there is one."""
    names = ordering.order
    winner = winner_of(comparison)
    return tuple(
        (worse, better)
        for worse in names
        for better in names
        if worse != better and (better == winner or comparison.shows(better, worse))
    )


def _columns(k: int, width: float) -> int:
    return min(k, int(width / _PANEL))


def _graphs(board: Board, info: OrderStepsInfo, width: float, height: float) -> None:
    """Nodes on a circle, the most preferred at the top; thick when a candidate, filled when taken."""
    k = len(info.prior)
    columns = _columns(k, width)
    rows = -(-k // columns)
    across, down = width / columns, height / rows
    turn = -np.pi / 2 + 2 * np.pi * np.arange(k) / k
    radius = min(across, down - 6.0) / 2 - 5.5
    for i, step in enumerate(info.steps):
        x, y = (i % columns + 0.5) * across, (i // columns) * down + 5.5 + (down - 6.0) / 2
        at = {name: (x + radius * np.cos(t), y + radius * np.sin(t)) for name, t in zip(info.prior, turn, strict=True)}
        name = shortened([step.taken], across - 14.0, 7.0)[0]
        board.text(x, (i // columns) * down + 2.6, f"step {i + 1}: {name}", size=7.0, ha="center")
        _graph(board, info, step, at)


def _graph(board: Board, info: OrderStepsInfo, step: Step, at: dict[str, tuple[float, float]]) -> None:
    theme = board.theme
    for worse, better in info.edges:
        if worse in step.left and better in step.left:
            arrow = {"arrowstyle": "-|>", "color": theme.against, "shrinkA": 7.5, "shrinkB": 7.5, "linewidth": 0.9}
            board.ax.annotate("", at[better], at[worse], arrowprops={**arrow, "mutation_scale": 6})
    for name in step.left:
        fill = theme.accent if name == step.taken else theme.paper
        thick = name in step.candidates
        look: dict[str, Any] = {
            "markersize": 12,
            "markerfacecolor": fill,
            "markeredgecolor": theme.accent if thick else theme.muted,
        }
        board.ax.plot(*at[name], "o", **look, markeredgewidth=1.6 if thick else 0.6, clip_on=False)
        number = info.prior.index(name) + 1
        board.text(*at[name], number, size=SMALL, ha="center", va="center_baseline", color=readable_on(fill, theme))


def _table(board: Board, info: OrderStepsInfo) -> None:
    """A column per step: filled when taken, ring when a candidate, dot when placed below somebody left."""
    plot, theme = named_rows(board, info.prior, "step   (preferred first; ● taken  ○ candidate  · below)"), board.theme
    plot.ax.set_xlim(0.4, len(info.steps) + 0.6)
    plot.ticks("x", whole=True)
    mark = 2.0 * min(plot.size()[0] / len(info.steps), plot.size()[1] / len(info.prior))
    hollow: dict[str, Any] = {"markerfacecolor": "none", "markeredgecolor": theme.accent, "markeredgewidth": 0.9}
    for x, step in enumerate(info.steps, 1):
        for name in step.left:
            look: dict[str, Any] = {"markersize": mark * 0.28, "color": theme.muted}
            if name in step.candidates:
                look = {"markersize": mark * 0.85, **hollow}
            if name == step.taken:
                look = {"markersize": mark, "color": theme.accent}
            plot.ax.plot(x, info.prior.index(name), "o", **look)
