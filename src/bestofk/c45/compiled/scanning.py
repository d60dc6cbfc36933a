"""All thresholds of a numeric feature where every row has weight 1: entropies are read from a table.

Each function goes through the values in order and returns the best gain, the rows below its threshold, the codes on
either side, and how many thresholds were allowed. Whether a value follows another cannot be foreseen, that a threshold
saves more than all before it hardly ever happens: the bits are worked out everywhere, and only the rare jump is made.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bestofk.c45.compiled.bits import gain_of
from bestofk.c45.compiled.compiling import inlined
from bestofk.c45.margins import GAP, SMALL


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
