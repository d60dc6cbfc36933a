"""Gain and gain ratio of a nominal feature."""

from __future__ import annotations

from typing import Any

from bestofk.design.c45.compiled.bits import bits, gain_of, ratio_of
from bestofk.design.c45.compiled.compiling import compiled
from bestofk.design.c45.margins import SMALL


@compiled
def nominal_split(codes: Any, levels: Any, y: Any, rows: Any, room: Any, total: Any, min_instances: Any) -> Any:
    """Return gain and ratio; a gain of -1 where no two branches are heavy enough."""
    cells, bags, classes = room.cells, room.bags, room.left.shape[0]
    for level in range(levels):
        for label in range(classes):
            cells[level, label] = 0.0
    for row in rows:
        code = codes[row]
        if code >= 0:
            cells[code, y[row]] += room.weight[row]
    heavy, known, parts, inside = 0, 0.0, 0.0, 0.0
    for level in range(levels):
        bag = 0.0
        for label in range(classes):
            bag += cells[level, label]
            inside += bits(cells[level, label])
        bags[level] = bag
        known += bag
        parts += bits(bag)
        heavy += min_instances - bag < SMALL
    if heavy < 2:
        return -1.0, 0.0
    before = bits(known)
    for label in range(classes):
        weight = 0.0
        for level in range(levels):
            weight += cells[level, label]
        before -= bits(weight)
    gain = gain_of(before - (parts - inside), known, total)
    return gain, ratio_of(gain, bits(total) - bits(total - known) - parts, total)
