"""Single points that would cover each other: the later ones are rings, each wider than those that it surrounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.plots.board import Board
from bestofk.plots.measuring import MM_PER_INCH

_POINTS_PER_INCH = 72.0
_MARK, _STEP = 4.5, 3.6  # points: a mark, and how much wider the next ring is


def draw_apart(plot: Board, points: Mapping[int, Array], side: float) -> tuple[int, ...]:
    """Draw the point of each place in its style, in a square of ``side`` millimetres for 0 to 1; returns the rings."""
    rings = ring_of_each(points, _MARK / _POINTS_PER_INCH * MM_PER_INCH / side)
    for place, ring in sorted(rings.items(), key=lambda each: each[1]):  # rings last: they cover nothing
        style = plot.style(place)
        face = style.colour if ring == 0 else "none"
        look: dict[str, Any] = {
            "color": style.colour,
            "markerfacecolor": face,
            "markersize": _MARK + _STEP * ring,
            "zorder": 3,
        }
        plot.ax.plot(*points[place], linestyle="none", marker=style.marker, markeredgewidth=1.0, **look)
    return tuple(place for place, ring in rings.items() if ring)


def ring_of_each(points: Mapping[int, Array], near: float) -> dict[int, int]:
    """0 for a point that no earlier one is near to, else the first ring that none of these has.

    Examples
    --------
    >>> ring_of_each({0: (0.1, 0.9), 1: (0.1, 0.9), 2: (0.5, 0.6), 3: (0.1, 0.901)}, 0.02)
    {0: 0, 1: 1, 2: 0, 3: 2}
    """
    rings: dict[int, int] = {}
    for place, point in points.items():
        taken = {rings[i] for i in rings if np.hypot(*np.subtract(points[i], point)) < near}
        rings[place] = next(ring for ring in range(len(points)) if ring not in taken)
    return rings
