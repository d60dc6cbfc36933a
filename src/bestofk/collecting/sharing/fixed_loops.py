"""Lists of near rows where no fold changes distances, as compiled loops (extra ``fast``)."""

from __future__ import annotations

from typing import Any

import numpy as np

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
    """Write where equally near rows of mixed classes, and else rows of one class, end; the length that is complete."""
    begin, mixed, complete, run = 0, False, 0, 0
    for k in range(1, near.shape[0] + 1):
        if k < near.shape[0] and distances[k] <= distances[k - 1] * (1.0 + EQUAL) + rounding:
            mixed = mixed or y[near[k]] != y[near[begin]]
            continue
        if k == near.shape[0] and distances[k - 1] * (1.0 + EQUAL) + rounding > reach:
            break  # more rows may be as near as these
        if mixed or (begin > run and y[near[begin]] != y[near[run]]):
            ends[run:begin], run = begin, begin
        if mixed:
            ends[begin], run = -k, k
        complete, begin, mixed = k, k, False
    ends[run:complete] = complete
    return complete


marked: Any = _compiled(_marked)


def _near_in_block(distances: Any, first: int, length: int, rows: Any, y: Any, rounding: Any, unsure: Any) -> Any:
    """Lengths of the lists of some rows, the lists one after the other, and where mixed classes in them end."""
    lines, count = distances.shape[0], distances.shape[1]
    room = lines * (length + 8) + count
    near, ends, lengths = np.empty(room, np.int32), np.empty(room, np.int64), np.empty(lines, np.int64)
    held, exact, at = np.empty(length), np.empty(count), 0
    for line in range(lines):
        i = first + line
        limit = cutoff(distances[line], length, held) * (1.0 + 4.0 * EQUAL) + 4.0 * unsure[i]
        if at + count > room:
            near, ends = np.append(near, np.empty(room, np.int32)), np.append(ends, np.empty(room, np.int64))
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
        lengths[line] = marked(near[at : at + found], exact[:found], y, rounding[i], reach, ends[at : at + found])
        for k in range(at, at + lengths[line]):
            ends[k] += at if ends[k] > 0 else -at
        at += lengths[line]
    return lengths, near[:at].copy(), ends[:at].copy()


near_in_block: Any = _compiled(_near_in_block)
