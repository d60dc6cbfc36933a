"""The best threshold of a numeric feature where all rows have weight 1."""

from __future__ import annotations

from typing import Any

from bestofk.c45.compiled.bits import least_side, ratio_of
from bestofk.c45.compiled.cells import count_cells, count_usual, known_in_cells, known_keys
from bestofk.c45.compiled.compiling import inlined
from bestofk.c45.compiled.scanning import (
    Question,
    cells_of_many,
    cells_of_two,
    keys_of_many,
    keys_of_two,
    least_rows,
)
from bestofk.c45.compiled.sorting import HANDFUL, keys_in_order
from bestofk.c45.compiled.weighed import midway
from bestofk.c45.margins import SMALL


@inlined
def counted_split(
    coded: Any,
    feature: Any,
    rows: Any,
    kept: Any,
    counts: Any,
    before: Any,
    classes: Any,
    room: Any,
    table: Any,
    rules: Any,
) -> Any:
    """Return gain, ratio and midpoint; a gain of -1 where there is no threshold.

    ``before`` are the bits of the classes of all rows, for features without gaps.
    """
    number, in_cells = rows.shape[0], _in_cells(coded, feature, rows.shape[0])
    for label in range(counts.shape[0]):
        room.above[label] = int(counts[label])
    numbers = room.numbers
    if coded.thin[feature] >= 0 and number > HANDFUL:
        numbers = room.thin[coded.thin[feature] :]
    known = _arranged(coded, feature, rows, kept, in_cells, numbers, room)
    if known < number:
        before = table.bits[known]
        for weight in room.above:
            before -= table.bits[weight]
    least = least_rows(least_side(float(known), classes, rules.min_instances))
    if known < 2 * least or known < 2:
        return -1.0, 0.0, 0.0
    at, spaced, total = coded.at[feature], coded.spaced[feature], float(number)
    asked = Question(known, least, float(known), total, before, table.steps, table.rises, coded.values, at, spaced)
    gain, below, low, high, tried = _scanned(coded, feature, in_cells, numbers, room, asked)
    if low < 0:
        return -1.0, 0.0, 0.0
    if rules.penalty:
        gain -= table.logs[tried] / total
    if gain < SMALL:
        return -1.0, 0.0, 0.0
    question = table.bits[number] - table.bits[number - known] - table.bits[below] - table.bits[known - below]
    return gain, ratio_of(gain, question, total), midway(coded.values[at + low], coded.values[at + high])


@inlined
def _in_cells(coded: Any, feature: Any, number: Any) -> Any:
    """Whether to count rows by code and class rather than to sort them: not where most cells would be empty."""
    cells = coded.size[feature] << coded.shift
    several = number > HANDFUL or cells <= 2 * HANDFUL
    return coded.line[feature] < 0 and several and cells <= (4 if coded.shift > 1 else 8) * number


@inlined
def _arranged(coded: Any, feature: Any, rows: Any, kept: Any, in_cells: Any, numbers: Any, room: Any) -> Any:
    """Count or sort the rows; returns how many have a value, and leaves only those in ``room.above``."""
    keys, size, shift, known = coded.keys[feature], coded.size[feature], coded.shift, rows.shape[0]
    if not in_cells:
        keys_in_order(keys, shift, size, rows, kept, coded.line[feature] >= 0, room)
        return known_keys(room.sorted, shift, size, known, room.above) if coded.gappy[feature] else known
    if coded.thin[feature] >= 0 and known > HANDFUL:
        count_usual(numbers, size, shift, coded.usual[feature], room.above)
    else:
        count_cells(keys, rows, (size + 1) << shift, numbers)
    return known_in_cells(numbers, size << shift, known, room.above) if coded.gappy[feature] else known


@inlined
def _scanned(coded: Any, feature: Any, in_cells: Any, numbers: Any, room: Any, asked: Any) -> Any:
    """Go through all thresholds."""
    size, shift = coded.size[feature], coded.shift
    if room.above.shape[0] == 2:
        if in_cells:
            return cells_of_two(numbers, size, room.starts, room.above, asked)
        return keys_of_two(room.sorted, room.above, asked)
    if in_cells:
        return cells_of_many(numbers, size, shift, room.under, room.above, asked)
    return keys_of_many(room.sorted, shift, room.under, room.above, asked)
