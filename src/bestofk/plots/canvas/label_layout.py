"""Labels moved apart as little as needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.plots.canvas.board import Board
from bestofk.plots.canvas.text_width import line_height, shortened, widest_of


def spread(wanted: Any, gap: float, low: float, high: float) -> Array:
    """Places near the wanted ones, at least ``gap`` apart and inside [low, high]; the order stays.

    The least-squares answer by pooling neighbours. Too many for the room stand at equal distances.

    Examples
    --------
    >>> spread([1.0, 1.1, 5.0], 1.0, 0.0, 10.0).tolist()
    [0.55, 1.55, 5.0]
    """
    places = np.asarray(wanted, dtype=float)
    if len(places) == 0:
        return places
    order = np.argsort(places, kind="stable")
    steps = gap * np.arange(len(places))
    if steps[-1] >= high - low:
        moved = np.linspace(low, high, len(places)) if len(places) > 1 else np.array([(low + high) / 2])
    else:
        moved = np.clip(_rising(places[order] - steps), low, high - steps[-1]) + steps
    result = np.empty(len(places))
    result[order] = moved
    return result


def _rising(values: Array) -> Array:
    """The nearest values that never fall: neighbours out of order share their mean."""
    pools: list[tuple[float, int]] = []
    for value in values.tolist():
        total, count = value, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            earlier, many = pools.pop()
            total, count = total + earlier, count + many
        pools.append((total, count))
    return np.concatenate([np.full(count, total / count) for total, count in pools])


def end_room(names: Sequence[str], widest: float, size: float = 7.0) -> float:
    """Millimetres right of the axes that ``label_ends`` takes."""
    return 6.0 + widest_of(shortened(names, widest, size), size)


def label_ends(
    outer: Board, inner: Board, ends: Sequence[tuple[float, float]], names: Sequence[str], *, widest: float
) -> None:
    """Write names right of the inner axes beside the data points where their lines end, with a leader to each."""
    size = 7.0
    height = outer.size()[1]
    inner.settle()
    to_inner = inner.ax.transData + outer.ax.transData.inverted()
    at = to_inner.transform(np.asarray(ends, dtype=float))
    gap = line_height(size)
    places = spread(at[:, 1], gap, gap / 2, height - gap / 2)
    left = float((inner.ax.transAxes + outer.ax.transData.inverted()).transform((1.0, 0.0))[0])
    for i, (short, (x, y), place) in enumerate(zip(shortened(names, widest, size), at, places, strict=True)):
        colour = outer.style(i).colour
        outer.ax.plot([x, left + 1.0, left + 4.0], [y, y, place], color=colour, linewidth=0.6, zorder=1)
        outer.text(left + 4.8, place, short, size=size)
