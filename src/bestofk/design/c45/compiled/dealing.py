"""Rows of a node dealt to its branches; a row whose value is missing goes to all, in fractions."""

from __future__ import annotations

import math
from typing import Any

from bestofk.design.c45.compiled.compiling import compiled, inlined
from bestofk.design.c45.margins import SMALL


@inlined
def branch_of(feature: Any, threshold: Any, features: Any, cases: Any, row: Any) -> Any:
    """The branch of a row, -1 where the value is missing."""
    slot = features.slot[feature]
    if features.levels[feature] > 0:
        return cases.codes[slot, row]
    number = cases.numbers[slot, row]
    if math.isnan(number):
        return -1
    return 1 if number - threshold >= SMALL else 0


@compiled
def find_branches(
    feature: Any, threshold: Any, width: Any, features: Any, cases: Any, deck: Any, low: Any, high: Any, room: Any
) -> Any:
    """Fill in branches, fractions and numbers of rows; returns whether some value is missing."""
    for branch in range(width):
        room.bags[branch], room.size[branch] = 0.0, 0
    missing, total = 0, 0.0
    for place in range(low, high):
        row = deck.rows[place]
        branch = branch_of(feature, threshold, features, cases, row)
        room.branch[row] = branch
        if branch >= 0:
            room.bags[branch] += deck.weights[place]
            room.size[branch] += 1
        else:
            missing += 1
    for branch in range(width):
        total += room.bags[branch]
    for branch in range(width):
        room.fraction[branch] = room.bags[branch] / total if total > SMALL else 1.0 / width
        if room.fraction[branch] > SMALL:
            room.size[branch] += missing
    return missing > 0


@compiled
def deal(deck: Any, low: Any, high: Any, width: Any, room: Any) -> Any:
    """Write rows and weights of each branch to the spare line, from its cursor on."""
    for place in range(low, high):
        row = deck.rows[place]
        branch = room.branch[row]
        if branch >= 0:
            deck.spare[room.cursor[branch]] = row
            deck.spare_weights[room.cursor[branch]] = deck.weights[place]
            room.cursor[branch] += 1
            continue
        for each in range(width):
            if room.fraction[each] > SMALL:
                deck.spare[room.cursor[each]] = row
                deck.spare_weights[room.cursor[each]] = deck.weights[place] * room.fraction[each]
                room.cursor[each] += 1


@compiled
def deal_order(order: Any, low: Any, high: Any, width: Any, missing: Any, room: Any, to: Any) -> Any:
    """The same for rows in another order, which need no weights."""
    cursor, branches = room.cursor, room.branch
    if not missing:
        for place in range(low, high):
            row = order[place]
            branch = branches[row]
            to[cursor[branch]] = row
            cursor[branch] += 1
        return
    for place in range(low, high):
        row = order[place]
        branch = branches[row]
        if branch >= 0:
            to[cursor[branch]] = row
            cursor[branch] += 1
            continue
        for each in range(width):
            if room.fraction[each] > SMALL:
                to[cursor[each]] = row
                cursor[each] += 1
