"""Search for the nearest training rows of a fold along the shared lists, as compiled loops (extra ``fast``).

Rows that are equal in every column are one *kind*; lists and distances are those of kinds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.compiled import compiled, inlined, reordered

#: Squared distances that differ by this share of themselves count as equal here; rounding might decide between them.
EQUAL = 1e-10
#: Columns summed before a distance is compared with the best so far.
STRIDE = 16


@compiled
def nearest_in_block(distances: Any, first: int, listed: Any, bounds: Any) -> None:
    """The nearest of every line of distances, in their order."""
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


@reordered
def tally(train: Any, kind: Any, y: Any, kinds: int) -> Any:
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


@reordered
def spreads(numbers: Any, levels: Any, times: Any, level_count: int) -> Any:
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


@inlined
def distance_between(numbers: Any, levels: Any, number: Any, level: Any, i: int, j: int, limit: float) -> float:
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


@compiled
def first_nearest(rows: Any, train: Any, equals: Any) -> Any:
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


#: Equally near kinds that are remembered; where there are more, all training rows are compared again.
HELD = 8


@reordered
def search_one(table: Any, weights: Any, lists: Any, marks: Any, fold: Any, test: Any, kind: Any, y: Any) -> Any:
    """The nearest row, equally near ones, where rounding might decide, ties, and kinds that the list left open.

    ``marks``: kinds that follow no list, and kinds that are in no list. Rows of one kind share an answer.
    """
    numbers, levels = table
    number, level, shrink = weights
    listed, bounds = lists
    odd, changed = marks
    times, lowest, mixed = fold
    beside = np.flatnonzero(changed)
    length, kinds = listed.shape[1], times.shape[0]
    rows, state = np.full(kinds, -1), np.zeros(kinds, dtype=np.uint8)
    answer, doubtful = np.empty(test.shape[0], dtype=np.intp), np.zeros(test.shape[0], dtype=np.bool_)
    held, equals = np.empty((kinds, HELD), dtype=np.int64), np.empty((test.shape[0], HELD), dtype=np.int64)
    ties, searched = 0, 0
    for place in range(test.shape[0]):
        i = kind[test[place]]
        if rows[i] < 0:
            best, row, several, classes, cap = np.inf, np.int64(-1), 0, False, np.inf
            listless = odd[i] or changed[i]
            if times[i] > 0 and not listless:  # an equal row was trained on
                best, row, several, classes = 0.0, lowest[i], 1, mixed[i]
                held[i, 0] = row
            # Candidates: along the list, then those that are in no list; or all, where the list does not suffice.
            at, count, phase = 0, length, 0
            if listless:
                for t in range(min(length, 8)):  # some near row, so that far ones are given up early
                    if times[listed[i, t]] > 0:
                        cap = min(cap, distance_between(numbers, levels, number, level, i, listed[i, t], cap))
                at, count, phase = 0, kinds, 2
                searched += 1
            while True:
                limit = min(best, cap) * (1.0 + EQUAL)
                if phase == 0 and (at == count or bounds[i, at] * shrink > limit):
                    reached = at < count or length >= kinds - 1
                    at, count, phase = 0, beside.shape[0], 1
                    if not reached:
                        cap = best
                        best, row, several, classes = np.inf, np.int64(-1), 0, False
                        count, phase = kinds, 2
                        searched += 1
                if phase > 0 and at == count:
                    break
                j = np.int64(listed[i, at]) if phase == 0 else (beside[at] if phase == 1 else np.int64(at))
                at += 1
                if times[j] == 0 or (phase == 0 and changed[j]):
                    continue
                distance = distance_between(numbers, levels, number, level, i, j, limit)
                if distance > limit:
                    continue
                if row < 0 or distance < best * (1.0 - EQUAL):
                    best, row, several, classes = distance, lowest[j], 0, mixed[j]
                else:
                    classes = classes or mixed[j] or y[lowest[j]] != y[row]
                    best, row = min(best, distance), min(row, lowest[j])
                if several < HELD:
                    held[i, several] = lowest[j]
                several += 1
            rows[i] = row
            state[i] = classes + 2 * (several > 1 and classes)
            for t in range(several, HELD):
                held[i, t] = row
            if several > HELD:
                held[i, 0] = -1
        answer[place] = rows[i]
        ties += state[i] & 1
        if state[i] >= 2:
            doubtful[place] = True
            equals[place] = held[i]
    return answer, doubtful, ties, searched, equals


@reordered
def insert(near: Any, held: int, distance: float, times: int, votes: int) -> int:
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


@reordered
def gathered(i: int, kinds: Any, bounds: Any, skip: Any, fold: Any, table: Any, weights: Any, kept: Any) -> Any:
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


@reordered
def lowest_rows(edge: Any, left: int, members: Any, row_times: Any, y: Any, ballot: Any) -> None:
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


@reordered
def elected(near: Any, kept: Any, votes: int, members: Any, row_times: Any, by_class: Any, y: Any) -> Any:
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


@reordered
def search_many(table: Any, weights: Any, lists: Any, marks: Any, fold: Any, test: Any, kind: Any, y: Any) -> Any:
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
