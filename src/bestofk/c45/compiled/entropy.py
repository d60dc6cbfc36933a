"""Entropies in parts: w log2 w."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from bestofk.c45.compiled.decorators import allocating, compiled, inlined
from bestofk.c45.rules import CEILING, SHARE_OF_CLASS, SMALL

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
