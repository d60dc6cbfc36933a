"""The one nearest training row of every test row of a fold, as compiled loops (extra ``fast``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.collecting.sharing.neighbour_loops import EQUAL, _quick, distance_between

#: Equally near kinds that are remembered; where there are more, all training rows are compared again.
HELD = 8


def _search_one(table: Any, weights: Any, lists: Any, marks: Any, fold: Any, test: Any, kind: Any, y: Any) -> Any:
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


search_one: Any = _quick(_search_one)
