"""Entropies in parts: w log2 w."""

from __future__ import annotations

import math
from typing import Any

from bestofk.design.c45.compiled.compiling import compiled
from bestofk.design.c45.margins import CEILING, SHARE_OF_CLASS, SMALL


@compiled
def bits(weight: Any) -> Any:
    """w log2 w; 0 for what is no weight at all."""
    return 0.0 if weight < SMALL else weight * math.log2(weight)


@compiled
def gain_of(saved: Any, known: Any, total: Any) -> Any:
    """Bits saved per row; rows whose value is missing save nothing."""
    saved = saved * (known / total)
    return 0.0 if saved < SMALL else saved / known


@compiled
def ratio_of(gain: Any, question: Any, total: Any) -> Any:
    """Gain per bit of the question itself."""
    return 0.0 if question < SMALL else gain / (question / total)


@compiled
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
