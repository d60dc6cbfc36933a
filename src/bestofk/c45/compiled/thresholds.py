"""The best threshold of a numeric feature where every row has weight 1: entropies are read from a table.

Each scan goes through the values in order and returns the best gain, the rows below its threshold, the codes on either
side, and how many thresholds were allowed. Whether a value follows another cannot be foreseen, that a threshold saves
more than all before it hardly ever happens: the bits are worked out everywhere, and only the rare jump is made.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bestofk.c45.compiled.counts import HANDFUL, count_cells, count_usual, keys_in_order, known_in_cells, known_keys
from bestofk.c45.compiled.decorators import inlined
from bestofk.c45.compiled.entropy import gain_of, least_side, ratio_of
from bestofk.c45.rules import GAP, SMALL


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
def midway(low: Any, high: Any) -> Any:
    """The midpoint; the lower number where rounding makes it the higher."""
    middle = (low + high) / 2.0
    return low if middle == high else middle


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


class Question(NamedTuple):
    """What is the same for all thresholds: rows with a value, least rows of a side, weights, bits before.

    ``values`` are the numbers of the codes, from place ``at`` on; ``spaced``: all of them may be separated.
    """

    rows: Any
    least: Any
    known: Any
    total: Any
    before: Any
    steps: Any
    rises: Any
    values: Any
    at: Any
    spaced: Any


@inlined
def least_rows(least: Any) -> Any:
    """The least number of rows that is heavy enough."""
    rows = max(1, int(least))
    while least - rows >= SMALL:
        rows += 1
    return rows


@inlined
def bar_of(best: Any, total: Any) -> Any:
    """Bits that a threshold must save to be clearly better; a little less, for the gain itself decides."""
    return (best + SMALL) * total * (1.0 - 1e-9)


@inlined
def apart(asked: Any, low: Any, high: Any) -> Any:
    """Whether two values are far enough apart."""
    return asked.spaced or asked.values[asked.at + low] + GAP < asked.values[asked.at + high]


@inlined
def _whole(number: Any) -> Any:
    """A number with a sign, of full length."""
    return np.int64(number)


@inlined
def at(place: Any) -> Any:
    """A place without a sign: no look whether to count from the end."""
    return np.uint64(place)


@inlined
def cells_of_two(cells: Any, size: Any, codes: Any, right: Any, asked: Any) -> Any:
    """Two classes, rows counted by code and class; ``codes`` is room for those that have rows."""
    steps, first, second = asked.steps, right[0], right[1]
    best, below, low, high, tried, bar = 0.0, 0, -1, -1, 0, bar_of(0.0, asked.total)
    zeros, ones, last, number = 0, 0, -1, 0
    for code in range(size):
        codes[at(number)] = code
        number += _whole(cells[at(2 * code)] + cells[at(2 * code + 1)] > 0)
    for place in range(number):
        code = _whole(codes[at(place)])
        more, others = _whole(cells[at(2 * code)]), _whole(cells[at(2 * code + 1)])
        under = zeros + ones
        if asked.rows - under < asked.least:
            break
        inside = (steps[at(zeros)] + steps[at(ones)]) + (steps[at(first - zeros)] + steps[at(second - ones)])
        saved = asked.before - (steps[at(under)] + steps[at(asked.rows - under)] - inside)
        allowed = under >= asked.least
        if not asked.spaced:
            allowed = allowed and apart(asked, last, code)
        tried += _whole(allowed)
        if saved > bar and allowed:
            gain = gain_of(saved, asked.known, asked.total)
            if gain - best > SMALL:
                best, below, low, high, bar = gain, under, last, code, bar_of(gain, asked.total)
        zeros, ones, last = zeros + more, ones + others, code
    return best, below, low, high, tried


@inlined
def cells_of_many(cells: Any, size: Any, shift: Any, left: Any, right: Any, asked: Any) -> Any:
    """The same for any number of classes."""
    steps, inside = asked.steps, 0.0
    for label in range(right.shape[0]):
        left[label] = 0
        inside += steps[right[label]]
    best, below, low, high, tried, bar = 0.0, 0, -1, -1, 0, bar_of(0.0, asked.total)
    under, last = 0, -1
    for code in range(size):
        base, more = code << shift, 0
        for label in range(right.shape[0]):
            more += cells[at(base + label)]
        if more == 0:
            continue
        if asked.rows - under < asked.least:
            break
        if under >= asked.least and apart(asked, last, code):
            tried += 1
            saved = asked.before - (steps[at(under)] + steps[at(asked.rows - under)] - inside)
            if saved > bar:
                gain = gain_of(saved, asked.known, asked.total)
                if gain - best > SMALL:
                    best, below, low, high, bar = gain, under, last, code, bar_of(gain, asked.total)
        inside = 0.0
        for label in range(right.shape[0]):
            extra = _whole(cells[at(base + label)])
            lower, upper = left[label] + extra, right[label] - extra
            inside += steps[at(lower)] + steps[at(upper)]
            left[label], right[label] = lower, upper
        under, last = under + more, code
    return best, below, low, high, tried


@inlined
def keys_of_two(keys: Any, right: Any, asked: Any) -> Any:
    """Two classes, keys in order."""
    steps, first, second = asked.steps, right[0], right[1]
    best, below, low, high, tried, bar = 0.0, 0, -1, -1, 0, bar_of(0.0, asked.total)
    ones = 0
    for place in range(asked.least - 1):
        ones += _whole(keys[at(place)]) & 1
    key: Any = _whole(keys[at(asked.least - 1)])
    for under in range(asked.least, asked.rows - asked.least + 1):
        ones += key & 1
        following: Any = _whole(keys[at(under)])
        zeros = under - ones
        inside = (steps[at(zeros)] + steps[at(ones)]) + (steps[at(first - zeros)] + steps[at(second - ones)])
        saved = asked.before - (steps[at(under)] + steps[at(asked.rows - under)] - inside)
        allowed = following >> 1 != key >> 1
        if not asked.spaced:
            allowed = allowed and apart(asked, key >> 1, following >> 1)
        tried += _whole(allowed)
        if saved > bar and allowed:
            gain = gain_of(saved, asked.known, asked.total)
            if gain - best > SMALL:
                best, below, low, high = gain, under, key >> 1, following >> 1
                bar = bar_of(gain, asked.total)
        key = following
    return best, below, low, high, tried


@inlined
def keys_of_many(keys: Any, shift: Any, left: Any, right: Any, asked: Any) -> Any:
    """The same for any number of classes."""
    steps, rises, inside, mask = asked.steps, asked.rises, 0.0, (1 << shift) - 1
    for label in range(right.shape[0]):
        left[label] = 0
    for place in range(asked.least - 1):
        label = _whole(keys[at(place)]) & mask
        left[label] += 1
        right[label] -= 1
    for label in range(right.shape[0]):
        inside += steps[left[label]] + steps[right[label]]
    best, below, low, high, tried, bar = 0.0, 0, -1, -1, 0, bar_of(0.0, asked.total)
    key = _whole(keys[at(asked.least - 1)])
    for under in range(asked.least, asked.rows - asked.least + 1):
        own = at(key & mask)
        fewer, more = right[own] - 1, left[own]
        inside += rises[at(more)] - rises[at(fewer)]
        left[own], right[own] = more + 1, fewer
        following = _whole(keys[at(under)])
        saved = asked.before - (steps[at(under)] + steps[at(asked.rows - under)] - inside)
        allowed = following >> shift != key >> shift
        if not asked.spaced:
            allowed = allowed and apart(asked, key >> shift, following >> shift)
        tried += _whole(allowed)
        if saved > bar and allowed:
            gain = gain_of(saved, asked.known, asked.total)
            if gain - best > SMALL:
                best, below, low, high = gain, under, key >> shift, following >> shift
                bar = bar_of(gain, asked.total)
        key = following
    return best, below, low, high, tried
