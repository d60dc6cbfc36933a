"""The typical difference that goes with a rank or sign test, and the interval that such a test would not reject."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core import special
from bestofk.core.arrays import Array
from bestofk.stats.distributions import binomial_half_tail
from bestofk.stats.pairwise.signed_rank_null import lower_chances

#: More values than these have their critical rank from the normal approximation.
COUNTED_UP_TO = 200
#: Averages of more values than these are not all computed.
LISTED_UP_TO = 400
_CHUNK = 2_000_000  # numbers held at once
#: So few that are left are listed and ordered.
_LISTED = 50_000
_SAMPLE = 2_000  # of those that are left, to guess where the k-th is
_ASIDE = 40  # places of the sample between the guess and its bounds

Places = npt.NDArray[np.intp]


def walsh_interval(differences: Array, alpha: Any) -> tuple[Array, Array, Array]:
    """Median of the Walsh averages of every row (..., N), and the two ends of its interval at 1 − alpha.

    A Walsh average is the mean of two differences, or of one with itself. W⁺ counts those above 0, so the interval
    between the k-th smallest and the k-th largest excludes 0 where the two-sided test rejects, if no values are tied
    and none is 0; ends are infinite where no sum of ranks is small enough to reject.

    References
    ----------
    Hodges and Lehmann 1963. Hollander, Wolfe and Chicken, *Nonparametric Statistical Methods*, section 3.3.

    Examples
    --------
    >>> [float(each) for each in walsh_interval(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 7.0]), 0.05)]
    [3.5, 1.0, 7.0]
    """

    n = differences.shape[-1]
    return _middle_and_ends(differences, alpha, rejected_ranks, n * (n + 1) // 2, _averages_at)


def median_interval(differences: Array, alpha: Any) -> tuple[Array, Array, Array]:
    """Median of every row (..., N), and the ends of its interval at 1 − alpha: that of the sign test.

    Examples
    --------
    >>> [float(each) for each in median_interval(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 7.0]), 0.05)]
    [3.5, 1.0, 7.0]
    """
    return _middle_and_ends(differences, alpha, _rejected_signs, differences.shape[-1], _ordered_at)


def _middle_and_ends(
    differences: Array, alpha: Any, rejected: Any, size: int, values_at: Any
) -> tuple[Array, Array, Array]:
    """The median of the values made of every row, and those that as many are below, or above, as the test rejects."""
    shape, n = differences.shape[:-1], differences.shape[-1]
    rows, levels = differences.reshape(-1, n), np.broadcast_to(alpha, shape).reshape(-1)
    found = np.empty((3, len(rows)))
    step = max(1, _CHUNK // size)
    place = np.array([rejected(n, float(level) / 2.0) for level in levels], dtype=int)
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        at = np.maximum(place[part], 1)
        middle = [np.full(len(at), each) for each in ((size - 1) // 2, size // 2)]
        values = values_at(rows[part], np.stack([*middle, at - 1, size - at], axis=-1))
        found[0, part] = values[:, :2].mean(axis=-1)
        found[1:, part] = values[:, 2:].T
    found[1:, place == 0] = [[-np.inf], [np.inf]]
    typical, low, high = (each.reshape(shape) for each in found)
    return typical, low, high


def _ordered_at(rows: Array, places: Places) -> Array:
    """The values at these places of every row when it is in order."""
    return np.asarray(np.take_along_axis(np.partition(rows, np.unique(places), axis=-1), places, axis=-1))


def _averages_at(rows: Array, places: Places) -> Array:
    """The same of the Walsh averages of every row."""
    n = rows.shape[1]
    if n > LISTED_UP_TO:
        return np.stack([walsh_at(row, wanted) for row, wanted in zip(rows, places, strict=True)])
    one, two = np.triu_indices(n)
    return _ordered_at(0.5 * (rows[:, one] + rows[:, two]), places)


@lru_cache(maxsize=1024)
def rejected_ranks(n: int, alpha: float) -> int:
    """How many of the sums 0, 1, 2, … of n ranks one side rejects at alpha.

    Examples
    --------
    >>> rejected_ranks(6, 0.025), rejected_ranks(5, 0.025)
    (1, 0)
    """
    if n <= COUNTED_UP_TO:
        return int(np.searchsorted(_lower_tail(n), alpha * (1.0 + 1e-12), side="right"))
    mean, spread = n * (n + 1) / 4.0, np.sqrt(n * (n + 1) * (2 * n + 1) / 24.0)
    return max(0, int(np.floor(mean + special.ndtri(alpha) * spread)) + 1)


@lru_cache(maxsize=1024)
def _rejected_signs(n: int, alpha: float) -> int:
    """How many of the counts 0, 1, 2, … of n fair coins one side rejects at alpha."""
    tail = np.asarray(binomial_half_tail(np.arange(n // 2 + 1.0), float(n), "less"))
    return int(np.searchsorted(tail, alpha * (1.0 + 1e-12), side="right"))


@lru_cache(maxsize=256)
def _lower_tail(n: int) -> Array:
    """P[W ≤ w] for the lower half of the sums of the ranks 1 … n."""
    return np.asarray(np.cumsum(lower_chances(np.arange(1, n + 1), n * (n + 1) // 4)))


def walsh_at(values: Array, places: Places) -> Array:
    """The Walsh averages at these places, from 0, of their order; ``values`` has one axis.

    Of sorted values the averages form a table that rises along rows and columns, so that those below a number are
    counted by a search in every row. Two numbers about the k-th, guessed from a sample, leave few between them.

    References
    ----------
    Search in rows: Johnson and Mizoguchi 1978. Two numbers: Floyd and Rivest 1975.

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


def _about(ordered: Array, left: Places, right: Places, place: int) -> tuple[float, float]:
    """Two averages between which the one at this place of those left probably is."""
    number = int((right - left).sum())
    sample = np.sort(_averages(ordered, left, right, np.linspace(0, number - 1, _SAMPLE).astype(np.intp)))
    guess = place * (_SAMPLE - 1) // (number - 1)
    return float(sample[max(0, guess - _ASIDE)]), float(sample[min(_SAMPLE - 1, guess + _ASIDE)])


def _averages(ordered: Array, left: Places, right: Places, which: Places) -> Array:
    """Of the averages that are left, counted row by row, these."""
    ends = np.cumsum(right - left)
    row = np.searchsorted(ends, which, side="right")
    return np.asarray(0.5 * (ordered[row] + ordered[right[row] - (ends[row] - which)]))


def _columns(ordered: Array, left: Places, right: Places, pivot: float, side: str) -> Places:
    """The first column of every row, of those from left to right, at the pivot, or beyond it (``"right"``)."""
    low, high = left.copy(), right.copy()
    while (open_rows := np.flatnonzero(low < high)).size:
        middle = (low[open_rows] + high[open_rows]) // 2
        average = 0.5 * (ordered[open_rows] + ordered[middle])
        before = average < pivot if side == "left" else average <= pivot
        low[open_rows] = np.where(before, middle + 1, low[open_rows])
        high[open_rows] = np.where(before, high[open_rows], middle)
    return low
