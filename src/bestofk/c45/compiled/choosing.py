"""Which question a node asks."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.c45.compiled.cells import count_thin
from bestofk.c45.compiled.compiling import compiled
from bestofk.c45.compiled.counted import counted_split
from bestofk.c45.compiled.nominal import counted_levels, weighed_levels
from bestofk.c45.compiled.sorting import HANDFUL
from bestofk.c45.compiled.weighed import weighed_split
from bestofk.c45.margins import BELOW_AVERAGE, SMALL


@compiled
def question_for(
    sample: Any, rules: Any, rows: Any, orders: Any, counts: Any, whole: Any, room: Any, table: Any
) -> Any:
    """Return the feature to ask for, its midpoint in the room; -1 where the node is to be a leaf.

    ``whole`` says that all rows have weight 1; ``orders`` has them by value, for the features kept so.
    """
    if whole:
        _counted(sample, rules, rows, orders, counts, room, table)
    else:
        _weighed(sample, rules, rows, orders, counts, room)
    return _best(sample.averaged, room, rules.by_ratio)


@compiled
def _counted(sample: Any, rules: Any, rows: Any, orders: Any, counts: Any, room: Any, table: Any) -> Any:
    coded, levels, before = sample.coded, sample.features.levels, table.bits[rows.shape[0]]
    for weight in counts:
        before -= table.bits[int(weight)]
    if rows.shape[0] > HANDFUL:
        count_thin(coded.cells, coded.starts, rows, room.thin)
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
def _weighed(sample: Any, rules: Any, rows: Any, orders: Any, counts: Any, room: Any) -> Any:
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
