"""Which question a node asks."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.design.c45.compiled.compiling import compiled
from bestofk.design.c45.compiled.nominal import nominal_split
from bestofk.design.c45.compiled.numeric import numeric_split
from bestofk.design.c45.margins import BELOW_AVERAGE, SMALL


@compiled
def question_for(
    training: Any, rules: Any, rows: Any, orders: Any, counts: Any, whole: Any, room: Any, table: Any
) -> Any:
    """Return the feature to ask for, its midpoint in the room; -1 where the node is to be a leaf."""
    total = 0.0
    for weight in counts:
        total += weight
    features, y = training.features, training.y
    for feature in range(features.slot.shape[0]):
        slot, levels, middle = features.slot[feature], features.levels[feature], np.nan
        if levels > 0:
            codes = training.cases.codes[slot]
            gain, ratio = nominal_split(codes, levels, y, rows, room, total, rules.min_instances)
        else:
            numbers = training.cases.numbers[slot]
            gain, ratio, middle = numeric_split(numbers, y, orders[slot], counts, whole, room, table, total, rules)
        room.gain[feature], room.ratio[feature], room.middle[feature] = gain, ratio, middle
    return _best(training.averaged, room, rules.by_ratio)


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


@compiled
def largest_value(numbers: Any, ascending: Any, middle: Any) -> Any:
    """The largest value of the training set that does not exceed the midpoint; NaN sorts last."""
    low, high = 0, ascending.shape[0]
    while low < high:
        place = (low + high) // 2
        if ascending[place] < middle + SMALL:
            low = place + 1
        else:
            high = place
    place = low - 1
    while place > 0 and ascending[place - 1] == ascending[low - 1]:
        place -= 1
    if place == 0 or ascending[place] - ascending[place - 1] > SMALL:
        return ascending[place]
    # Of values that are equal up to the margin the first that J48 meets stays.
    found = -np.inf
    for value in numbers:
        if value - middle < SMALL and value - found > SMALL:
            found = value
    return found
