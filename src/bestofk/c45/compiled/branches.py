"""Rows of a node dealt to its branches; a row whose value is missing goes to all, in fractions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from bestofk.c45.compiled.decorators import compiled, inlined
from bestofk.c45.rules import SMALL


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
def deal_in_two(order: Any, low: Any, high: Any, room: Any, spare: Any) -> Any:
    """Deal rows in another order to two branches, in place; only those that go on are kept.

    Every row is written to both, and only the one that it belongs to moves on: no jump that cannot be foreseen.
    """
    own, branches = order[low:high], room.branch
    left: Any = 0
    right: Any = 0
    for place in range(high - low):
        row = own[place]
        branch = np.int64(branches[np.uint64(row)])
        own[np.uint64(left)] = row
        spare[np.uint64(right)] = row
        left += 1 - branch
        right += branch
    start = left if room.live[0] else 0
    if room.live[1]:
        for place in range(right):
            own[start + place] = spare[place]


@compiled
def part_places(numbers: Any, threshold: Any, rows: Any, places: Any, low: Any, high: Any, spare: Any) -> Any:
    """Put the places of rows below a threshold before the others, all in their order; returns where those begin."""
    own = places[low:high]
    left: Any = 0
    right: Any = 0
    for each in range(high - low):
        place = own[each]
        branch = np.int64(numbers[np.uint64(rows[np.uint64(place)])] - threshold >= SMALL)
        own[np.uint64(left)] = place
        spare[np.uint64(right)] = place
        left += 1 - branch
        right += branch
    for each in range(right):
        own[left + each] = spare[each]
    return low + left


@compiled
def part_whole(numbers: Any, threshold: Any, y: Any, deck: Any, low: Any, high: Any, room: Any) -> Any:
    """The same for the rows of a node that all have weight 1; counts those above by class, and notes the branches."""
    own, spare, branches, above = deck.rows[low:high], deck.spare, room.branch, room.above
    left: Any = 0
    right: Any = 0
    for label in range(above.shape[0]):
        above[label] = 0
    for place in range(high - low):
        row = own[place]
        branch = np.int64(numbers[np.uint64(row)] - threshold >= SMALL)
        branches[np.uint64(row)] = branch
        above[np.uint64(y[np.uint64(row)])] += branch
        own[np.uint64(left)] = row
        spare[np.uint64(right)] = row
        left += 1 - branch
        right += branch
    for place in range(right):
        own[left + place] = spare[place]
    room.size[0], room.size[1] = left, right


@compiled
def deal_order(order: Any, low: Any, high: Any, width: Any, room: Any, to: Any) -> Any:
    """The same for any number of branches, from their cursors on."""
    cursor, branches = room.cursor, room.branch
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
