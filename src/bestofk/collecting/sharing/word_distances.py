"""Distances of two kinds of rows in one fold, and what a fold trains on, as compiled loops (extra ``fast``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.collecting.sharing.fold_words import ONE
from bestofk.collecting.sharing.neighbour_loops import STRIDE, _quick, numba

# Inlined before compilation: a call with so many arrays would cost more than what it does.
_inlined = numba.njit(inline="always")


def _between_known(table: Any, number: Any, level: Any, fold: int, i: int, j: int, limit: float) -> float:
    """The same where nothing is filled in."""
    numbers, levels = table
    total, start, columns = 0.0, 0, numbers.shape[1]
    while start < columns and total <= limit:
        stop = min(start + STRIDE, columns)
        for f in range(start, stop):
            apart = numbers[i, f] - numbers[j, f]
            total += number[fold, f] * apart * apart
        start = stop
    for g in range(levels.shape[1]):
        one, other = levels[i, g], levels[j, g]
        if one != other:
            total += level[fold, one] + level[fold, other]
    return total


between_known: Any = _inlined(_between_known)


def _between(
    table: Any, number: Any, level: Any, filled: Any, modes: Any, fold: int, i: int, j: int, limit: float
) -> float:
    """The squared distance of two kinds in a fold, or something above the limit."""
    numbers, levels = table
    total, start, columns = 0.0, 0, numbers.shape[1]
    while start < columns and total <= limit:
        stop = min(start + STRIDE, columns)
        for f in range(start, stop):
            a, b = numbers[i, f], numbers[j, f]
            apart = (filled[fold, f] if np.isnan(a) else a) - (filled[fold, f] if np.isnan(b) else b)
            total += number[fold, f] * apart * apart
        start = stop
    for g in range(levels.shape[1]):
        one, other = levels[i, g], levels[j, g]
        if one != other:
            one, other = modes[fold, g] if one < 0 else one, modes[fold, g] if other < 0 else other
            if one != other:
                total += level[fold, one] + level[fold, other]
    return total


between: Any = _inlined(_between)


def _trained(kind: int, members: Any, y: Any, words: Any, w: int, place: Any) -> Any:
    """The lowest training row of a kind, and whether its training rows differ in class."""
    starts, rows = members
    lowest, mixed = np.int64(-1), False
    for at in range(starts[kind], starts[kind + 1]):
        row = rows[at]
        if (words[w, row] >> place) & ONE:
            if lowest < 0:
                lowest = row
            elif y[row] != y[lowest]:
                mixed = True
    return lowest, mixed


trained: Any = _inlined(_trained)


def _constant_part(table: Any, told: Any, low: Any, number: Any, level: Any, i: int, j: int) -> Any:
    """What columns that are constant in the training rows add to every distance of i: to bounds, and in the fold.

    Row j is any training row: all have the same there.
    """
    numbers, levels = table
    told_number, told_level = told
    low_number, low_level = low
    bound, own = 0.0, 0.0
    for f in range(numbers.shape[1]):
        apart = numbers[i, f] - numbers[j, f]
        if not told_number[f] and low_number[f] > 0 and not np.isnan(apart):
            bound += low_number[f] * apart * apart
            own += number[f] * apart * apart
    for g in range(levels.shape[1]):
        one, other = levels[i, g], levels[j, g]
        if one != other and one >= 0 and other >= 0:
            for each in (one, other):
                if not told_level[each] and low_level[each] > 0:
                    bound += low_level[each]
                    own += level[each]
    return bound, own


constant_part: Any = _quick(_constant_part)
