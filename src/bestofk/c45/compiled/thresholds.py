"""A threshold is a value of the training set: the largest that does not exceed the midpoint."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.c45.compiled.compiling import compiled
from bestofk.c45.margins import SMALL


@compiled
def largest_value(pool: Any, slot: Any, middle: Any) -> Any:
    """Find it among the rows of the pool; NaN sorts last."""
    numbers, order = pool.numbers[slot], pool.order[slot]
    found = _present_below(numbers, order, pool.present, middle + SMALL)
    following = _present_below(numbers, order, pool.present, numbers[order[found]])
    value = numbers[order[found]]
    if following < 0 or value - numbers[order[following]] > SMALL:
        return value
    # Of values that are equal up to the margin the first that J48 meets stays.
    largest = -np.inf
    for row in pool.rows:
        if numbers[row] - middle < SMALL and numbers[row] - largest > SMALL:
            largest = numbers[row]
    return largest


@compiled
def _present_below(numbers: Any, order: Any, present: Any, limit: Any) -> Any:
    """The last place of a row that is present and below the limit; -1 where there is none."""
    low, high = 0, order.shape[0]
    while low < high:
        place = (low + high) // 2
        if numbers[order[place]] < limit:
            low = place + 1
        else:
            high = place
    place = low - 1
    while place >= 0 and not present[order[place]]:
        place -= 1
    return place
