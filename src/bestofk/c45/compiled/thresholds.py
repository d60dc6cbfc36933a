"""The best threshold of a numeric feature: rows counted by code and class or put in order, and scanned.

Where every row has weight 1, entropies are read from a table. Each scan goes through the values in order and returns
the best gain, the rows below its threshold, the codes on either side, and how many thresholds were allowed. Whether a
value follows another cannot be foreseen, that a threshold saves more than all before it hardly ever happens: the bits
are worked out everywhere, and only the rare jump is made.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bestofk.c45.compiled.decorators import compiled, inlined
from bestofk.c45.compiled.table import gain_of, least_side, ratio_of
from bestofk.c45.rules import GAP, SMALL


@inlined
def count_cells(keys: Any, rows: Any, cells: Any, numbers: Any) -> Any:
    """How many rows have each key."""
    for cell in range(cells):
        numbers[cell] = 0
    for row in rows:
        numbers[keys[row]] += 1


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
    known = _arranged(coded, feature, rows, kept, in_cells, room)
    if known < number:
        before = table.bits[known]
        for weight in room.above:
            before -= table.bits[weight]
    least = least_rows(least_side(float(known), classes, rules.min_instances))
    if known < 2 * least or known < 2:
        return -1.0, 0.0, 0.0
    at, spaced, total = coded.at[feature], coded.spaced[feature], float(number)
    asked = Question(known, least, float(known), total, before, table.steps, table.rises, coded.values, at, spaced)
    if in_cells:
        gain, below, low, high, tried = _scanned_cells(
            room.numbers, coded.size[feature], coded.shift, room.under, room.above, asked
        )
    else:
        gain, below, low, high, tried = _scanned_keys(room.sorted, coded.shift, room.under, room.above, asked)
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
def _arranged(coded: Any, feature: Any, rows: Any, kept: Any, in_cells: Any, room: Any) -> Any:
    """Count or sort the rows; returns how many have a value, and leaves only those in ``room.above``."""
    keys, size, shift, known = coded.keys[feature], coded.size[feature], coded.shift, rows.shape[0]
    if not in_cells:
        keys_in_order(keys, shift, size, rows, kept, coded.line[feature] >= 0, room)
        return known_keys(room.sorted, shift, size, known, room.above) if coded.gappy[feature] else known
    count_cells(keys, rows, (size + 1) << shift, room.numbers)
    return known_in_cells(room.numbers, size << shift, known, room.above) if coded.gappy[feature] else known


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
def _scanned_cells(cells: Any, size: Any, shift: Any, left: Any, right: Any, asked: Any) -> Any:
    """Rows counted by code and class."""
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
def _scanned_keys(keys: Any, shift: Any, left: Any, right: Any, asked: Any) -> Any:
    """Keys in order."""
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
