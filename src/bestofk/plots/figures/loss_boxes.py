"""Results of every learner: each value, the middle half as a box, median and mean."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np

from bestofk.comparing import sample_of
from bestofk.core.arrays import Array
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted
from bestofk.evidence import Curves, Evidence
from bestofk.plots.canvas.board import Board, named_rows, rows_height
from bestofk.plots.info import Info
from bestofk.plots.sources import evidence_in, order_in, paired_values, possible

_MOST_DOTS = 900  # of all learners; beyond that boxes say it all


@frozen(eq=False)
class LossBoxesInfo(Info):
    """``values`` has one array per learner, best first, in units of ``measure``; each value is one ``unit``."""

    name: ClassVar[str] = "losses"

    learners: tuple[str, ...]
    values: tuple[Array, ...]
    measure: str
    larger_is_better: bool
    unit: str

    @classmethod
    def of(cls, result: Any, evidence: Any = None) -> Self | None:
        """Folds, data sets, items or runs; None without values, and for right-or-wrong items."""
        found, order = evidence_in(result, evidence), order_in(result)
        values = _values(found, order)
        if found is None or values is None:
            return None
        return cls(order, values, found.measure, found.larger_is_better, _unit(found))

    @property
    def means(self) -> tuple[float, ...]:
        """Mean of every learner."""
        return tuple(float(each.mean()) for each in self.values)

    @property
    def title(self) -> str:
        """What it is."""
        return f"Values of {self.measure} of every learner, one per {self.unit}"

    @property
    def alt(self) -> str:
        """Median and range of each."""
        each = "; ".join(
            f"{name} {np.median(values):.3g} ({values.min():.3g} to {values.max():.3g})"
            for name, values in zip(self.learners, self.values, strict=True)
        )
        direction = "larger" if self.larger_is_better else "smaller"
        kind = f"Boxes of {self.measure} ({direction} is better) of {counted(len(self.learners), 'learner')}"
        return f"{kind}, a value per {self.unit}, median and range: {each}."

    def height(self, width: float) -> float:
        """A row per learner."""
        return rows_height(len(self.learners))

    def paint(self, board: Board) -> None:
        """Draw a row per learner, best at the top."""
        arrow = "→ better" if self.larger_is_better else "← better"
        plot = named_rows(board, self.learners, f"{self.measure}   ({arrow};  ◆ mean)")
        for i, values in enumerate(self.values):
            _box(plot, values, i)
            if sum(len(each) for each in self.values) <= _MOST_DOTS:
                _dots(plot, values, i)
            plot.ax.plot(values.mean(), i, marker="D", markersize=3.4, color=board.theme.against, zorder=4)
        plot.within("x", *possible(self.measure, np.concatenate(self.values)))


def _values(evidence: Evidence | None, order: tuple[str, ...]) -> tuple[Array, ...] | None:
    if isinstance(evidence, Curves):
        if not set(order) <= set(evidence.learners) or (evidence.datasets and not evidence.shared_datasets()):
            return None
        values = evidence.within_datasets()
        return tuple(values[name].mean(axis=1) for name in order)
    table = paired_values(evidence, order)
    if table is None or table.shape[1] < 2:
        return None
    return tuple(row[~np.isnan(row)] for row in table)


def _unit(evidence: Evidence) -> str:
    if isinstance(evidence, Curves):
        unit = "curve (its mean)" if evidence.unit == "curve" else evidence.unit
        return f"{unit}, {evidence.block}s brought to one mean" if evidence.datasets else unit
    return sample_of(evidence).unit


def _box(board: Board, values: Array, row: int) -> None:
    from matplotlib.patches import Rectangle

    low, middle, high = np.quantile(values, (0.25, 0.5, 0.75))
    ink = board.theme.accent
    box = Rectangle((low, row - 0.32), high - low, 0.64, facecolor=ink, alpha=0.22, edgecolor="none")
    board.ax.add_patch(box)
    board.ax.plot([values.min(), low], [row, row], color=ink, linewidth=0.8)
    board.ax.plot([high, values.max()], [row, row], color=ink, linewidth=0.8)
    board.ax.plot([middle, middle], [row - 0.32, row + 0.32], color=ink, linewidth=1.6, solid_capstyle="butt")


def _dots(board: Board, values: Array, row: int) -> None:
    """Dots off the line by a golden-section walk: the same places every time, no two near ones alike."""
    off = ((np.arange(len(values)) * 0.618034) % 1.0 - 0.5) * 0.5
    board.ax.plot(values, row + off, "o", markersize=2.4, color=board.theme.ink, markeredgewidth=0, alpha=0.6)
