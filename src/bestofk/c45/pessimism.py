"""Errors that a leaf must expect on new rows: the upper confidence limit of a binomial share (Quinlan, 1993)."""

from __future__ import annotations

import math


def added_errors(weight: float, errors: float, confidence: float, deviate: float) -> float:
    """How many errors to add to those seen among the training rows of a leaf.

    From one error on it is the normal limit with continuity correction; for none the exact limit; between, a straight
    line.

    Examples
    --------
    >>> round(added_errors(6.0, 0.0, 0.25, 0.6744897501960817), 3)  # Quinlan 1993, section 4.2: 6 × 0.206
    1.238
    """
    counted = max(errors, 1.0)
    if counted + 0.5 >= weight:
        added = max(weight - counted, 0.0)
    else:
        share, square = (counted + 0.5) / weight, deviate * deviate
        spread = math.sqrt(share / weight - share * share / weight + square / (4.0 * weight * weight))
        limit = (share + square / (2.0 * weight) + deviate * spread) / (1.0 + square / weight)
        added = limit * weight - counted
    if errors >= 1.0:
        return added
    none = weight * (1.0 - math.pow(confidence, 1.0 / weight))
    return none + errors * (added - none)
