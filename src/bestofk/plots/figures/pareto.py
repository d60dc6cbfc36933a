"""Quality against cost: who is better in one only at the price of the other."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from bestofk.comparing import Comparison
from bestofk.core.arrays import LARGEST, SMALLEST, Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted, digits, listed
from bestofk.evidence import Evidence
from bestofk.judging import Verdict
from bestofk.judging.findings.pareto_front import ParetoFront, dominates, pareto_front
from bestofk.plots.canvas.board import Board, draw_key, key_height
from bestofk.plots.canvas.text_width import SMALL
from bestofk.plots.info import Info
from bestofk.plots.sources import comparison_in, evidence_in, order_in, ordering_in, possible

#: Costs that are looked for when the preference names none.
TIMES = ("fit_time", "predict_time")
COSTS = ("fit_time", "predict_time", "size", "price")


@frozen(eq=False)
class ParetoInfo(Info):
    """Mean ``values`` in units of the measure and ``costs``, smaller is better; ``front`` says who is not dominated.

    ``dominated`` are learners that are *shown* to be: another is at least as good in everything that the verdict looks
    at, costs that are not drawn among them, and better in one by a test, or by a number that is taken as it is; None
    where nothing was tested.
    ``bounds`` are what each loses to the best at most, and ``margin`` what it may lose, where a margin was given.
    """

    name: ClassVar[str] = "pareto"

    learners: tuple[str, ...]
    costs: tuple[float, ...]
    values: tuple[float, ...]
    cost: str
    measure: str
    larger_is_better: bool
    dominated: tuple[str, ...] | None = None
    unit: str = ""
    bounds: tuple[float, ...] = ()
    margin: float | None = None

    def __post_init__(self) -> None:
        if (
            not (len(self.learners) == len(self.costs) == len(self.values))
            or not np.isfinite([self.costs, self.values]).all()
        ):
            raise InputError(
                f"costs {self.costs}, values {self.values}.", "pareto", "give one finite cost and value per learner."
            )

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """By the cost that the preference came from, or a known one; None without a cost of every learner to draw."""
        comparison, found, ordering = comparison_in(result), evidence_in(result, evidence), ordering_in(result)
        if comparison is None or found is None:
            return None
        named = ordering.prior_from.replace("-", "_") if ordering is not None else ""
        known = {name.replace("-", "_"): name for name in found.costs}
        cost = next((known[name] for name in (named, *COSTS) if name in known), None)
        order = order_in(result)
        if cost is None or not all(_is_drawn(found.costs[cost].get(name, np.nan)) for name in order):
            return None
        costs = tuple(float(found.costs[cost][name]) for name in order)
        values = tuple(float(comparison.means[name]) for name in order)
        front = (
            _pareto_front(result, found, comparison, cost)
            if comparison.control is None and comparison.several is None and comparison.tested
            else None
        )
        shown = None if front is None else front.shown
        # the clock of our own collecting counts seconds; what a file calls a time may be anything
        unit = "s" if found.origin.collected and cost in TIMES else ""
        facts = (order, costs, values, cost, comparison.measure, comparison.larger_is_better, shown, unit)
        within = result.within if isinstance(result, Verdict) else None
        if within is None or within.relative:  # shares are of ratios, and means are not drawn on logarithms
            return cls(*facts)
        return cls(*facts, bounds=tuple(within.bounds[name] for name in order), margin=within.margin)

    @property
    def front(self) -> tuple[str, ...]:
        """Learners that nobody equals or beats in both while beating them in one, cheapest first."""
        free = np.atleast_1d(~dominates([self.costs, self._losses()]).any(axis=0))
        return tuple(self.learners[i] for i in np.argsort(self.costs, kind="stable") if free[i])

    def _losses(self) -> Array:
        return np.asarray(self.values) * (-1.0 if self.larger_is_better else 1.0)

    @property
    def title(self) -> str:
        """What it is."""
        return f"Mean {self.measure} against {self.cost}"

    @property
    def alt(self) -> str:
        """Who is on the front."""
        each = "; ".join(
            f"{name} {digits(value)} at {digits(cost)}{' ' + self.unit if self.unit else ''}"
            for name, value, cost in zip(self.learners, self.values, self.costs, strict=True)
        )
        kind = f"Mean {self.measure} against {self.cost} of {counted(len(self.learners), 'learner')}: {each}."
        front = f"{kind} Filled, as nobody is better in both: {listed(self.front)} (means alone, no test)."
        if self.margin is not None:
            near = [name for name, bound in zip(self.learners, self.bounds, strict=True) if bound <= self.margin]
            front += f" Shown within {self.margin:g} of the best: {listed(near or ['nobody'])}."
        if self.dominated is None:
            return front
        out = listed(self.dominated or ("nobody",))
        why = "as another is as good in every mean and better in one, shown or by a number taken as it is"
        return f"{front} Crossed out, {why}: {out}."

    def height(self, width: float) -> float:
        """A flat picture with the key below."""
        return 56.0 + key_height(len(self.learners), width)

    def paint(self, board: Board) -> None:
        """Draw a mark per learner, filled on the front, crossed out where shown to be dominated, and the front."""
        width, _ = board.millimetres()
        plot = board.plot(left=14.0, right=3.0, top=3.5, bottom=10.0 + key_height(len(self.learners), width))
        plot.frame(grid="both")
        at = {name: (cost, value) for name, cost, value in zip(self.learners, self.costs, self.values, strict=True)}
        front = np.array([at[name] for name in self.front])
        line = "-" if self.margin is None else ":"  # upright parts would hide how low a learner may be
        plot.ax.plot(*front.T, line, drawstyle="steps-post", color=board.theme.muted, linewidth=1.0)
        self._paint_margin(plot)
        for i, (name, point) in enumerate(at.items()):
            style = board.style(i)
            fill = style.colour if name in self.front else board.theme.paper
            if name in (self.dominated or ()):  # shown, not only seen in the means
                plot.ax.plot(*point, "x", color=board.theme.against, markersize=9.0, markeredgewidth=0.9)
            plot.ax.plot(*point, style.marker, color=style.colour, markerfacecolor=fill, markersize=5.5)
        plot.ax.margins(0.08)
        plot.within("y", *possible(self.measure, self.values))
        plot.ticks("y", 5)
        if min(self.costs) > 0 and max(self.costs) / min(self.costs) > 20:
            plot.ratios()
        else:
            plot.within("x", 0.0 if min(self.costs) >= 0 else -np.inf, np.inf)
            plot.ticks("x")
        arrow = "↑ better" if self.larger_is_better else "↓ better"
        unit = f" in {self.unit}" if self.unit else ""
        plot.labels(f"{self.cost}{unit}  (← better)", f"mean {self.measure}  ({arrow})")
        hollow = [i for i, name in enumerate(self.learners) if name not in self.front]
        draw_key(board, self.learners, hollow=hollow)
        words = "hollow: another is better in one, worse in neither" if hollow else ""
        words = words if self.margin is None else f"bars: how bad it may be; dashed: {self.margin:g} from the best"
        board.text(width - 2.0, 1.4, words, size=SMALL, ha="right", color=board.theme.muted)

    def _paint_margin(self, plot: Board) -> None:
        """Draw how bad each may be beside the best mean, and, dashed, how bad it may be to be good enough."""
        if self.margin is None:
            return
        down, theme = -1.0 if self.larger_is_better else 1.0, plot.theme
        best = (max if self.larger_is_better else min)(self.values)
        plot.ax.axhline(best + down * self.margin, color=theme.against, linewidth=1.1, linestyle=(0, (4, 2)))
        for cost, value, bound in zip(self.costs, self.values, self.bounds, strict=True):
            if np.isfinite(bound):
                colour = theme.accent if bound <= self.margin else theme.muted
                plot.ax.plot([cost, cost], [value, best + down * bound], "-", color=colour, linewidth=1.8)
                plot.ax.plot(cost, best + down * bound, "_", color=colour, markersize=6.0, markeredgewidth=1.8)


def _is_drawn(cost: float) -> bool:
    """Whether an axis can have it, beside any other."""
    return cost == 0 or SMALLEST <= abs(cost) <= LARGEST


def _pareto_front(result: Any, evidence: Evidence, comparison: Comparison, cost: str) -> ParetoFront | None:
    """The criteria of the verdict's words; this cost alone only where the verdict does not look at it."""
    front = result.pareto_front if isinstance(result, Verdict) else None
    front = front or pareto_front(evidence, comparison)
    if front is None or cost not in [criterion.name for criterion in front.criteria]:
        front = pareto_front(evidence, comparison, criteria=[cost])
    return front
