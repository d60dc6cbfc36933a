"""Votes of the k nearest training rows of every test row of a fold, as compiled loops (extra ``fast``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.collecting.sharing.neighbour_loops import EQUAL, _quick, distance_between


def _insert(near: Any, held: int, distance: float, times: int, votes: int) -> int:
    """Keep distances in order, up to the one at which the votes are complete."""
    distances, counts = near
    place = held
    while place > 0 and distances[place - 1] > distance:
        distances[place], counts[place] = distances[place - 1], counts[place - 1]
        place -= 1
    distances[place], counts[place] = distance, times
    held += 1
    total = 0
    for each in range(held):
        total += counts[each]
        if total >= votes:
            return each + 1
    return held


insert: Any = _quick(_insert)


def _gathered(i: int, kinds: Any, bounds: Any, skip: Any, fold: Any, table: Any, weights: Any, kept: Any) -> Any:
    """Distances of all kinds that may be among the nearest, the last of the votes, and whether the list sufficed."""
    times, votes = fold
    numbers, levels = table
    number, level, shrink = weights
    seen, distances, near = kept
    held, count, total, last = 0, 0, 0, np.inf
    for place in range(kinds.shape[0]):
        limit = last * (1.0 + EQUAL)
        if bounds.shape[0] > 0 and bounds[place] * shrink > limit:
            return count, last, True
        j = kinds[place]
        if times[j] > 0 and not skip[j]:
            distance = distance_between(numbers, levels, number, level, i, j, limit)
            if distance <= limit:
                seen[count], distances[count] = j, distance
                count += 1
                total += times[j]
                held = insert(near, held, distance, times[j], votes)
                if total >= votes:
                    last = near[0][held - 1]
    return count, last, False


gathered: Any = _quick(_gathered)


def _lowest_rows(edge: Any, left: int, members: Any, row_times: Any, y: Any, ballot: Any) -> None:
    """Give the votes that are left to the lowest rows of equally far kinds."""
    starts, rows = members
    at = np.zeros(edge.shape[0], dtype=np.int64)
    while left > 0:
        best, which = len(row_times), -1
        for e in range(edge.shape[0]):
            while at[e] < starts[edge[e] + 1] - starts[edge[e]] and row_times[rows[starts[edge[e]] + at[e]]] == 0:
                at[e] += 1
            if at[e] < starts[edge[e] + 1] - starts[edge[e]] and rows[starts[edge[e]] + at[e]] < best:
                best, which = rows[starts[edge[e]] + at[e]], e
        if which < 0:
            return
        taken = min(left, row_times[best])
        ballot[y[best]] += taken
        left -= taken
        at[which] += 1


lowest_rows: Any = _quick(_lowest_rows)


def _elected(near: Any, kept: Any, votes: int, members: Any, row_times: Any, by_class: Any, y: Any) -> Any:
    """The class with most votes, and whether equally far rows of other classes, or of several kinds, were left out."""
    (count, last), (seen, distances, _) = near, kept
    ballot, edges, spare = np.zeros(by_class.shape[1], dtype=np.int64), 0, np.zeros(by_class.shape[1], dtype=np.int64)
    left = votes
    for place in range(count):
        if distances[place] < last * (1.0 - EQUAL):
            ballot += by_class[seen[place]]
            left -= by_class[seen[place]].sum()
        elif distances[place] <= last * (1.0 + EQUAL):
            seen[edges] = seen[place]
            edges += 1
            spare += by_class[seen[place]]
    tied = spare.sum() > left and (spare > 0).sum() > 1
    if not tied:
        ballot += np.minimum(spare, left)
    else:
        lowest_rows(seen[:edges].copy(), left, members, row_times, y, ballot)
    return ballot.argmax(), tied, tied and edges > 1


elected: Any = _quick(_elected)


def _search_many(table: Any, weights: Any, lists: Any, marks: Any, fold: Any, test: Any, kind: Any, y: Any) -> Any:
    """What ``search_one`` gives, for more than one vote."""
    odd, changed = marks
    every = np.arange(len(kind))[: len(fold[0])]
    times, row_times, by_class, members, votes = fold
    listed, bounds = lists
    beside, nobody, no_bounds = np.flatnonzero(changed), np.zeros(len(times), dtype=np.bool_), bounds[0, :0]
    near = (np.empty(votes + 1), np.empty(votes + 1))
    kept = (np.empty(len(times) + 1, dtype=np.int64), np.empty(len(times) + 1), near)
    result, state = np.full(len(times), -1), np.zeros(len(times), dtype=np.uint8)
    answer, doubtful = np.empty(test.shape[0], dtype=np.intp), np.zeros(test.shape[0], dtype=np.bool_)
    reach, ties, searched = np.empty(listed.shape[1] + 1, dtype=np.int64), 0, 0
    own_first = np.zeros(listed.shape[1] + 1)
    for place in range(test.shape[0]):
        i = kind[test[place]]
        if result[i] < 0:
            ended = False
            if not odd[i] and not changed[i] and beside.shape[0] == 0:
                reach[0], reach[1:] = i, listed[i]
                own_first[1:] = bounds[i]
                count, last, ended = gathered(i, reach, own_first, changed, (times, votes), table, weights, kept)
            if not ended:
                count, last, _ = gathered(i, every, no_bounds, nobody, (times, votes), table, weights, kept)
                searched += 1
            result[i], tied, several = elected((count, last), kept, votes, members, row_times, by_class, y)
            state[i] = tied + 2 * several
        answer[place] = result[i]
        ties += state[i] & 1
        doubtful[place] = state[i] >= 2
    return answer, doubtful, ties, searched, None


search_many: Any = _quick(_search_many)
