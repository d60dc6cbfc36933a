"""Gain and gain ratio of a nominal feature."""

from __future__ import annotations

from typing import Any

from bestofk.c45.compiled.bits import bits, gain_of, ratio_of
from bestofk.c45.compiled.cells import count_cells
from bestofk.c45.compiled.compiling import compiled, inlined
from bestofk.c45.margins import SMALL


@inlined
def counted_levels(
    coded: Any, feature: Any, levels: Any, rows: Any, room: Any, table: Any, classes: Any, min_instances: Any
) -> Any:
    """Return gain and ratio where all rows have weight 1; a gain of -1 where no two branches are heavy enough."""
    shift, number, numbers, above = coded.shift, rows.shape[0], room.numbers, room.above
    count_cells(coded.keys[feature], rows, (levels + 1) << shift, numbers)
    for label in range(classes):
        above[label] = 0
    heavy, known, parts, inside = 0, 0, 0.0, 0.0
    for level in range(levels):
        bag, base = 0, level << shift
        for label in range(classes):
            weight = numbers[base + label]
            bag += weight
            above[label] += weight
            inside += table.bits[weight]
        known += bag
        parts += table.bits[bag]
        heavy += min_instances - bag < SMALL
    if heavy < 2:
        return -1.0, 0.0
    before = table.bits[known]
    for label in range(classes):
        before -= table.bits[above[label]]
    gain = gain_of(before - (parts - inside), float(known), float(number))
    return gain, ratio_of(gain, table.bits[number] - table.bits[number - known] - parts, float(number))


@compiled
def weighed_levels(codes: Any, levels: Any, y: Any, rows: Any, room: Any, total: Any, min_instances: Any) -> Any:
    """The same for rows of any weight."""
    cells, classes = room.cells, room.left.shape[0]
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
