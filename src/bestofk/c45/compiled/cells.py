"""Rows counted by code and class, or sorted by them, and what is missing taken off."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.c45.compiled.compiling import compiled, inlined


@inlined
def count_cells(keys: Any, rows: Any, cells: Any, numbers: Any) -> Any:
    """How many rows have each key."""
    for cell in range(cells):
        numbers[cell] = 0
    for row in rows:
        numbers[keys[row]] += 1


@compiled
def count_thin(cells: Any, starts: Any, rows: Any, numbers: Any) -> Any:
    """Count all thin features at once, but for their usual values."""
    if cells.shape[0] == 0:
        return
    for cell in range(numbers.shape[0]):
        numbers[cell] = 0
    for row in rows:
        for place in range(starts[row], starts[np.int64(row) + 1]):
            numbers[cells[place]] += 1


@inlined
def count_usual(numbers: Any, size: Any, shift: Any, usual: Any, above: Any) -> Any:
    """The usual value has what the others leave."""
    if above.shape[0] == 2:
        zeros, ones = 0, 0
        for code in range(size + 1):
            zeros += numbers[np.uint64(2 * code)]
            ones += numbers[np.uint64(2 * code + 1)]
        numbers[2 * usual], numbers[2 * usual + 1] = above[0] - zeros, above[1] - ones
        return
    for label in range(above.shape[0]):
        others = 0
        for code in range(size + 1):
            others += numbers[np.uint64((code << shift) + label)]
        numbers[(usual << shift) + label] = above[label] - others


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
