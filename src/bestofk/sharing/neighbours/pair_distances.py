"""Distances of two kinds of rows, and bounds of them over all folds, as compiled loops (extra ``fast``).

Rows that are equally near but for rounding get distances to the last bit, as bestofk's own nearest neighbours has them.
Means and deviations are then summed in the order in which ``design.encoding`` sums them: the first row, then the others
in pairs of halves, as numpy's sums do.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from bestofk.core.compiled import compiled, inlined, reordered
from bestofk.design.encoding.encoder import ROUNDING, standardise
from bestofk.sharing.neighbours.fold_words import ONE, numba
from bestofk.sharing.neighbours.loops import STRIDE, nearest_in_block

#: Bounds are kept in single precision and must stay bounds.
BELOW, ABOVE = 1.0 - 1e-6, 1.0 + 1e-6


@compiled
def pair(table: Any, i: int, j: int) -> Any:
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


@compiled
def bounds_of(table: Any, listed: Any) -> Any:
    """Least and largest distances to the kinds of every list."""
    least, most = np.empty(listed.shape, dtype=np.float32), np.empty(listed.shape, dtype=np.float32)
    for i in range(listed.shape[0]):
        for place in range(listed.shape[1]):
            low, high = pair(table, i, listed[i, place])
            least[i, place], most[i, place] = low * BELOW, high * ABOVE
    return least, most


@compiled
def least_of(table: Any, chosen: Any, kinds: int) -> Any:
    """Least distances of some kinds to all."""
    out = np.empty((chosen.shape[0], kinds), dtype=np.float32)
    for line in range(chosen.shape[0]):
        for other in range(kinds):
            out[line, other] = pair(table, chosen[line], other)[0] * BELOW
    return out


@compiled
def nearest_pairwise(table: Any, length: int) -> Any:
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


@compiled
def first_different(listed: Any, pure: Any) -> Any:
    """For a kind and every place of its list, the next place of another class, (kinds, 1 + length)."""
    kinds, length = listed.shape
    out = np.empty((kinds, length + 1), dtype=np.int16)
    for i in range(kinds):
        out[i, length] = length
        for at in range(length - 1, -1, -1):
            before = i if at == 0 else listed[i, at - 1]
            same = pure[listed[i, at]] == pure[before]
            out[i, at] = out[i, at + 1] if same else at
    return out


@inlined
def between(
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


@inlined
def trained(kind: int, members: Any, y: Any, words: Any, w: int, place: Any) -> Any:
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


@reordered
def constant_part(table: Any, told: Any, low: Any, number: Any, level: Any, i: int, j: int) -> Any:
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


@numba.njit(  # type: ignore[untyped-decorator]
    [numba.float64(numba.float64[::1], numba.int64, numba.int64)], cache=True, nogil=True
)
def in_pairs(values: Any, start: int, count: int) -> Any:
    """The sum as numpy takes it."""
    if count < 8:
        total = -0.0
        for place in range(start, start + count):
            total += values[place]
        return total
    if count <= 128:
        a, b, c, d = values[start], values[start + 1], values[start + 2], values[start + 3]
        e, f, g, h = values[start + 4], values[start + 5], values[start + 6], values[start + 7]
        place, stop = start + 8, start + count - count % 8
        while place < stop:
            a, b, c, d = a + values[place], b + values[place + 1], c + values[place + 2], d + values[place + 3]
            e, f, g, h = e + values[place + 4], f + values[place + 5], g + values[place + 6], h + values[place + 7]
            place += 8
        total = ((a + b) + (c + d)) + ((e + f) + (g + h))
        for rest in range(place, start + count):
            total += values[rest]
        return total
    half = count // 2
    half -= half % 8
    return in_pairs(values, start, half) + in_pairs(values, start + half, count - half)


@compiled
def mean_and_scale(values: Any) -> Any:
    """Mean and deviation of a column of training rows, which is overwritten; 1 for a constant column."""
    count = values.shape[0]
    mean = (values[0] + in_pairs(values, 1, count - 1)) / count
    for place in range(count):
        values[place] -= mean
        values[place] *= values[place]
    scale = np.sqrt((values[0] + in_pairs(values, 1, count - 1)) / count)
    return mean, 1.0 if scale <= ROUNDING * abs(mean) else scale


@compiled
def level_part(level: int, feature: int, codes: Any, mode: int, train: Any, room: Any, scaled: bool) -> Any:
    """What a category adds to the squared distance of a row that has it and one that has not; 0 if it is unseen."""
    count = 0
    for place in range(train.shape[0]):
        own = codes[train[place], feature]
        is_it = (mode if own < 0 else own) == level
        room[place] = 1.0 if is_it else 0.0
        count += is_it
    if count == 0:
        return 0.0
    if not scaled:
        return 1.0
    mean, scale = mean_and_scale(room[: train.shape[0]])
    apart = (1.0 - mean) / scale - (0.0 - mean) / scale
    return apart * apart


@compiled
def own_nearest(places: Any, equals: Any, data: Any, learnt: Any, words: Any, kind_rows: Any, level_count: int) -> Any:
    """The first of the nearest training rows for every (fold, kind); folds that are alike must follow one another.

    ``data``: numbers, levels numbered through or -1, the order of the features (numbers from 0, nominal ones from -1
    downwards), and whether columns are scaled. ``learnt``: medians and modes of each fold.
    """
    numbers, codes, order, scaled = data
    medians, modes = learnt
    answer, now = np.empty(places.shape[0], dtype=np.int64), np.int64(-1)
    columns = numbers.shape[1]
    mean, scale, room = np.zeros(columns), np.ones(columns), np.empty(numbers.shape[0])
    part, train = np.empty(level_count + 1), np.empty(numbers.shape[0], dtype=np.int64)
    count = 0
    for each in range(places.shape[0]):
        fold, own = places[each, 0], kind_rows[places[each, 1]]
        if fold != now:
            now, count = fold, 0
            for row in range(numbers.shape[0]):
                if (words[fold // 64, row] >> np.uint64(fold % 64)) & ONE:
                    train[count] = row
                    count += 1
            part[:] = -1.0
            part[level_count] = 0.0
            for f in range(columns if scaled else 0):
                for place in range(count):
                    value = numbers[train[place], f]
                    room[place] = medians[fold, f] if np.isnan(value) else value
                mean[f], scale[f] = mean_and_scale(room[:count])
        told = equals[each, 0] >= 0
        best, nearest = np.inf, np.int64(-1)
        for candidate in range(equals.shape[1] if told else count):
            j = equals[each, candidate] if told else train[candidate]
            total = 0.0
            for feature in order:
                if feature >= 0:
                    a, b = numbers[own, feature], numbers[j, feature]
                    a = ((medians[fold, feature] if np.isnan(a) else a) - mean[feature]) / scale[feature]
                    b = ((medians[fold, feature] if np.isnan(b) else b) - mean[feature]) / scale[feature]
                    total += (a - b) * (a - b)
                    continue
                g = -1 - feature
                mode = np.int64(modes[fold, g])
                one, other = np.int64(codes[own, g]), np.int64(codes[j, g])
                one, other = mode if one < 0 else one, mode if other < 0 else other
                if one != other:
                    one, other = min(one, other), max(one, other)
                    if part[one] < 0:
                        part[one] = level_part(one, g, codes, mode, train[:count], room, scaled)
                    if part[other] < 0:
                        part[other] = level_part(other, g, codes, mode, train[:count], room, scaled)
                    total += part[one]
                    total += part[other]
            if total < best or (total == best and j < nearest):
                best, nearest = total, j
        answer[each] = nearest
    return answer


@cache
def sums_agree() -> bool:
    """Whether these sums are the last bit of those of ``design.encoding`` with the numpy that is there."""
    rng = np.random.default_rng(0)
    for rows, columns in ((5, 1), (90, 3), (777, 2), (1500, 1)):
        matrix = rng.normal(size=(rows, columns)) + 0.3
        mine = np.array([mean_and_scale(matrix[:, each].copy()) for each in range(columns)])
        mean, scale = standardise(matrix, np.array([rows]))
        if not (np.array_equal(mine[:, 0], mean[0]) and np.array_equal(mine[:, 1], scale[0])):
            return False
    return True
