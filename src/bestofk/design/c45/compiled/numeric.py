"""The best threshold of a numeric feature, from rows in the order of its values."""

from __future__ import annotations

import math
from typing import Any

from bestofk.design.c45.compiled.bits import bits, gain_of, least_side, ratio_of
from bestofk.design.c45.compiled.compiling import compiled
from bestofk.design.c45.margins import GAP, SMALL


@compiled
def numeric_split(
    numbers: Any, y: Any, order: Any, counts: Any, whole: Any, room: Any, table: Any, total: Any, rules: Any
) -> Any:
    """Return gain, ratio and the midpoint of the best threshold; a gain of -1 where there is none.

    ``whole`` says that all rows have weight 1: entropies are then read from tables.
    """
    rows = order.shape[0]
    while rows > 0 and math.isnan(numbers[order[rows - 1]]):
        rows -= 1
    known = _sides(y, order[:rows], counts, rows == order.shape[0], room)
    least = least_side(known, counts.shape[0], rules.min_instances)
    before = bits(known)
    for weight in room.right:
        before -= bits(weight)
    order = order[:rows]
    if whole:
        gain, below, place, tried = _counted(numbers, y, order, room, table, known, total, least, before)
    else:
        gain, below, place, tried = _weighed(numbers, y, order, room, known, total, least, before)
    if place < 0:
        return -1.0, 0.0, 0.0
    if rules.penalty:
        gain -= math.log2(tried) / total
    if gain < SMALL:
        return -1.0, 0.0, 0.0
    question = bits(total) - bits(total - known) - bits(below) - bits(known - below)
    low, high = numbers[order[place]], numbers[order[place + 1]]
    middle = (low + high) / 2.0
    return gain, ratio_of(gain, question, total), low if middle == high else middle


@compiled
def _sides(y: Any, order: Any, counts: Any, complete: Any, room: Any) -> Any:
    """Put all rows on the right side; returns their weight."""
    for label in range(counts.shape[0]):
        room.left[label] = 0.0
        room.right[label] = counts[label] if complete else 0.0
    if not complete:
        for row in order:
            room.right[y[row]] += room.weight[row]
    known = 0.0
    for weight in room.right:
        known += weight
    return known


@compiled
def _counted(
    numbers: Any, y: Any, order: Any, room: Any, table: Any, known: Any, total: Any, least: Any, before: Any
) -> Any:
    """Rows of weight 1: w log2 w and its steps from w to w + 1 are looked up."""
    left, right, bits_of, steps = room.left, room.right, table[0], table[1]
    inside = 0.0
    for weight in right:
        inside += bits_of[int(weight)]
    best, below, best_place, tried = 0.0, 0.0, -1, 0
    rows = order.shape[0]
    number = numbers[order[0]] if rows else 0.0
    for place in range(rows - 1):
        label = y[order[place]]
        inside += steps[int(left[label])] - steps[int(right[label]) - 1]
        left[label] += 1.0
        right[label] -= 1.0
        following = numbers[order[place + 1]]
        if number + GAP < following:
            heavy, light = place + 1.0, rows - place - 1.0
            if least - heavy < SMALL and least - light < SMALL:
                tried += 1
                gain = gain_of(before - (bits_of[place + 1] + bits_of[rows - place - 1] - inside), known, total)
                if gain - best > SMALL:
                    best, below, best_place = gain, heavy, place
        number = following
    return best, below, best_place, tried


@compiled
def _weighed(numbers: Any, y: Any, order: Any, room: Any, known: Any, total: Any, least: Any, before: Any) -> Any:
    left, right, left_bits, right_bits = room.left, room.right, room.left_bits, room.right_bits
    inside, under = 0.0, 0.0
    for label in range(left.shape[0]):
        left_bits[label] = 0.0
        right_bits[label] = bits(right[label])
        inside += right_bits[label]
    best, below, best_place, tried = 0.0, 0.0, -1, 0
    for place in range(order.shape[0] - 1):
        row = order[place]
        label, weight = y[row], room.weight[row]
        left[label] += weight
        right[label] -= weight
        under += weight
        more, less = bits(left[label]), bits(right[label])
        inside += (more - left_bits[label]) + (less - right_bits[label])
        left_bits[label], right_bits[label] = more, less
        heavy = least - under < SMALL and least - (known - under) < SMALL
        if heavy and numbers[row] + GAP < numbers[order[place + 1]]:
            tried += 1
            gain = gain_of(before - (bits(under) + bits(known - under) - inside), known, total)
            if gain - best > SMALL:
                best, below, best_place = gain, under, place
    return best, below, best_place, tried
