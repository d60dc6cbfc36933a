"""The nearest neighbour of every test row as a compiled loop over one shared list of near rows (extra ``fast``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need

numba = need("numba", purpose="the compiled kernel of the paper's nearest neighbour")


def _distance(i: int, j: int, scores: Any, codes: Any, enough: float) -> float:
    """Squares of the z-scores' differences plus 1 per nominal mismatch, left early once it is above ``enough``."""
    mismatches = 0
    for column in range(codes.shape[1]):
        mismatches += codes[i, column] != codes[j, column]
    total = float(mismatches)
    for column in range(scores.shape[1]):
        if total > enough:
            break
        gap = scores[i, column] - scores[j, column]
        total += gap * gap
    return total


def _first_of_list(i: int, train: Any, near: Any, bounds: Any) -> Any:
    """First training row of a list with exact distances, or −1 where a row outside of the list may be as near."""
    last = near.shape[1] - 1
    for place in range(last + 1):
        if train[near[i, place]]:
            sure = bounds[i, place] < bounds[i, last] or last == len(train) - 2
            return np.int64(near[i, place]) if sure else np.int64(-1)
    return np.int64(-1)


def _nearest(
    scores: Any, codes: Any, train: Any, near: Any, bounds: Any, share: float, exact: bool, nearest: Any
) -> None:
    """Nearest training row of each test row, the lowest on a tie.

    ``share`` of the ``bounds`` says how far the rows of ``near`` are at least, in ascending order: once that is above
    the best, no other row can win. When the list ends before that, all training rows are looked at. ``exact`` says
    that the bounds are the distances themselves; rows that are equally far stand in file order.
    """
    length = near.shape[1]
    for i in range(len(train)):
        if train[i]:
            continue
        if exact:
            nearest[i] = _first_of_list(i, train, near, bounds)
            if nearest[i] >= 0:
                continue
        best, lowest, sure = np.inf, -1, length == len(train) - 1
        for place in range(length):
            if share * bounds[i, place] > best:
                sure = True
                break
            j = near[i, place]
            if train[j]:
                distance = _distance(i, j, scores, codes, best)
                if distance < best or (distance == best and j < lowest):
                    best, lowest = distance, j
        if not sure:
            for j in range(len(train)):
                if train[j]:
                    distance = _distance(i, j, scores, codes, best)
                    if distance < best or (distance == best and j < lowest):
                        best, lowest = distance, j
        nearest[i] = lowest


def _lower_bounds(numbers: Any, codes: Any, least: Any, rows: Any, bounds: Any) -> None:
    """Distances (rows, all rows) by the least weights; a column with a gap in either row does not count.

    Columns are the first axis of ``numbers`` and ``codes``.
    """
    bounds[:] = 0.0
    for place in range(len(rows)):
        own = bounds[place]
        for column in range(len(codes)):
            value = codes[column, rows[place]]
            if value >= 0:
                for other in range(len(own)):
                    there = codes[column, other]
                    own[other] += 1.0 if (there >= 0) & (there != value) else 0.0
        for column in range(len(numbers)):
            number, weight = numbers[column, rows[place]], least[column]
            if number == number:
                for other in range(len(own)):
                    square = (number - numbers[column, other]) ** 2
                    own[other] += weight * square if square == square else 0.0


_compiled = numba.njit(cache=True, nogil=True)
_distance = _compiled(_distance)
_first_of_list = _compiled(_first_of_list)
nearest: Any = _compiled(_nearest)
lower_bounds: Any = _compiled(_lower_bounds)
