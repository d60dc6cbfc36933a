"""All thresholds of a numeric feature where every row has weight 1: entropies are read from a table.

Each function goes through the values in order and returns the best gain, the rows below its threshold, the codes on
either side, and how many thresholds were allowed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bestofk.design.c45.compiled.bits import gain_of
from bestofk.design.c45.compiled.compiling import inlined
from bestofk.design.c45.margins import GAP, SMALL


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
def may_separate(asked: Any, low: Any, high: Any) -> Any:
    """Whether two values are far enough apart."""
    return asked.spaced or asked.values[asked.at + low] + GAP < asked.values[asked.at + high]


@inlined
def cells_of_two(cells: Any, size: Any, right: Any, asked: Any) -> Any:
    """Two classes, rows counted by code and class."""
    steps, first, second = asked.steps, right[0], right[1]
    best, below, low, high, tried, bar = 0.0, 0, -1, -1, 0, bar_of(0.0, asked.total)
    zeros, ones, last = 0, 0, -1
    for code in range(size):
        more, others = cells[2 * code], cells[2 * code + 1]
        if more + others == 0:
            continue
        under = zeros + ones
        if asked.rows - under < asked.least:
            break
        if last >= 0 and under >= asked.least and may_separate(asked, last, code):
            tried += 1
            inside = steps[zeros] + steps[ones] + steps[first - zeros] + steps[second - ones]
            saved = asked.before - (steps[under] + steps[asked.rows - under] - inside)
            if saved > bar:
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
            more += cells[base + label]
        if more == 0:
            continue
        if asked.rows - under < asked.least:
            break
        if last >= 0 and under >= asked.least and may_separate(asked, last, code):
            tried += 1
            saved = asked.before - (steps[under] + steps[asked.rows - under] - inside)
            if saved > bar:
                gain = gain_of(saved, asked.known, asked.total)
                if gain - best > SMALL:
                    best, below, low, high, bar = gain, under, last, code, bar_of(gain, asked.total)
        for label in range(right.shape[0]):
            extra = cells[base + label]
            if extra > 0:
                inside += steps[left[label] + extra] - steps[left[label]]
                inside += steps[right[label] - extra] - steps[right[label]]
                left[label] += extra
                right[label] -= extra
        under, last = under + more, code
    return best, below, low, high, tried


@inlined
def keys_of_two(keys: Any, right: Any, asked: Any) -> Any:
    """Two classes, keys in order."""
    steps, first, second = asked.steps, right[0], right[1]
    best, below, low, high, tried, bar = 0.0, 0, -1, -1, 0, bar_of(0.0, asked.total)
    ones = 0
    key: Any = np.int64(keys[0])
    for under in range(1, asked.rows - asked.least + 1):
        ones += key & 1
        following: Any = np.int64(keys[under])
        if following >> 1 != key >> 1 and under >= asked.least and may_separate(asked, key >> 1, following >> 1):
            tried += 1
            zeros = under - ones
            inside = steps[zeros] + steps[ones] + steps[first - zeros] + steps[second - ones]
            saved = asked.before - (steps[under] + steps[asked.rows - under] - inside)
            if saved > bar:
                gain = gain_of(saved, asked.known, asked.total)
                if gain - best > SMALL:
                    best, below, low, high = gain, under, key >> 1, following >> 1
                    bar = bar_of(gain, asked.total)
        key = following
    return best, below, low, high, tried


@inlined
def keys_of_many(keys: Any, shift: Any, left: Any, right: Any, asked: Any) -> Any:
    """The same for any number of classes."""
    steps, inside, mask = asked.steps, 0.0, (1 << shift) - 1
    for label in range(right.shape[0]):
        left[label] = 0
        inside += steps[right[label]]
    best, below, low, high, tried, bar = 0.0, 0, -1, -1, 0, bar_of(0.0, asked.total)
    key = np.int64(keys[0])
    for under in range(1, asked.rows - asked.least + 1):
        label = key & mask
        fewer, more = right[label], left[label]
        inside += (steps[more + 1] - steps[more]) + (steps[fewer - 1] - steps[fewer])
        left[label], right[label] = more + 1, fewer - 1
        following = np.int64(keys[under])
        code, other = key >> shift, following >> shift
        if code != other and under >= asked.least and may_separate(asked, code, other):
            tried += 1
            saved = asked.before - (steps[under] + steps[asked.rows - under] - inside)
            if saved > bar:
                gain = gain_of(saved, asked.known, asked.total)
                if gain - best > SMALL:
                    best, below, low, high, bar = gain, under, code, other, bar_of(gain, asked.total)
        key = following
    return best, below, low, high, tried
