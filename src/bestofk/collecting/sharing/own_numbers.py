"""Distances to the last bit, as bestofk's own nearest neighbours has them, as compiled loops (extra ``fast``).

Only rows that are equally near but for rounding come here. Means and deviations are summed in the order in which
``design.encoding`` sums them: the first row, then the others in pairs of halves, as numpy's sums do.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from bestofk.collecting.sharing.fold_words import ONE, numba
from bestofk.design.encoding.encoder import ROUNDING, standardise


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


def _mean_and_scale(values: Any) -> Any:
    """Mean and deviation of a column of training rows, which is overwritten; 1 for a constant column."""
    count = values.shape[0]
    mean = (values[0] + in_pairs(values, 1, count - 1)) / count
    for place in range(count):
        values[place] -= mean
        values[place] *= values[place]
    scale = np.sqrt((values[0] + in_pairs(values, 1, count - 1)) / count)
    return mean, 1.0 if scale <= ROUNDING * abs(mean) else scale


mean_and_scale: Any = numba.njit(cache=True, nogil=True)(_mean_and_scale)


def _level_part(level: int, feature: int, codes: Any, mode: int, train: Any, room: Any, scaled: bool) -> Any:
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


level_part: Any = numba.njit(cache=True, nogil=True)(_level_part)


def _own_nearest(places: Any, equals: Any, data: Any, learnt: Any, words: Any, kind_rows: Any, level_count: int) -> Any:
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


own_nearest: Any = numba.njit(cache=True, nogil=True)(_own_nearest)


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
