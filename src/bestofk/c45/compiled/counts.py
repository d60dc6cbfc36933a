"""The rows of a node counted by code and class, or put in the order of a feature's values."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.c45.compiled.decorators import compiled, inlined


@inlined
def count_cells(keys: Any, rows: Any, cells: Any, numbers: Any) -> Any:
    """How many rows have each key."""
    for cell in range(cells):
        numbers[cell] = 0
    for row in rows:
        numbers[keys[row]] += 1


@compiled
def count_thin(cells: Any, starts: Any, rows: Any, numbers: Any) -> Any:
    """Count all thin features at once, but for their usual values."""
    if cells.shape[0] == 0:
        return
    for cell in range(numbers.shape[0]):
        numbers[cell] = 0
    for row in rows:
        for place in range(starts[row], starts[np.int64(row) + 1]):
            numbers[cells[place]] += 1


@inlined
def count_usual(numbers: Any, size: Any, shift: Any, usual: Any, above: Any) -> Any:
    """The usual value has what the others leave."""
    if above.shape[0] == 2:
        zeros, ones = 0, 0
        for code in range(size + 1):
            zeros += numbers[np.uint64(2 * code)]
            ones += numbers[np.uint64(2 * code + 1)]
        numbers[2 * usual], numbers[2 * usual + 1] = above[0] - zeros, above[1] - ones
        return
    for label in range(above.shape[0]):
        others = 0
        for code in range(size + 1):
            others += numbers[np.uint64((code << shift) + label)]
        numbers[(usual << shift) + label] = above[label] - others


@inlined
def known_in_cells(numbers: Any, start: Any, number: Any, above: Any) -> Any:
    """Take the missing off the classes; returns how many rows are left."""
    for label in range(above.shape[0]):
        above[label] -= numbers[start + label]
        number -= numbers[start + label]
    return number


@inlined
def known_keys(ordered: Any, shift: Any, size: Any, number: Any, above: Any) -> Any:
    """The same for keys in order, where the missing come last."""
    mask = (1 << shift) - 1
    while number > 0 and np.int64(ordered[number - 1]) >> shift == size:
        number -= 1
        above[np.int64(ordered[number]) & mask] -= 1
    return number


#: Up to so many rows are put in one by one; nodes with no more need no order that is kept.
HANDFUL = 24


@inlined
def keys_in_order(keys: Any, shift: Any, size: Any, rows: Any, kept: Any, sorted_already: Any, room: Any) -> Any:
    """Write the keys of the rows to ``room.sorted``; ``kept`` are the same rows in order where they are kept so."""
    number, ordered = rows.shape[0], room.sorted
    if number <= HANDFUL:
        for place in range(number):
            key, at = np.int64(keys[rows[place]]), place
            while at > 0 and ordered[at - 1] > key:
                ordered[at] = ordered[at - 1]
                at -= 1
            ordered[at] = key
    elif sorted_already:
        for place in range(number):
            ordered[place] = keys[kept[place]]
    else:
        _starts(keys, shift, size, rows, room.starts)
        for place in range(number):
            key = np.int64(keys[rows[place]])
            ordered[room.starts[key >> shift]] = key
            room.starts[key >> shift] += 1


@compiled
def rows_in_order(keys: Any, shift: Any, size: Any, rows: Any, kept: Any, sorted_already: Any, room: Any) -> Any:
    """The same for the rows themselves."""
    number, ordered = rows.shape[0], room.sorted
    if number <= HANDFUL:
        for place in range(number):
            row, at = rows[place], place
            while at > 0 and np.int64(keys[ordered[at - 1]]) >> shift > np.int64(keys[row]) >> shift:
                ordered[at] = ordered[at - 1]
                at -= 1
            ordered[at] = row
    elif sorted_already:
        for place in range(number):
            ordered[place] = kept[place]
    else:
        _starts(keys, shift, size, rows, room.starts)
        for place in range(number):
            row = rows[place]
            ordered[room.starts[np.int64(keys[row]) >> shift]] = row
            room.starts[np.int64(keys[row]) >> shift] += 1


@inlined
def _starts(keys: Any, shift: Any, size: Any, rows: Any, starts: Any) -> Any:
    """Where the rows of each code begin; the missing come after the last."""
    for code in range(size + 2):
        starts[code] = 0
    for place in range(rows.shape[0]):
        starts[(np.int64(keys[rows[place]]) >> shift) + 1] += 1
    for code in range(size + 1):
        starts[code + 1] += starts[code]
