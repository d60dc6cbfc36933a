"""The nearest class of one row in 64 folds side by side, as compiled loops (extra ``fast``).

Every candidate of the list is measured in all folds of a word at once, a lane for each, in single precision. Where the
nearest other class is farther by more than that can round, the lane is answered; all else is left to exact distances.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.collecting.sharing.fold_words import ONE
from bestofk.collecting.sharing.lowest_bit import bits_set
from bestofk.collecting.sharing.neighbour_loops import _quick

LANES = 64
#: Lanes up to which the rest of a word is left to exact distances.
FEW = 2
#: Share of a distance that single precision may be wrong by; distances and weights that it can hold.
NEAR, LEAST, LARGEST = 1e-4, 1e-30, 1e25
#: What a lane that does not train on a row adds to its distance: no distance reaches it.
FAR = 1e30
#: The same for the eight lanes of every byte.
ABSENT = np.where(np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little") == 1, 0.0, FAR)
ABSENT = ABSENT.astype(np.float32)


def in_lanes(values: Any) -> Any:
    """What folds have, (folds, columns), as (words, columns, 64) with zeros for lanes without a fold."""
    words = (len(values) + LANES - 1) // LANES
    out = np.zeros((words * LANES, values.shape[1]), dtype=values.dtype)
    out[: len(values)] = values
    return np.ascontiguousarray(out.reshape(words, LANES, -1).transpose(0, 2, 1))


def lane_weights(weights: Any, low: Any) -> Any:
    """Weights, fillings and modes of folds in lanes, over the least ratio to the list's, and lanes that cannot be used.

    Distances are then never below the list's least ones. A column that does not vary in the training rows adds the same
    to all distances of a row: there the list's own weight does.
    """
    split = weights.number.shape[1]
    told_number, told_level = weights.told[:, :split], np.pad(weights.told[:, split:], ((0, 0), (0, 1)))
    number = np.where(told_number, weights.number / weights.least[:, None], low[0]).astype(np.float32)
    level = np.where(told_level, weights.level / weights.least[:, None], low[1]).astype(np.float32)
    odd = ~((number <= LARGEST).all(axis=1) & (level <= LARGEST).all(axis=1))
    padded = np.ones((len(odd) + LANES - 1) // LANES * LANES, dtype=np.uint8)
    padded[: len(odd)] = odd
    closed = np.packbits(padded, bitorder="little").view(np.uint64)
    filled = weights.filled.astype(np.float32)
    return in_lanes(number), in_lanes(level), in_lanes(filled), in_lanes(weights.modes), closed


def _distances(i: int, j: int, table: Any, lanes: Any, w: int, gaps: bool, few: Any, out: Any) -> None:
    """Squared distances of two kinds in 64 folds; ``few`` are the levels they differ in, first -1 if not known."""
    numbers, levels = table
    number, level, filled, modes, _ = lanes
    columns = numbers.shape[1]
    out[:] = 0.0
    f = 0
    while f + 4 <= columns and not gaps:
        a, b = np.float32(numbers[i, f] - numbers[j, f]), np.float32(numbers[i, f + 1] - numbers[j, f + 1])
        c, d = np.float32(numbers[i, f + 2] - numbers[j, f + 2]), np.float32(numbers[i, f + 3] - numbers[j, f + 3])
        a, b, c, d = a * a, b * b, c * c, d * d
        for lane in range(LANES):
            first = a * number[w, f, lane] + b * number[w, f + 1, lane]
            out[lane] += first + (c * number[w, f + 2, lane] + d * number[w, f + 3, lane])
        f += 4
    while f < columns:
        x, y = numbers[i, f], numbers[j, f]
        if np.isnan(x) != np.isnan(y):
            known = np.float32(y if np.isnan(x) else x)
            for lane in range(LANES):
                apart = known - filled[w, f, lane]
                out[lane] += number[w, f, lane] * apart * apart
        elif not np.isnan(x):
            square = np.float32((x - y) * (x - y))
            for lane in range(LANES):
                out[lane] += number[w, f, lane] * square
        f += 1
    if few.shape[0] > 0 and few[0] >= 0:
        p, q, r, s = few[0], few[1], few[2], few[3]
        for lane in range(LANES):
            out[lane] += (level[w, p, lane] + level[w, q, lane]) + (level[w, r, lane] + level[w, s, lane])
        return
    for g in range(levels.shape[1]):
        p, q = levels[i, g], levels[j, g]
        if p == q:
            continue
        if p >= 0 and q >= 0:
            for lane in range(LANES):
                out[lane] += level[w, p, lane] + level[w, q, lane]
        else:
            own = max(p, q)
            for lane in range(LANES):
                if modes[w, g, lane] != own:
                    out[lane] += level[w, own, lane] + level[w, modes[w, g, lane], lane]


distances: Any = _quick(_distances)


def _nearer(hit: Any, absent: Any, code: Any, apart: Any, best: Any, second: Any, codes: Any) -> None:
    """Take a candidate of one class into account in the lanes that train on it."""
    for part in range(8):
        byte = np.int64((hit >> np.uint64(8 * part)) & np.uint64(255))
        for at in range(8):
            apart[8 * part + at] += absent[byte, at]
    for lane in range(LANES):
        distance, before, other = apart[lane], best[lane], second[lane]
        better, differs = distance < before, codes[lane] != code
        farther = before if better else distance
        least = farther if farther < other else other
        second[lane] = least if differs else other
        best[lane] = distance if better else before
        codes[lane] = code if better else codes[lane]


nearer: Any = _quick(_nearer)


def _lanes_above(best: Any, bound: Any) -> Any:
    """Lanes whose best distance is not below a bound."""
    out = np.uint64(0)
    for lane in range(LANES):
        out |= np.uint64(best[lane] >= bound) << np.uint64(lane)
    return out


lanes_above: Any = _quick(_lanes_above)


def _in_word(
    i: int, w: int, wanted: Any, table: Any, lists: Any, lanes: Any, kinds: Any, more: Any, answer: Any
) -> Any:
    """Answer for the folds of a word that are sure in single precision; returns the others."""
    listed, least, _, beyond = lists
    of_kind, pure, _ = kinds
    gaps, apart, absent, (out, best, second, codes) = more
    far, nothing = np.float32(FAR), apart[0, 0, :0] if apart.shape[0] > 0 else np.zeros(0, dtype=np.int32)
    for lane in range(LANES):
        best[lane] = far if (wanted >> np.uint64(lane)) & ONE else 0.0
        second[lane], codes[lane] = far, -2
    opened, since, reach = wanted, 0, np.float32(beyond[i])
    for at in range(-1, listed.shape[1]):
        if since == 4 and at >= 0:
            # Lanes whose best is nearer than all that follow need no more; the last few are quicker one by one.
            since, bound = 0, least[i, at] * np.float32(1.0 - NEAR)
            opened = wanted & lanes_above(best, bound)
            if bits_set(opened) <= FEW:
                reach = bound
                break
        j = np.int64(listed[i, at]) if at >= 0 else np.int64(i)
        hit = opened & of_kind[w, j]
        if hit == 0:
            continue
        known = apart[i, at] if at >= 0 and apart.shape[0] > 0 else nothing
        distances(i, j, table, lanes, w, gaps, known, out)
        nearer(hit, absent, np.int32(pure[j]), out, best, second, codes)
        since += 1
    left = wanted
    for lane in range(LANES):
        bit = ONE << np.uint64(lane)
        edge = best[lane] * np.float32(1.0 + NEAR) + np.float32(LEAST)
        if wanted & bit and codes[lane] >= 0 and second[lane] > edge and reach > edge:
            answer[LANES * w + lane, i] = codes[lane]
            left ^= bit
    return left


in_word: Any = _quick(_in_word)
