"""The nearest neighbour of every test row as a compiled loop over one shared list of near rows (extra ``fast``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.compiled import compiled


@compiled
def _nearer(i: int, j: int, scores: Any, codes: Any, best: float, lowest: int) -> Any:
    """The distance and the row of the nearer of two: row j, or the best so far; the lower row on a tie.

    A distance is the squares of the z-scores' differences plus 1 per nominal mismatch.
    """
    mismatches = 0
    for column in range(codes.shape[1]):
        mismatches += codes[i, column] != codes[j, column]
    distance = float(mismatches)
    for column in range(scores.shape[1]):
        if distance > best:
            break
        gap = scores[i, column] - scores[j, column]
        distance += gap * gap
    return (distance, j) if distance < best or (distance == best and j < lowest) else (best, lowest)


@compiled
def nearest(scores: Any, codes: Any, train: Any, near: Any, bounds: Any, share: float, found: Any) -> None:
    """Nearest training row of each test row, the lowest on a tie.

    ``share`` of the ``bounds`` says how far the rows of ``near`` are at least, in ascending order: once that is above
    the best, no other row can win. When the list ends before that, all training rows are looked at.
    """
    length = near.shape[1]
    for i in np.flatnonzero(~train):
        best, lowest, place = np.inf, np.int64(-1), 0
        while place < length and share * bounds[i, place] <= best:
            j = np.int64(near[i, place])
            if train[j]:
                best, lowest = _nearer(i, j, scores, codes, best, lowest)
            place += 1
        if place == length and length < len(train) - 1:
            for j in np.flatnonzero(train):
                best, lowest = _nearer(i, j, scores, codes, best, lowest)
        found[i] = lowest


@compiled
def lower_bounds(numbers: Any, codes: Any, least: Any, rows: Any, bounds: Any) -> None:
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
