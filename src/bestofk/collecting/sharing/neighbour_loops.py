"""Search for the nearest training rows of a fold along the shared lists, as compiled loops (extra ``fast``).

Rows that are equal in every column are one *kind*; lists and distances are those of kinds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need

numba = need("numba", purpose="the compiled search for neighbours")

#: Squared distances that differ by this share of themselves count as equal here; rounding might decide between them.
EQUAL = 1e-10
#: Columns summed before a distance is compared with the best so far.
STRIDE = 16

# Sums may be taken in another order, so that they run in vector registers; what that could decide is told.
_quick = numba.njit(cache=True, nogil=True, fastmath={"reassoc", "nsz", "contract"})


def _nearest_in_block(distances: Any, first: int, listed: Any, bounds: Any) -> None:
    length = listed.shape[1]
    near, which = np.empty(length), np.empty(length, dtype=np.int32)
    for line in range(distances.shape[0]):
        row, count, last = first + line, 0, np.inf
        for other in range(distances.shape[1]):
            distance = distances[line, other]
            if distance < last and other != row:
                place = count if count < length else length - 1
                count = min(count + 1, length)
                while place > 0 and near[place - 1] > distance:
                    near[place], which[place] = near[place - 1], which[place - 1]
                    place -= 1
                near[place], which[place] = distance, other
                if count == length:
                    last = near[length - 1]
        bounds[line], listed[row] = near, which


def _tally(train: Any, kind: Any, y: Any, kinds: int) -> Any:
    """Training rows of each kind, the lowest of them, and whether they differ in class."""
    times, lowest = np.zeros(kinds, dtype=np.int32), np.full(kinds, len(kind), dtype=np.int64)
    mixed = np.zeros(kinds, dtype=np.bool_)
    for place in range(train.shape[0]):
        row = train[place]
        own = kind[row]
        if times[own] > 0 and y[lowest[own]] != y[row]:
            mixed[own] = True
        times[own] += 1
        lowest[own] = min(lowest[own], row)
    return times, lowest, mixed


def _spreads(numbers: Any, levels: Any, times: Any, level_count: int) -> Any:
    """Means and variances of the numbers, and how often each level occurs, over training rows."""
    columns = numbers.shape[1]
    mean, variance, total = np.zeros(columns), np.zeros(columns), 0
    counts = np.zeros(level_count, dtype=np.int64)
    for own in range(numbers.shape[0]):
        if times[own] > 0:
            total += times[own]
            for f in range(columns):
                mean[f] += times[own] * numbers[own, f]
            for g in range(levels.shape[1]):
                counts[levels[own, g]] += times[own]
    mean /= max(total, 1)
    for own in range(numbers.shape[0]):
        if times[own] > 0:
            for f in range(columns):
                apart = numbers[own, f] - mean[f]
                variance[f] += times[own] * apart * apart
    return mean, variance / max(total, 1), counts


def _distance(numbers: Any, levels: Any, number: Any, level: Any, i: int, j: int, limit: float) -> float:
    """The squared distance of two kinds, or something above the limit."""
    total, start, columns = 0.0, 0, numbers.shape[1]
    while start < columns and total <= limit:
        stop = min(start + STRIDE, columns)
        for f in range(start, stop):
            apart = numbers[i, f] - numbers[j, f]
            total += number[f] * apart * apart
        start = stop
    start = 0
    while start < levels.shape[1] and total <= limit:
        stop = min(start + STRIDE // 2, levels.shape[1])
        for g in range(start, stop):  # no branch: which categories differ cannot be foreseen
            one, other = levels[i, g], levels[j, g]
            total += (one != other) * (level[one] + level[other])
        start = stop
    return total


nearest_in_block: Any = numba.njit(cache=True, nogil=True)(_nearest_in_block)
tally: Any = _quick(_tally)
spreads: Any = _quick(_spreads)
# Inlined before compilation: a call with so many arrays would cost more than a short distance.
distance_between: Any = numba.njit(inline="always")(_distance)


def _first_nearest(rows: Any, train: Any, equals: Any) -> Any:
    """The plain way itself, distances to the last bit: the first of the nearest training rows, by its place.

    ``equals`` are places that are nearest but for rounding, or -1 first where they are too many to be told.
    """
    answer = np.empty(rows.shape[0], dtype=np.intp)
    for line in range(rows.shape[0]):
        told = equals[line, 0] >= 0
        best, nearest = np.inf, train.shape[0]
        for candidate in range(equals.shape[1] if told else train.shape[0]):
            j = equals[line, candidate] if told else candidate
            total = 0.0
            for f in range(train.shape[1]):
                apart = rows[line, f] - train[j, f]
                total += apart * apart
                if total > best:
                    break
            if total < best or (total == best and j < nearest):
                best, nearest = total, j
        answer[line] = nearest
    return answer


first_nearest: Any = numba.njit(cache=True, nogil=True)(_first_nearest)
