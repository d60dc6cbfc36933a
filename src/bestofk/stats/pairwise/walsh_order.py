"""The k-th smallest of all Walsh averages of many values, of which only a few are ever computed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array

#: So few that are left are listed and ordered.
_LISTED = 50_000
_SAMPLE = 2_000  # of those that are left, to guess where the k-th is
_ASIDE = 40  # places of the sample between the guess and its bounds

Columns = npt.NDArray[np.intp]


def walsh_at(values: Array, places: Array) -> Array:
    """The Walsh averages at these places, from 0, of their order; ``values`` has one axis.

    Of sorted values the averages form a table that rises along rows and columns, so that those below a number are
    counted by a search in every row. Two numbers about the k-th, guessed from a sample, leave few between them.

    References
    ----------
    Johnson and Mizoguchi 1978 for the search in rows, Floyd and Rivest 1975 for the two numbers.

    Examples
    --------
    >>> [float(each) for each in walsh_at(np.array([2.0, 1.0, 5.0]), np.array([0, 3, 5]))]
    [1.0, 3.0, 5.0]
    """
    ordered = np.sort(values)
    found = {int(place): _at(ordered, int(place)) for place in np.unique(places)}
    return np.array([found[int(place)] for place in places])


def _at(ordered: Array, place: int) -> float:
    rows = np.arange(len(ordered))
    left, right = rows.copy(), np.full(len(ordered), len(ordered))  # columns of every row that it may be in
    while int((right - left).sum()) > _LISTED:
        for pivot in _about(ordered, left, right, place - int((left - rows).sum())):
            below = _columns(ordered, left, right, pivot, "left")
            upto = _columns(ordered, below, right, pivot, "right")
            if place < int((below - rows).sum()):
                right = below
            elif place >= int((upto - rows).sum()):
                left = upto
            else:
                return pivot
    averages = _averages(ordered, left, right, np.arange(int((right - left).sum())))
    return float(np.partition(averages, at := place - int((left - rows).sum()))[at])


def _about(ordered: Array, left: Columns, right: Columns, place: int) -> tuple[float, float]:
    """Two averages between which the one at this place of those left probably is."""
    number = int((right - left).sum())
    sample = np.sort(_averages(ordered, left, right, np.linspace(0, number - 1, _SAMPLE).astype(np.intp)))
    guess = place * (_SAMPLE - 1) // (number - 1)
    return float(sample[max(0, guess - _ASIDE)]), float(sample[min(_SAMPLE - 1, guess + _ASIDE)])


def _averages(ordered: Array, left: Columns, right: Columns, which: Columns) -> Array:
    """Of the averages that are left, counted row by row, these."""
    ends = np.cumsum(right - left)
    row = np.searchsorted(ends, which, side="right")
    return np.asarray(0.5 * (ordered[row] + ordered[right[row] - (ends[row] - which)]))


def _columns(ordered: Array, left: Columns, right: Columns, pivot: float, side: str) -> Columns:
    """The first column of every row, of those from left to right, at the pivot, or beyond it (``"right"``)."""
    low, high = left.copy(), right.copy()
    while (open_rows := np.flatnonzero(low < high)).size:
        middle = (low[open_rows] + high[open_rows]) // 2
        average = 0.5 * (ordered[open_rows] + ordered[middle])
        before = average < pivot if side == "left" else average <= pivot
        low[open_rows] = np.where(before, middle + 1, low[open_rows])
        high[open_rows] = np.where(before, high[open_rows], middle)
    return low
