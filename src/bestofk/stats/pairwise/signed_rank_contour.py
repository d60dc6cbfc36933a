"""Exact tails of sums of ranks with random signs, for long samples with ties: one integral instead of a long count.

With ties every sample has a null distribution of its own, and to count it out takes n·Σranks steps. The lower tail is
also an integral of the generating function Π(1 + e^{rz})/2 along a line z = c + it,

    P[W ≤ w] = 1/2π ∫ Π (1 + e^{rz})/2 · e^{−zw} / (1 − e^{z}) dt,   c < 0, |t| ≤ π,

whose integrand falls off like a normal density when c makes w the mean of the tilted sums. The trapezoid rule then has
all digits after a few dozen points (Daniels 1987 for the line; Abate and Whitt 1992 for the rule).

Where c need not be exactly that: samples with nearly the same share a line, and the points on it. What a rank adds to
the logarithm of the integrand is then the same for all of them, and their integrands are one product of matrices
(``signed_rank_points``).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy import special

from bestofk.core.arrays import Array, Flags
from bestofk.stats.pairwise.signed_rank_points import Line, far_points, summed

Ints = npt.NDArray[np.int64]

#: Points are taken until the integrand has fallen by e^−34, and lie so close that sums beyond weigh as little.
FALLEN = 34.0
#: The line stays so many standard deviations of the null distribution away from the pole at 0.
_FROM_POLE = 1.0
#: Lines whose logarithms differ by less are one.
_ALIKE = 0.1
#: Values held at once.
_MOST_VALUES = 1_000_000


def lower_tails(ranks: Ints, statistic: Ints) -> tuple[Array, Array]:
    """P[W ≤ w] and P[W = w] of every row; ranks (rows, n) from 1, 0 = not taking part; w no larger than the mean of W.

    Examples
    --------
    >>> [round(float(p[0]), 9) for p in lower_tails(np.array([[1, 2, 3, 3]]), np.array([3]))]
    [0.375, 0.1875]
    """
    found = np.ones((2, len(ranks)))  # nothing takes part: the sum is 0 for certain
    common = np.gcd.reduce(ranks, axis=1)  # sums move in steps of it
    some = np.flatnonzero(common)
    whole, w = ranks[some] // common[some, None], statistic[some] // common[some]
    for rows, c in _sharing(whole, w):
        found[:, some[rows]] = _tails(whole[rows], w[rows], c)
    return found[0], found[1]


def _sharing(ranks: Ints, w: Ints) -> Iterator[tuple[Ints, float]]:
    """Rows that share a line, and where it crosses the real axis."""
    place = np.rint(np.log(-_crossing(ranks.astype(float), w)) / _ALIKE)
    step = max(1, _MOST_VALUES // max(1, 4 * int(ranks.max(initial=1))))
    for line in np.unique(place):
        rows = np.flatnonzero(place == line)
        for start in range(0, len(rows), step):
            yield rows[start : start + step], -float(np.exp(_ALIKE * line))


def _crossing(r: Array, w: Ints) -> Array:
    """Where the tilted mean is w, by Newton's steps; not nearer to the pole at 0 than a standard deviation allows."""
    squares = np.square(r)
    variance = squares.sum(axis=1) / 4.0
    nearest = -_FROM_POLE / np.sqrt(variance)
    c = np.minimum((w - r.sum(axis=1) / 2.0) / variance, nearest)
    for _ in range(8):
        share = special.expit(r * c[:, None])  # ranks of 0 add nothing
        slope = (squares * share * (1.0 - share)).sum(axis=1)
        before, c = c, np.clip(c + (w + 0.5 - (r * share).sum(axis=1)) / slope, 3.0 * c, nearest)
        if (np.abs(c - before) <= 0.1 * _ALIKE * np.abs(c)).all():
            break
    return np.asarray(c)


def _tails(ranks: Ints, w: Ints, c: float) -> Array:
    """Two rows, P[W ≤ w] and P[W = w], of samples that share the line through c."""
    occurring, counts = _counted(ranks)
    share = special.expit(occurring * c)  # of the tilted chance that a rank counts
    height = _height(counts, occurring, w, c)
    period = int(np.ceil(_period(counts, occurring, w, c, height).max())) + 1
    spread = np.sqrt((counts @ (np.square(occurring) * share * (1.0 - share))).min())
    near = min(int(np.ceil(np.sqrt(2.0 * FALLEN) * period / (2.0 * np.pi * spread))) + 1, period // 2 + 1)
    line = Line(c, period, occurring, share)
    total = summed(line, counts, w, np.arange(near))
    for rows, places in far_points(line, counts, near, FALLEN):
        total[:, rows] += summed(line, counts[rows], w[rows], places)
    return np.asarray(np.clip(np.exp(height) * total / period, 0.0, 1.0))


def _counted(ranks: Ints) -> tuple[Ints, Array]:
    """Ranks that occur in any row, and how often each does in every row."""
    largest = int(ranks.max())
    places = ranks + (largest + 1) * np.arange(len(ranks))[:, None]
    counts = np.bincount(places.reshape(-1), minlength=len(ranks) * (largest + 1)).reshape(len(ranks), -1)
    there: Flags = np.asarray(counts.any(axis=0))
    there[0] = False
    return np.flatnonzero(there).astype(np.int64), counts[:, there].astype(float)


def _height(counts: Array, r: Ints, w: Ints, c: float) -> Array:
    """Σ log((1 + e^{rc})/2) − cw: what the tilt takes out of the integral; e to it bounds P[W ≤ w]."""
    return np.asarray(counts @ (np.logaddexp(0.0, r * c) - np.log(2.0)) - c * w)


def _period(counts: Array, r: Ints, w: Ints, c: float, height: Array) -> Array:
    """How far apart sums must lie to be told apart: with M points to the circle W + M weighs e^{cM}P[W ≤ w + M] too.

    The bound of that chance by a smaller tilt shows for which M it is nothing beside P[W ≤ w].
    """
    parts = (0.0, 0.25, 0.5, 0.75)
    found = [(FALLEN + _height(counts, r, w, part * c) - height) / ((part - 1.0) * c) for part in parts]
    return np.asarray(np.min(found, axis=0))
