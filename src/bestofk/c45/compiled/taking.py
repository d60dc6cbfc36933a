"""What the folds of a table share, and what each takes of it: its rows in order, its levels, its classes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bestofk.c45.cases import Cases, Features, Ints
from bestofk.c45.compiled.coding import key_levels
from bestofk.c45.compiled.compiling import allocating, compiled
from bestofk.c45.margins import MANY_LEVELS, SMALL


class Shared(NamedTuple):
    """What no fold changes: levels and codes of the nominal features, their rows level by level, rows in order.

    ``starts`` of feature slot s and level k are at ``base[s] + k``; ``times`` and ``changed`` are room to work in: how
    often a fold has each row, and which nominal features the last fold saw with fewer levels.
    """

    levels: Ints
    codes: Ints
    kept: Any
    base: Any
    starts: Any
    rows: Any
    times: Ints
    changed: Any
    ones: Any


def shared_of(features: Features, cases: Cases, kept: Any) -> Shared:
    """Collect the rows of each level."""
    widths = features.levels[features.levels > 0]
    base = np.cumsum(widths + 1) - (widths + 1)
    lines = [
        np.flatnonzero(line == level)
        for line, width in zip(cases.codes, widths, strict=True)
        for level in range(width + 1)
    ]  # the last holds none: it only ends the line
    starts = np.append(0, np.cumsum([len(line) for line in lines], dtype=np.int64)).astype(np.int64)
    return Shared(
        features.levels.copy(),
        cases.codes.copy(),
        kept,
        base.astype(np.int64),
        starts,
        np.concatenate([np.zeros(0, np.int64), *lines]),
        np.zeros(cases.numbers.shape[1], np.int32),
        np.zeros(len(widths), np.bool_),
        np.ones(cases.numbers.shape[1]),
    )


@allocating
def mark(rows: Any, base: Any, shared: Any) -> Any:
    """Note which rows the fold has, and how often; returns how many classes it has."""
    for row in range(shared.times.shape[0]):
        shared.times[row] = 0
    there = np.zeros(base.coded.classes, np.bool_)
    for row in rows:
        shared.times[row] += 1
        there[base.y[row]] = True
    for row in range(shared.times.shape[0]):
        base.pool.present[row] = shared.times[row] > 0
    classes = 0
    for each in there:
        classes += each
    return classes


@compiled
def see_levels(base: Any, shared: Any, place_of: Any) -> Any:
    """Number the levels that the fold has; a level that it lacks is missing."""
    for feature in range(shared.levels.shape[0]):
        levels, slot = shared.levels[feature], base.features.slot[feature]
        if levels == 0:
            continue
        seen = 0
        for level in range(levels):
            place_of[level] = -1
            at = shared.base[slot] + level
            for place in range(shared.starts[at], shared.starts[at + 1]):
                if base.pool.present[shared.rows[place]]:
                    place_of[level] = seen
                    seen += 1
                    break
        if seen == levels and not shared.changed[slot]:
            continue
        shared.changed[slot] = seen < levels
        base.features.levels[feature] = base.coded.size[feature] = max(seen, 1)
        for row in range(shared.times.shape[0]):
            code = shared.codes[slot, row]
            base.cases.codes[slot, row] = place_of[code] if code >= 0 else -1
        key_levels(base.cases.codes[slot], max(seen, 1), base.y, base.coded.shift, base.coded.keys[feature])


@compiled
def find_averaged(levels: Any, weight: Any, averaged: Any) -> Any:
    """Which features count in the average gain: those with few levels, or all where none has few."""
    some = False
    for feature in range(levels.shape[0]):
        averaged[feature] = levels[feature] == 0 or MANY_LEVELS * weight - levels[feature] > SMALL
        some = some or averaged[feature]
    if not some:
        for feature in range(levels.shape[0]):
            averaged[feature] = True


@compiled
def take_orders(shared: Any, order: Any) -> Any:
    """The rows of the fold in the order of each feature that is kept so; repeated rows as often as they are there."""
    number, most = 0, 0
    for times in shared.times:
        number += times
        most = max(most, times)
    for line in range(shared.kept.shape[0]):
        to = order[line]
        place: Any = 0
        if most == 1:
            for row in shared.kept[line]:  # a row that the fold has not is overwritten by the next
                if place == number:
                    break
                to[np.uint64(place)] = row
                place += np.int64(shared.times[np.uint64(row)])
            continue
        for row in shared.kept[line]:
            for _ in range(shared.times[row]):
                to[place] = row
                place += 1
