"""How many results a test needs: power along the number of data sets, folds or runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.plots.canvas.board import Board
from bestofk.plots.canvas.label_layout import end_room, label_ends
from bestofk.plots.canvas.text_width import line_height
from bestofk.plots.info import Info


@dataclass(frozen=True, eq=False)
class PowerCurvesInfo(Info):
    """``power`` is (curves, numbers): one curve per test or per size of the difference, named by ``curves``."""

    name: ClassVar[str] = "power-curves"

    curves: tuple[str, ...]
    numbers: tuple[float, ...]
    power: Array
    along: str
    target: float = 0.8

    @classmethod
    def from_power(
        cls, power: Mapping[str, Any], numbers: Any, *, along: str = "data sets", target: float = 0.8
    ) -> Self:
        """From {"wilcoxon": power at each number}."""
        table = np.array([np.asarray(each, dtype=float) for each in power.values()])
        counts = tuple(float(number) for number in numbers)
        if table.ndim != 2 or table.shape[1] != len(counts) or not ((table >= 0) & (table <= 1)).all():
            raise InputError(
                f"power has the shape {table.shape} for {counted(len(counts), 'number')}.",
                "power curves, argument power",
                "give one power from 0 to 1 per number.",
            )
        return cls(tuple(power), counts, table, along, target)

    @property
    def needed(self) -> tuple[float | None, ...]:
        """The smallest number at which each curve reaches the target; None where it does not."""
        reached = self.power >= self.target
        return tuple(self.numbers[int(np.argmax(row))] if row.any() else None for row in reached)

    @property
    def title(self) -> str:
        """What it is."""
        return f"Power along the number of {self.along}"

    @property
    def alt(self) -> str:
        """How many each needs."""
        each = "; ".join(
            f"{name} {'more than ' + format(self.numbers[-1], 'g') if number is None else format(number, 'g')}"
            for name, number in zip(self.curves, self.needed, strict=True)
        )
        return f"Power curves along the number of {self.along}. Needed for power {self.target:g}: {each}."

    def height(self, width: float) -> float:
        """Room for the names at the right."""
        return max(50.0, 14.0 + len(self.curves) * line_height(7.0))

    def paint(self, board: Board) -> None:
        """Draw a line per curve with its name at the end; the power asked for is dashed."""
        width, _ = board.millimetres()
        widest = 0.24 * width
        plot = board.plot(left=12.0, right=end_room(self.curves, widest) + 1.0, top=2.5, bottom=9.5)
        plot.frame(grid="y")
        plot.ax.axhline(self.target, color=board.theme.ink, linewidth=0.8, linestyle=(0, (3, 2)))
        for i, power in enumerate(self.power):
            style = board.style(i)
            line = {"color": style.colour, "linestyle": style.line, "linewidth": 1.3}
            plot.ax.plot(self.numbers, power, marker=style.marker, markersize=3, clip_on=False, **line)
        plot.ax.set_ylim(0.0, 1.0)
        plot.ticks("x")
        plot.ticks("y", 5)
        plot.labels(f"number of {self.along}", "power")
        ends = [(self.numbers[-1], float(power[-1])) for power in self.power]
        label_ends(board, plot, ends, self.curves, widest=widest)
