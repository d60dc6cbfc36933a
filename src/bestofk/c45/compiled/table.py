"""What compiled code learns a tree from: columns coded once, some rows of them, and entropies in parts, w log2 w.

Every value is coded by its rank and, in the same number, the class of its row.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from bestofk.c45.cases import Cases, Features, Ints, Training
from bestofk.c45.compiled.decorators import allocating, compiled, inlined
from bestofk.c45.rules import CEILING, GAP, SHARE_OF_CLASS, SMALL
from bestofk.core.arrays import Array, Flags

#: Tables are rounded to this share of a bit, so that sums of their entries are exact up to 400,000 rows: whole weights
#: then give the same gain in whatever order they are added, and folds that share work the very tree of one alone.
STEP = 2.0**-30


class Tables(NamedTuple):
    """For whole weights w: w log2 w, the same in whole steps, log2 w, and the steps from w to w + 1."""

    bits: Any
    steps: Any
    logs: Any
    rises: Any


@inlined
def bits(weight: Any) -> Any:
    """w log2 w; 0 for what is no weight at all."""
    return 0.0 if weight < SMALL else weight * math.log2(weight)


def tables(rows: int) -> Tables:
    """Tables for weights up to this."""
    return Tables(*_tables(rows))


@allocating
def _tables(rows: Any) -> Any:
    exact, steps, logs, rises = np.zeros(rows + 1), np.zeros(rows + 1), np.zeros(rows + 1), np.zeros(rows + 1)
    for weight in range(1, rows + 1):
        exact[weight] = bits(float(weight))
        steps[weight] = STEP * np.rint(exact[weight] / STEP)
        logs[weight] = math.log2(float(weight))
        rises[weight - 1] = steps[weight] - steps[weight - 1]
    return exact, steps, logs, rises


@inlined
def gain_of(saved: Any, known: Any, total: Any) -> Any:
    """Bits saved per row; rows whose value is missing save nothing."""
    saved = saved * (known / total)
    return 0.0 if saved < SMALL else saved / known


@inlined
def ratio_of(gain: Any, question: Any, total: Any) -> Any:
    """Gain per bit of the question itself."""
    return 0.0 if question < SMALL else gain / (question / total)


@inlined
def least_side(known: Any, classes: Any, min_instances: Any) -> Any:
    """Least weight on either side of a threshold."""
    least = SHARE_OF_CLASS * known / classes
    return min_instances if least - min_instances < SMALL else min(least, CEILING)


@compiled
def ends_here(counts: Any, min_instances: Any) -> Any:
    """Whether a node with these class weights asks nothing: too light, or of one class."""
    total, largest = 0.0, 0.0
    for weight in counts:
        total += weight
        largest = max(largest, weight)
    return 2.0 * min_instances - total > SMALL or total - largest < SMALL


#: Numeric features with up to so many values are counted or sorted anew in each node, others kept in order.
FEW = 512


class Coded(NamedTuple):
    """``keys`` are code << shift | class of each feature and row; a missing value has the code after the last.

    ``size`` is the number of codes of each feature, ``line`` its place among the features that are kept in order, -1
    for the others, ``values`` and ``at`` the number of each code, ``spaced`` whether all of them may be separated,
    ``gappy`` whether some are missing. ``order`` has the rows of each numeric feature by value, missing ones last.
    """

    classes: int
    keys: Any
    shift: int
    size: Ints
    line: Ints
    values: Array
    at: Any
    spaced: Flags
    gappy: Flags
    order: Ints


def coded(features: Features, cases: Cases, y: Ints, classes: int) -> Coded:
    """Code all columns."""
    rows, width = len(y), len(features.slot)
    shift = max(1, int(classes - 1).bit_length())
    order = np.argsort(cases.numbers, axis=1).astype(np.int32)
    keys, size = np.empty((width, rows), np.uint32), np.zeros(width, np.int32)
    values, at = np.empty(order.size), np.zeros(width, np.int64)
    spaced, gappy = np.ones(width, np.bool_), np.zeros(width, np.bool_)
    _fill(features, cases, y, shift, order, keys, size, values, at, spaced, gappy)
    many = (features.levels == 0) & (size > FEW)
    line = np.where(many, np.cumsum(many) - 1, -1).astype(np.int32)
    return Coded(classes, keys, shift, size, line, values, at, spaced, gappy, order)


@compiled
def _fill(
    features: Any,
    cases: Any,
    y: Any,
    shift: Any,
    order: Any,
    keys: Any,
    size: Any,
    values: Any,
    at: Any,
    spaced: Any,
    gappy: Any,
) -> Any:
    used = 0
    for feature in range(features.slot.shape[0]):
        slot, levels = features.slot[feature], features.levels[feature]
        if levels > 0:
            size[feature] = levels
            gappy[feature] = key_levels(cases.codes[slot], levels, y, shift, keys[feature])
            continue
        at[feature] = used
        code, known = -1, 0
        for place in range(order.shape[1]):
            row = order[slot, place]
            number = cases.numbers[slot, row]
            if np.isnan(number):
                break
            if code < 0 or number != values[used + code]:
                if code >= 0 and not values[used + code] + GAP < number:
                    spaced[feature] = False
                code += 1
                values[used + code] = number
            keys[feature, row] = (code << shift) | y[row]
            known += 1
        size[feature] = code + 1
        used += code + 1
        gappy[feature] = known < order.shape[1]
        for place in range(known, order.shape[1]):
            row = order[slot, place]
            keys[feature, row] = ((code + 1) << shift) | y[row]


@compiled
def key_levels(codes: Any, levels: Any, y: Any, shift: Any, keys: Any) -> Any:
    """Keys of a nominal feature; returns whether some value is missing."""
    gappy = False
    for row in range(codes.shape[0]):
        code = codes[row]
        if code < 0:
            code, gappy = levels, True
        keys[row] = (code << shift) | y[row]
    return gappy


class Pool(NamedTuple):
    """Rows whose values may be thresholds: those in ``rows``, which are ``present``; ``order`` has all by value."""

    numbers: Array
    order: Ints
    rows: Any
    present: Flags


class Sample(NamedTuple):
    """``rows`` are learnt from, with their ``weights``; all else has a place for each row of the table.

    ``classes`` is the number of classes among the rows, ``averaged`` which features enter the average gain.
    """

    features: Features
    cases: Cases
    y: Ints
    coded: Coded
    rows: Any
    weights: Array
    classes: int
    averaged: Flags
    pool: Pool


def sample_of(training: Training) -> Sample:
    """All rows of a training set."""
    table = coded(training.features, training.cases, training.y, training.classes)
    order = table.order
    if training.all_numbers is not training.cases.numbers:  # rows are held out
        order = np.argsort(training.all_numbers, axis=1).astype(np.int32)
    everybody = np.arange(training.all_numbers.shape[1])
    pool = Pool(training.all_numbers, order, everybody, np.ones(len(everybody), np.bool_))
    rows = everybody[: len(training.y)]
    return Sample(
        training.features,
        training.cases,
        training.y,
        table,
        rows,
        training.weights,
        training.classes,
        training.averaged,
        pool,
    )


def kept_in_order(table: Coded, features: Features) -> Any:
    """The rows by value, for the features with many values."""
    return table.order[features.slot[table.line >= 0]].astype(np.uint32)
