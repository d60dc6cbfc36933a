"""The nearest training row in 64 folds at a time where no fold changes distances, as compiled loops (extra ``fast``).

Classes of a word of folds are held as planes: word b of a row has binary digit b of the class in every fold.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.collecting.sharing.fold_words import ONE
from bestofk.collecting.sharing.lowest_bit import lowest_bit
from bestofk.collecting.sharing.neighbour_loops import EQUAL, numba

_compiled = numba.njit(cache=True, nogil=True)


def _squared_distance(rows: Any, i: int, j: int) -> float:
    """Column after column, as trees of scikit-learn do."""
    total = 0.0
    for f in range(rows.shape[1]):
        apart = rows[i, f] - rows[j, f]
        total += apart * apart
    return total


squared_distance: Any = _compiled(_squared_distance)


def _cutoff(line: Any, length: int, held: Any) -> Any:
    """The distance of the nearest row but so many."""
    count, last = 0, np.inf
    for other in range(line.shape[0]):
        distance = line[other]
        if distance < last:
            place = count if count < length else length - 1
            count = min(count + 1, length)
            while place > 0 and held[place - 1] > distance:
                held[place] = held[place - 1]
                place -= 1
            held[place] = distance
            if count == length:
                last = held[length - 1]
    return held[length - 1]


cutoff: Any = _compiled(_cutoff)


def _in_order(near: Any, distances: Any) -> None:
    """Sort by distance, and rows that are equally near but for rounding by number."""
    if near.shape[0] > 300:
        order = np.argsort(distances, kind="mergesort")
        near[:], distances[:] = near[order], distances[order]
    for k in range(1, near.shape[0]):
        row, distance, place = near[k], distances[k], k
        while place > 0 and distances[place - 1] > distance:
            near[place], distances[place] = near[place - 1], distances[place - 1]
            place -= 1
        near[place], distances[place] = row, distance
    begin = 0
    for k in range(1, near.shape[0] + 1):
        if k == near.shape[0] or distances[k] > distances[k - 1] * (1.0 + EQUAL):
            for later in range(begin + 1, k):
                if near[later] < near[later - 1]:
                    near[begin:k] = np.sort(near[begin:k])
                    break
            begin = k


in_order: Any = _compiled(_in_order)


def _marked(near: Any, distances: Any, y: Any, rounding: float, reach: float, ends: Any) -> int:
    """Write where classes mix among equally near rows, by places in the list; the length that is surely complete."""
    begin, mixed, complete = 0, False, 0
    for k in range(1, near.shape[0] + 1):
        if k < near.shape[0] and distances[k] <= distances[k - 1] * (1.0 + EQUAL) + rounding:
            mixed = mixed or y[near[k]] != y[near[begin]]
            continue
        if mixed:
            ends[begin] = k
        if k < near.shape[0] or distances[k - 1] * (1.0 + EQUAL) + rounding <= reach:
            complete = k
        begin, mixed = k, False
    return complete


marked: Any = _compiled(_marked)


def _near_in_block(
    distances: Any, first: int, length: int, rows: Any, y: Any, rounding: Any, unsure: Any
) -> Any:
    """Lengths of the lists of some rows, the lists one after the other, and where mixed classes in them end."""
    lines, count = distances.shape[0], distances.shape[1]
    room = lines * (length + 8) + count
    near, ends, lengths = np.empty(room, np.int32), np.zeros(room, np.int64), np.empty(lines, np.int64)
    held, exact, at = np.empty(length), np.empty(count), 0
    for line in range(lines):
        i = first + line
        limit = cutoff(distances[line], length, held) * (1.0 + 4.0 * EQUAL) + 4.0 * unsure[i]
        if at + count > room:
            near, ends = np.append(near, np.empty(room, np.int32)), np.append(ends, np.zeros(room, np.int64))
            room *= 2
        found = 0
        for j in range(count):
            if distances[line, j] <= limit:
                near[at + found] = j
                found += 1
        for k in range(found):
            exact[k] = squared_distance(rows, i, near[at + k])
        in_order(near[at : at + found], exact[:found])
        reach = np.inf if found == count else limit - unsure[i]
        ends[at : at + found] = 0
        lengths[line] = marked(near[at : at + found], exact[:found], y, rounding[i], reach, ends[at : at + found])
        for k in range(lengths[line]):
            ends[at + k] += at if ends[at + k] > 0 else 0
        at += lengths[line]
    return lengths, near[:at].copy(), ends[:at].copy()


near_in_block: Any = _compiled(_near_in_block)


def _by_all(i: int, lanes: Any, lists: Any, line: Any, y: Any, own: Any, apart: Any) -> Any:
    """Compare row i with all rows, for the folds whose training rows the list does not have; folds with a tie."""
    rows, rounding = lists[0], lists[4]
    tied = np.uint64(0)
    for j in range(rows.shape[0]):
        apart[j] = squared_distance(rows, i, j)
    while lanes != 0:
        bit = ONE << lowest_bit(lanes)
        lanes &= lanes - ONE
        best, row = np.inf, -1
        for j in range(rows.shape[0]):
            if line[j] & bit and apart[j] < best:
                best = apart[j]
        for j in range(rows.shape[0]):
            if line[j] & bit and apart[j] <= best * (1.0 + EQUAL) + rounding[i]:
                if row < 0 and apart[j] <= best * (1.0 + EQUAL):
                    row = j
        for j in range(rows.shape[0]):
            if line[j] & bit and apart[j] <= best * (1.0 + EQUAL) + rounding[i] and y[j] != y[row]:
                tied |= bit
        for b in range(own.shape[0]):
            if row >= 0 and (y[row] >> b) & 1:
                own[b] |= bit
    return tied


by_all: Any = _compiled(_by_all)


def _search(lists: Any, y: Any, trains: Any, folds: int, planes: Any, tied: Any) -> None:
    """Fill in the class of every row in every fold, and the folds in which equally near rows differ in class."""
    _, starts, near, ends, _ = lists
    digits = planes.shape[1]
    apart, own = np.empty(trains.shape[1]), np.zeros(digits, dtype=np.uint64)
    for w in range(trains.shape[0]):
        line, every = trains[w], ~np.uint64(0)
        if folds < 64 * w + 64:
            every = (ONE << np.uint64(folds - 64 * w)) - ONE
        for i in range(trains.shape[1]):
            left, ties, at, stop = every, np.uint64(0), starts[i], starts[i + 1]
            own[:] = 0
            while left != 0 and at < stop:
                end = ends[at]
                if end == 0:
                    hit = left & line[near[at]]
                    if hit != 0:
                        code = y[near[at]]
                        for b in range(digits):
                            own[b] |= hit if (code >> b) & 1 else np.uint64(0)
                        left ^= hit
                    at += 1
                    continue
                before = left
                while at < end and (before & ~ties) != 0:
                    code, trained = y[near[at]], before & line[near[at]]
                    hit, same = left & trained, trained
                    for b in range(digits):
                        own[b] |= hit if (code >> b) & 1 else np.uint64(0)
                        same &= own[b] if (code >> b) & 1 else ~own[b]
                    left ^= hit
                    ties |= trained ^ same
                    at += 1
                at = end
            if left != 0:
                ties |= by_all(i, left, lists, line, y, own, apart)
            tied[w, i] = ties
            for b in range(digits):
                planes[w, b, i] = own[b]


search: Any = _compiled(_search)


def _read(planes: Any, tied: Any, tests: Any, starts: Any, out: Any) -> int:
    """Class codes of the test rows, fold after fold; returns how many an exact tie left open."""
    ties, digits = np.uint64(0), planes.shape[1]
    for fold in range(starts.shape[0] - 1):
        w, bit = fold // 64, np.uint64(fold % 64)
        first, second, open_ones = planes[w, 0], planes[w, min(1, digits - 1)], tied[w]
        begin, stop = starts[fold], starts[fold + 1]
        if digits == 1:
            for place in range(begin, stop):
                out[place] = np.int64((first[tests[place]] >> bit) & ONE)
        else:
            for place in range(begin, stop):
                row = tests[place]
                out[place] = np.int64(((first[row] >> bit) & ONE) | (((second[row] >> bit) & ONE) << ONE))
        for b in range(2, digits):
            plane = planes[w, b]
            for place in range(begin, stop):
                out[place] |= np.int64(((plane[tests[place]] >> bit) & ONE) << np.uint64(b))
        for place in range(begin, stop):
            ties += (open_ones[tests[place]] >> bit) & ONE
    return np.int64(ties)


read: Any = _compiled(_read)
