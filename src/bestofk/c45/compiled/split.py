"""Which question a node asks: all features are tried, by counts where every row has weight 1, else by weights."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from bestofk.c45.compiled.decorators import compiled, inlined
from bestofk.c45.compiled.table import bits, gain_of, least_side, ratio_of
from bestofk.c45.compiled.thresholds import count_cells, counted_split, midway, rows_in_order
from bestofk.c45.rules import BELOW_AVERAGE, GAP, SMALL


@compiled
def question_for(
    sample: Any, rules: Any, rows: Any, orders: Any, counts: Any, whole: Any, room: Any, table: Any
) -> Any:
    """Return the feature to ask for, its midpoint in the room; -1 where the node is to be a leaf.

    ``whole`` says that all rows have weight 1; ``orders`` has them by value, for the features kept so.
    """
    if whole:
        _try_by_count(sample, rules, rows, orders, counts, room, table)
    else:
        _try_by_weight(sample, rules, rows, orders, counts, room)
    return _best(sample.averaged, room, rules.by_ratio)


@compiled
def _try_by_count(sample: Any, rules: Any, rows: Any, orders: Any, counts: Any, room: Any, table: Any) -> Any:
    coded, levels, before = sample.coded, sample.features.levels, table.bits[rows.shape[0]]
    for weight in counts:
        before -= table.bits[int(weight)]
    for feature in range(levels.shape[0]):
        middle = np.nan
        if levels[feature] > 0:
            gain, ratio = counted_levels(
                coded, feature, levels[feature], rows, room, table, counts.shape[0], rules.min_instances
            )
        else:
            kept = orders[coded.line[feature]] if coded.line[feature] >= 0 else rows
            gain, ratio, middle = counted_split(
                coded, feature, rows, kept, counts, before, sample.classes, room, table, rules
            )
        room.gain[feature], room.ratio[feature], room.middle[feature] = gain, ratio, middle


@compiled
def _try_by_weight(sample: Any, rules: Any, rows: Any, orders: Any, counts: Any, room: Any) -> Any:
    coded, levels, total = sample.coded, sample.features.levels, 0.0
    for weight in counts:
        total += weight
    for feature in range(levels.shape[0]):
        middle = np.nan
        if levels[feature] > 0:
            codes = sample.cases.codes[sample.features.slot[feature]]
            gain, ratio = weighed_levels(codes, levels[feature], sample.y, rows, room, total, rules.min_instances)
        else:
            kept = orders[coded.line[feature]] if coded.line[feature] >= 0 else rows
            gain, ratio, middle = weighed_split(coded, feature, rows, kept, counts, total, sample.classes, room, rules)
        room.gain[feature], room.ratio[feature], room.middle[feature] = gain, ratio, middle


@compiled
def _best(averaged: Any, room: Any, by_ratio: Any) -> Any:
    number, total = 0, 0.0
    for feature in range(averaged.shape[0]):
        if averaged[feature] and room.gain[feature] >= 0.0:
            number += 1
            total += room.gain[feature]
    if number == 0:
        return -1
    least = total / number - BELOW_AVERAGE if by_ratio else 0.0
    best, chosen = 0.0, -1
    for feature in range(averaged.shape[0]):
        score = room.ratio[feature] if by_ratio else room.gain[feature]
        if room.gain[feature] >= 0.0 and room.gain[feature] >= least and score - best > SMALL:
            best, chosen = score, feature
    return chosen


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
    gain, below, place, tried = _scanned(coded, feature, order, room, known, total, least, before)
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
def _scanned(coded: Any, feature: Any, order: Any, room: Any, known: Any, total: Any, least: Any, before: Any) -> Any:
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
