"""Lists of near kinds as compiled loops (extra ``fast``): the nearest of a block, and bounds of pairs with gaps."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need

numba = need("numba", purpose="the compiled lists of neighbours")

#: Bounds are kept in single precision and must stay bounds.
BELOW, ABOVE = 1.0 - 1e-6, 1.0 + 1e-6


def _nearest_of_block(distances: Any, first: int, listed: Any, last_of: Any) -> None:
    """Which entries of each line are smallest, without the line's own, and the largest of them."""
    length = listed.shape[1]
    near, which = np.empty(length, dtype=distances.dtype), np.empty(length, dtype=np.int32)
    for line in range(distances.shape[0]):
        row, count, last = first + line, 0, np.float32(np.inf)
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
        listed[row], last_of[line] = which, near[length - 1]


def _pair(table: Any, i: int, j: int) -> Any:
    """Least and largest squared distance of two kinds over all that folds may fill in."""
    numbers, levels, weights, low, high, likely, span_least, span_most, several = table
    number_least, number_most, level_least, level_most = weights
    least, most = 0.0, 0.0
    for f in range(numbers.shape[1]):
        a, b = numbers[i, f], numbers[j, f]
        if np.isnan(a) and np.isnan(b):
            continue
        if np.isnan(a) or np.isnan(b):
            x = b if np.isnan(a) else a
            near = max(0.0, low[f] - x, x - high[f])
            far = max(abs(x - low[f]), abs(x - high[f]))
            least += number_least[f] * near * near
            most += number_most[f] * far * far
        else:
            apart = a - b
            least += number_least[f] * apart * apart
            most += number_most[f] * apart * apart
    for g in range(levels.shape[1]):
        one, other = levels[i, g], levels[j, g]
        if one == other:
            continue
        if one >= 0 and other >= 0:
            least += level_least[one] + level_least[other]
            most += level_most[one] + level_most[other]
            continue
        known = max(one, other)
        if not likely[known]:
            least += level_least[known] + span_least[g]
        if not likely[known] or several[g] > 1:
            most += level_most[known] + span_most[g]
    return least, most


pair: Any = numba.njit(cache=True, nogil=True)(_pair)


def _bounds_of(table: Any, listed: Any) -> Any:
    least, most = np.empty(listed.shape, dtype=np.float32), np.empty(listed.shape, dtype=np.float32)
    for i in range(listed.shape[0]):
        for place in range(listed.shape[1]):
            low, high = pair(table, i, listed[i, place])
            least[i, place], most[i, place] = low * BELOW, high * ABOVE
    return least, most


def _nearest_pairwise(table: Any, length: int) -> Any:
    """The kinds with the smallest least distances, and what all others are at least as far as."""
    kinds = max(table[0].shape[0], table[1].shape[0])
    listed, beyond = np.empty((kinds, length), dtype=np.int32), np.empty(kinds)
    line, found = np.empty((1, kinds)), np.empty(1)
    for i in range(kinds):
        for j in range(kinds):
            line[0, j] = pair(table, i, j)[0]
        nearest_in_line(line, i, listed, found)
        beyond[i] = found[0] * BELOW
    return listed, beyond


_compiled = numba.njit(cache=True, nogil=True)
nearest_of_block: Any = _compiled(_nearest_of_block)
nearest_in_line: Any = nearest_of_block
bounds_of: Any = _compiled(_bounds_of)
nearest_pairwise: Any = _compiled(_nearest_pairwise)
