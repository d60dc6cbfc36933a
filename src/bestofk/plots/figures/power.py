"""How often tests reject along a change, and how many results they need: type I error and power."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted
from bestofk.plots.canvas.board import Board, draw_key, end_room, key_height, label_ends
from bestofk.plots.canvas.text_width import line_height
from bestofk.plots.info import Info


@frozen(eq=False)
class SizeAndPowerInfo(Info):
    """``rates`` is (panels, methods, points of ``x``): the share of runs in which a method rejects.

    ``kind`` is ``type I error`` where the null hypothesis holds and ``power`` where it does not.
    """

    name: ClassVar[str] = "size-and-power"

    panels: tuple[str, ...]
    methods: tuple[str, ...]
    x: tuple[float, ...]
    rates: Array
    along: str
    kind: str = "power"
    alpha: float = 0.05

    @classmethod
    def from_rates(
        cls,
        rates: Mapping[str, Mapping[str, Any]],
        x: Any,
        *,
        along: str = "factor f",
        kind: str = "power",
        alpha: float = 0.05,
    ) -> Self:
        """From {panel: {method: rates along x}}, the same methods in every panel."""
        methods = tuple(next(iter(rates.values()))) if rates else ()
        if not methods or any(tuple(each) != methods for each in rates.values()):
            raise InputError(
                "the panels have different methods.", "size and power, argument rates", "give all to each."
            )
        table = np.array([[np.asarray(each[m], dtype=float) for m in methods] for each in rates.values()])
        steps = tuple(float(value) for value in x)
        if table.shape[-1] != len(steps) or not ((table >= 0) & (table <= 1)).all():
            raise InputError(
                f"rates have the shape {table.shape} for {len(steps)} points.",
                "size and power, argument rates",
                "give one rate from 0 to 1 per point of x.",
            )
        return cls(tuple(rates), methods, steps, table, along, kind, alpha)

    @property
    def title(self) -> str:
        """What it is."""
        return f"{self.kind[0].upper()}{self.kind[1:]} along {self.along}"

    @property
    def alt(self) -> str:
        """Range of every method over all panels."""
        each = "; ".join(
            f"{method} {self.rates[:, i].min():.2g} to {self.rates[:, i].max():.2g}"
            for i, method in enumerate(self.methods)
        )
        kind = f"{counted(len(self.panels), 'panel')} of {self.kind} along {self.along}, level {self.alpha:g}"
        return f"{kind}. Range over all panels: {each}."

    def height(self, width: float) -> float:
        """Panels in as many columns as fit."""
        rows = -(-len(self.panels) // _columns(width, len(self.panels)))
        return 38.0 * rows + key_height(len(self.methods), width)

    def paint(self, board: Board) -> None:
        """Draw a panel per case and a line per method; the level is dashed."""
        width, height = board.millimetres()
        columns = _columns(width, len(self.panels))
        rows = -(-len(self.panels) // columns)
        key = key_height(len(self.methods), width)
        across, down = width / columns, (height - key) / rows
        top = 1.0 if self.kind == "power" else max(0.2, 1.15 * float(self.rates.max()))
        for i, words in enumerate(self.panels):
            column, row = i % columns, i // columns
            margins = {"left": column * across + 13.0, "right": width - (column + 1) * across + 1.5}
            plot = board.plot(**margins, top=row * down + 5.0, bottom=height - (row + 1) * down + 8.5)
            _panel(plot, self, i, top)
            board.text(column * across + 13.0, row * down + 2.4, words, size=7.5, fontweight="bold")
        draw_key(board, self.methods, lines=True)


def _columns(width: float, panels: int) -> int:
    return max(1, min(panels, int(width / 40.0)))


def _panel(plot: Board, info: SizeAndPowerInfo, panel: int, top: float) -> None:
    plot.frame(grid="y")
    plot.ax.axhline(info.alpha, color=plot.theme.muted, linewidth=0.8, linestyle=(0, (3, 2)))
    for i in range(len(info.methods)):
        style = plot.style(i)
        line = {"color": style.colour, "linestyle": style.line, "linewidth": 1.2}
        plot.ax.plot(info.x, info.rates[panel, i], marker=style.marker, markersize=3.2, **line, clip_on=False)
    plot.ax.set_ylim(0.0, top)
    plot.ticks("x")
    plot.ticks("y")
    plot.labels(info.along, info.kind)


# How many results a test needs: power along the number of data sets, folds or runs.


@frozen(eq=False)
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
