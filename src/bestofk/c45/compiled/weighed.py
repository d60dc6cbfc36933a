"""The best threshold of a numeric feature where rows have any weight."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from bestofk.c45.compiled.bits import bits, gain_of, least_side, ratio_of
from bestofk.c45.compiled.compiling import compiled, inlined
from bestofk.c45.compiled.sorting import rows_in_order
from bestofk.c45.margins import GAP, SMALL


@compiled
def weighed_split(
    coded: Any, feature: Any, rows: Any, kept: Any, counts: Any, total: Any, classes: Any, room: Any, rules: Any
) -> Any:
    """Return gain, ratio and midpoint; a gain of -1 where there is no threshold."""
    keys, size, shift = coded.keys[feature], coded.size[feature], coded.shift
    rows_in_order(keys, shift, size, rows, kept, coded.line[feature] >= 0, room)
    number = rows.shape[0]
    while number > 0 and np.int64(keys[room.sorted[number - 1]]) >> shift == size:
        number -= 1
    order = room.sorted[:number]
    known = _sides(keys, (1 << shift) - 1, order, counts, number == rows.shape[0], room)
    least = least_side(known, classes, rules.min_instances)
    before = bits(known)
    for weight in room.right:
        before -= bits(weight)
    gain, below, place, tried = _weighed(coded, feature, order, room, known, total, least, before)
    if place < 0:
        return -1.0, 0.0, 0.0
    if rules.penalty:
        gain -= math.log2(tried) / total
    if gain < SMALL:
        return -1.0, 0.0, 0.0
    question = bits(total) - bits(total - known) - bits(below) - bits(known - below)
    at = coded.at[feature]
    low, high = np.int64(keys[order[place]]) >> shift, np.int64(keys[order[place + 1]]) >> shift
    return gain, ratio_of(gain, question, total), midway(coded.values[at + low], coded.values[at + high])


@inlined
def midway(low: Any, high: Any) -> Any:
    """The midpoint; the lower number where rounding makes it the higher."""
    middle = (low + high) / 2.0
    return low if middle == high else middle


@compiled
def _sides(keys: Any, mask: Any, order: Any, counts: Any, complete: Any, room: Any) -> Any:
    """Put all rows on the right side; returns their weight."""
    for label in range(counts.shape[0]):
        room.left[label] = 0.0
        room.right[label] = counts[label] if complete else 0.0
    if not complete:
        for row in order:
            room.right[np.int64(keys[row]) & mask] += room.weight[row]
    known = 0.0
    for weight in room.right:
        known += weight
    return known


@compiled
def _weighed(coded: Any, feature: Any, order: Any, room: Any, known: Any, total: Any, least: Any, before: Any) -> Any:
    left, right, left_bits, right_bits = room.left, room.right, room.left_bits, room.right_bits
    keys, shift, at, mask = coded.keys[feature], coded.shift, coded.at[feature], (1 << coded.shift) - 1
    inside, under = 0.0, 0.0
    for label in range(left.shape[0]):
        left_bits[label] = 0.0
        right_bits[label] = bits(right[label])
        inside += right_bits[label]
    best, below, best_place, tried = 0.0, 0.0, -1, 0
    for place in range(order.shape[0] - 1):
        row = order[place]
        key, weight = np.int64(keys[row]), room.weight[row]
        label = key & mask
        left[label] += weight
        right[label] -= weight
        under += weight
        more, less = bits(left[label]), bits(right[label])
        inside += (more - left_bits[label]) + (less - right_bits[label])
        left_bits[label], right_bits[label] = more, less
        following = np.int64(keys[order[place + 1]])
        if following >> shift == key >> shift or least - under >= SMALL or least - (known - under) >= SMALL:
            continue
        if coded.values[at + (key >> shift)] + GAP < coded.values[at + (following >> shift)]:
            tried += 1
            gain = gain_of(before - (bits(under) + bits(known - under) - inside), known, total)
            if gain - best > SMALL:
                best, below, best_place = gain, under, place
    return best, below, best_place, tried
