"""How often tests reject: panels of rates along a change, with the level that a true null hypothesis allows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.plots.canvas.board import Board
from bestofk.plots.canvas.keys import draw_key, key_height
from bestofk.plots.info import Info


@dataclass(frozen=True, eq=False)
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
