"""The nearest training row of every test row in many folds, 64 at a time, as compiled loops (extra ``fast``).

A word of the list walk answers for every fold in which all rows that may be nearest have one class. Of the others,
every candidate of the list is measured in all folds of a word at once, a lane for each, in single precision; where the
nearest other class is farther by more than that can round, the lane is answered. All else looks at exact distances,
one fold at a time.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.compiled import compiled, inlined, reordered
from bestofk.sharing.neighbours.fold_words import ONE, bits_set, lowest_bit
from bestofk.sharing.neighbours.loops import EQUAL, distance_between
from bestofk.sharing.neighbours.pair_distances import between, constant_part, trained

LANES = 64
#: Lanes up to which the rest of a word is left to exact distances.
FEW_LANES = 2
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


@reordered
def distances(i: int, j: int, table: Any, lanes: Any, w: int, gaps: bool, out: Any) -> None:
    """Squared distances of two kinds in 64 folds."""
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


@reordered
def nearer(hit: Any, absent: Any, code: Any, apart: Any, best: Any, second: Any, codes: Any) -> None:
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


@reordered
def lanes_above(best: Any, bound: Any) -> Any:
    """Lanes whose best distance is not below a bound."""
    out = np.uint64(0)
    for lane in range(LANES):
        out |= np.uint64(best[lane] >= bound) << np.uint64(lane)
    return out


@reordered
def in_word(i: int, w: int, wanted: Any, table: Any, lists: Any, lanes: Any, kinds: Any, more: Any, answer: Any) -> Any:
    """Answer for the folds of a word that are sure in single precision; returns the others."""
    listed, least, _, beyond = lists
    of_kind, pure, _ = kinds
    gaps, absent, (out, best, second, codes) = more
    far = np.float32(FAR)
    for lane in range(LANES):
        best[lane] = far if (wanted >> np.uint64(lane)) & ONE else 0.0
        second[lane], codes[lane] = far, -2
    opened, since, reach = wanted, 0, np.float32(beyond[i])
    for at in range(-1, listed.shape[1]):
        if since == 4 and at >= 0:
            # Lanes whose best is nearer than all that follow need no more; the last few are quicker one by one.
            since, bound = 0, least[i, at] * np.float32(1.0 - NEAR)
            opened = wanted & lanes_above(best, bound)
            if bits_set(opened) <= FEW_LANES:
                reach = bound
                break
        j = np.int64(listed[i, at]) if at >= 0 else np.int64(i)
        hit = opened & of_kind[w, j]
        if hit == 0:
            continue
        distances(i, j, table, lanes, w, gaps, out)
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


@inlined
def walk(i: int, w: int, tested: Any, spread: float, lists: Any, kinds: Any, answer: Any) -> Any:
    """Answer for the folds of a word in which one class is near; returns the other folds."""
    listed, least, most, beyond = lists
    of_kind, pure, differs = kinds
    left, unsure, length = tested, np.uint64(0), listed.shape[1]
    for at in range(-1, length):
        j = np.int64(listed[i, at]) if at >= 0 else np.int64(i)
        hit = left & of_kind[w, j]
        if hit == 0:
            continue
        left ^= hit
        code = pure[j]
        if code < 0:
            unsure |= hit
        else:
            cap, bad, closed = (most[i, at] if at >= 0 else 0.0) * spread, np.uint64(0), False
            for then in range(differs[i, at + 1], length):
                if least[i, then] > cap:
                    closed = True
                    break
                other = listed[i, then]
                if pure[other] != code:
                    bad |= of_kind[w, other]
                    if bad & hit == hit:  # no fold is left to be answered
                        break
            if not closed and beyond[i] <= cap:
                bad = hit
            bad &= hit
            unsure |= bad
            good = hit ^ bad
            while good != 0:
                bit = lowest_bit(good)
                good &= good - ONE
                answer[64 * w + np.int64(bit), i] = code
        if left == 0:
            break
    return unsure | left


#: Equally near rows that are remembered; where there are more, all training rows are compared again.
HELD = 16
#: Folds of a word that look at distances one by one; where there are more, all do side by side.
FEW = 3
#: Times the median of a word's spreads above which a fold looks at distances by itself.
CALM = 1.1


@inlined
def nearest_one(
    i: int, fold: int, reach: float, table: Any, lists: Any, weights: Any, kinds: Any, rows: Any, held: Any
) -> Any:
    """The nearest row of kind i in one fold, whether classes tie there, and how many kinds are equally near.

    Some row is known to be no farther than ``reach``, which may be infinite.
    """
    listed, least, most, beyond = lists
    number, level, filled, modes, lower, spread, told_number, told_level, lost, low, gaps, whole = weights
    of_kind, _, _ = kinds
    words, members, y = rows
    w, place = fold // 64, np.uint64(fold % 64)
    length, ratio = listed.shape[1], lower[fold]
    bound, own, open_constant = 0.0, 0.0, lost[fold]
    lines, in_order, whole_least, telling = whole
    line = lines[i]
    best, row, several, mixed, cap, found = np.inf, np.int64(-1), 0, False, np.inf, reach
    for phase in range(2):
        finished = False
        for at in range(-1 if phase == 0 else 0, length if phase == 0 else of_kind.shape[1]):
            limit, base = min(best, found) * (1.0 + EQUAL), 0.0
            j = np.int64(i)
            if phase == 1:
                j = np.int64(at)
                if line >= 0:
                    base = (whole_least[line, at] - bound) * ratio + own
                    if base > limit:
                        break
                    j = np.int64(in_order[line, at])
            elif at >= 0:
                if (least[i, at] - bound) * ratio + own > limit or least[i, at] > cap:
                    finished = True
                    break
                j = np.int64(listed[i, at])
            if (of_kind[w, j] >> place) & ONE == 0:
                continue
            if phase == 1 and line >= 0 and not gaps and not lost[fold]:
                # What a few columns add in the fold's own weights, before all of them are looked at.
                for place_of in range(telling.shape[1]):
                    f = telling[line, place_of]
                    step = table[0][i, f] - table[0][j, f]
                    base += (number[fold, f] - ratio * low[0][f]) * step * step
                if base > limit * (1.0 + EQUAL):
                    continue
            if open_constant and j != i:
                bound, own = constant_part(
                    table, (told_number[fold], told_level[fold]), low, number[fold], level[fold], i, j
                )
                open_constant = False
            if gaps:
                distance = between(table, number, level, filled, modes, fold, i, j, limit)
            else:
                distance = distance_between(table[0], table[1], number[fold], level[fold], i, j, limit)
            if phase == 0:
                cap = min(cap, (most[i, at] if at >= 0 else 0.0) * spread[fold])
            if distance > limit:
                continue
            lowest, several_classes = trained(j, members, y, words, w, place)
            if row < 0 or distance < best * (1.0 - EQUAL):
                best, row, several, mixed = distance, lowest, 0, several_classes
            else:
                mixed = mixed or several_classes or y[lowest] != y[row]
                best, row = min(best, distance), min(row, lowest)
            if several < HELD:
                held[several] = lowest
            several += 1
        if phase == 0:
            if finished or (beyond[i] - bound) * ratio + own > best * (1.0 + EQUAL) or beyond[i] > cap:
                break
            found = min(found, best)  # what all rows are searched for is no farther
            best, row, several, mixed = np.inf, np.int64(-1), 0, False
    return row, mixed, several


@reordered
def search_words(
    table: Any, lists: Any, weights: Any, lanes: Any, more: Any, kinds: Any, rows: Any, tests: Any, answer: Any
) -> Any:
    """Fill in the class of every tested kind, (folds, kinds); returns ties and what rounding might decide.

    ``tests``: words of tested kinds and of tested rows. What rounding might decide: fold, kind, and equally near rows,
    first -1 where they are too many to be told.
    """
    of_kind, _, _ = kinds
    _, members, y = rows
    kinds_tested, rows_tested = tests
    folds, ties = answer.shape[0], np.zeros(answer.shape[0], dtype=np.int64)
    room = 1024
    open_places, open_rows = np.empty((room, 2), dtype=np.int64), np.empty((room, HELD), dtype=np.int64)
    held, count, looked = np.empty(HELD, dtype=np.int64), 0, 0
    lower, lost, best = weights[4], weights[8], more[2][1]
    for w in range(of_kind.shape[0]):
        spreads = weights[5][64 * w : min(64 * w + 64, folds)]
        # A fold whose weights are far from all others' would loosen the bounds of its whole word.
        spread, wild = min(CALM * np.median(spreads), spreads.max()) * (1.0 + EQUAL), np.uint64(0)
        for lane in range(spreads.shape[0]):
            wild |= np.uint64(spreads[lane] > spread) << np.uint64(lane)
        for i in range(of_kind.shape[1]):
            tested = kinds_tested[w, i]
            if tested == 0:
                continue
            calm = tested & ~wild
            unsure = tested ^ calm
            if calm != 0:
                unsure |= walk(i, w, calm, spread, lists, kinds, answer)
            together = unsure & ~lanes[4][w]
            measured = bits_set(together) > FEW
            if measured:
                unsure ^= together ^ in_word(i, w, together, table, lists, lanes, kinds, more, answer)
            while unsure != 0:
                bit = lowest_bit(unsure)
                unsure &= unsure - ONE
                fold = 64 * w + np.int64(bit)
                looked += 1
                reach = np.inf
                if measured and not lost[fold] and best[bit] < FAR:
                    reach = best[bit] * lower[fold] * (1.0 + NEAR)
                row, mixed, several = nearest_one(i, fold, reach, table, lists, weights, kinds, rows, held)
                answer[fold, i] = y[row]
                if not mixed:
                    continue
                for at in range(members[0][i], members[0][i + 1]):
                    ties[fold] += np.int64((rows_tested[w, members[1][at]] >> bit) & ONE)
                if several > 1:
                    if count == room:
                        wider_places, wider_rows = (
                            np.empty((2 * room, 2), np.int64),
                            np.empty((2 * room, HELD), np.int64),
                        )
                        wider_places[:room], wider_rows[:room] = open_places, open_rows
                        open_places, open_rows, room = wider_places, wider_rows, 2 * room
                    open_places[count, 0], open_places[count, 1] = fold, i
                    for t in range(HELD):
                        open_rows[count, t] = held[t] if t < several else held[0]
                    if several > HELD:
                        open_rows[count, 0] = -1
                    count += 1
    return ties, open_places[:count], open_rows[:count], looked


@compiled
def answers(answer: Any, kind: Any, tests: Any, starts: Any) -> Any:
    """Class codes of the test rows, fold after fold."""
    out = np.empty(tests.shape[0], dtype=np.intp)
    for fold in range(starts.shape[0] - 1):
        line = answer[fold]
        for place in range(starts[fold], starts[fold + 1]):
            out[place] = line[kind[tests[place]]]
    return out
