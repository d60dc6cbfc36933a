"""Lists of near kinds as compiled loops (extra ``fast``): bounds of pairs with gaps, and the nearest by them."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.collecting.sharing.neighbour_loops import nearest_in_block, numba

#: Bounds are kept in single precision and must stay bounds.
BELOW, ABOVE = 1.0 - 1e-6, 1.0 + 1e-6


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


def _least_of(table: Any, chosen: Any, kinds: int) -> Any:
    """Least distances of some kinds to all."""
    out = np.empty((chosen.shape[0], kinds), dtype=np.float32)
    for line in range(chosen.shape[0]):
        for other in range(kinds):
            out[line, other] = pair(table, chosen[line], other)[0] * BELOW
    return out


def _nearest_pairwise(table: Any, length: int) -> Any:
    """The kinds with the smallest least distances, and what all others are at least as far as."""
    kinds = max(table[0].shape[0], table[1].shape[0])
    listed, beyond = np.empty((kinds, length), dtype=np.int32), np.empty(kinds)
    line, found = np.empty((1, kinds)), np.empty((1, length))
    for i in range(kinds):
        for j in range(kinds):
            line[0, j] = pair(table, i, j)[0]
        nearest_in_block(line, i, listed, found)
        beyond[i] = found[0, length - 1] * BELOW
    return listed, beyond


_compiled = numba.njit(cache=True, nogil=True)
bounds_of: Any = _compiled(_bounds_of)
least_of: Any = _compiled(_least_of)
nearest_pairwise: Any = _compiled(_nearest_pairwise)
