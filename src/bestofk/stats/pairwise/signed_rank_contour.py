"""Exact tails of sums of ranks with random signs, for long samples with ties: one integral instead of a long count.

With ties every sample has a null distribution of its own, and to count it out takes n·Σranks steps. The lower tail is
also an integral of the generating function Π(1 + e^{rz})/2 along a line z = c + it,

    P[W ≤ w] = 1/2π ∫ Π (1 + e^{rz})/2 · e^{−zw} / (1 − e^{z}) dt,   c < 0, |t| ≤ π,

whose integrand falls off like a normal density when c makes w the mean of the tilted sums. The trapezoid rule then has
all digits after a few dozen points (Daniels 1987 for the line; Abate and Whitt 1992 for the rule).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.stats.arrays import Array

Ints = npt.NDArray[np.int64]

#: Points are taken until the integrand has fallen by e^−30, and lie so close that sums beyond weigh as little.
_FALLEN = 30.0
#: On the grid a rise may be missed by a part of its height; what is this far down cannot be one.
_SAFE = 1.5 * _FALLEN
#: Values held at once: they stay in cache.
_MOST_VALUES = 60_000
#: The line stays so many standard deviations of the null distribution away from the pole at 0.
_FROM_POLE = 1.0


def lower_tails(ranks: Ints, statistic: Ints) -> tuple[Array, Array]:
    """P[W ≤ w] and P[W = w] of every row; ranks (rows, n) from 1, 0 = not taking part; w no larger than the mean of W.

    Examples
    --------
    >>> [round(float(p[0]), 9) for p in lower_tails(np.array([[1, 2, 3, 3]]), np.array([3]))]
    [0.375, 0.1875]
    """
    step = max(1, _MOST_VALUES // ranks.shape[1])
    parts = [_tails(ranks[i : i + step], statistic[i : i + step]) for i in range(0, len(ranks), step)]
    below, point = np.concatenate(parts, axis=1)
    return below, point


def _tails(ranks: Ints, statistic: Ints) -> Array:
    """Two rows: P[W ≤ w], P[W = w]."""
    common = np.gcd.reduce(ranks, axis=1)[:, None]  # sums move in steps of it
    r = (ranks // common).astype(float)
    w = np.floor(statistic / common[:, 0])
    c = _line(r, w)
    share = 1.0 / (1.0 + np.exp(-r * c[:, None]))  # of the tilted chance that a rank counts; ranks of 0 add nothing
    share[r == 0] = 0.0
    spread = np.sqrt((np.square(r) * share * (1.0 - share)).sum(axis=1))
    height = _height(r, w, c)
    period = np.ceil(_period(r, w, c, height)) + 1.0
    gap = 2.0 * np.pi / period
    points = np.ceil(np.sqrt(2.0 * _FALLEN) / np.maximum(spread, 1e-300) / gap).astype(np.int64) + 1
    points = np.minimum(points, (np.pi / gap).astype(np.int64) + 1)  # up to π and no further
    total = _integrated(r, w, c, share, gap, points)
    whole = ranks // common
    for row, far in _rises(whole, share, gap, points):
        total[:, row] += _far_away(whole[row], w[row], c[row], share[row], gap[row] * far)
    return np.asarray(np.clip(np.exp(height) * total / period, 0.0, 1.0))


def _height(r: Array, w: Array, c: Array) -> Array:
    """Σ log((1 + e^{rc})/2) − cw: what the tilt takes out of the integral; e to it bounds P[W ≤ w]."""
    return np.asarray((np.logaddexp(0.0, r * c[:, None]) - np.log(2.0)).sum(axis=1) - c * w)


def _period(r: Array, w: Array, c: Array, height: Array) -> Array:
    """How far apart sums must lie to be told apart: with M points to the circle W + M weighs e^{cM}P[W ≤ w + M] too.

    The bound of that chance by a smaller tilt shows for which M it is nothing beside P[W ≤ w].
    """
    found = [(_FALLEN + _height(r, w, part * c) - height) / ((part - 1.0) * c) for part in (0.0, 0.25, 0.5, 0.75)]
    return np.asarray(np.min(found, axis=0))


def _line(r: Array, w: Array) -> Array:
    """Where the tilted mean is w, by Newton's steps; not nearer to the pole at 0 than a standard deviation allows."""
    variance = np.square(r).sum(axis=1) / 4.0
    nearest = -_FROM_POLE / np.sqrt(variance)
    c = np.minimum((w - r.sum(axis=1) / 2.0) / variance, nearest)
    for _ in range(8):
        share = 1.0 / (1.0 + np.exp(-r * c[:, None]))
        share[r == 0] = 0.0
        slope = (np.square(r) * share * (1.0 - share)).sum(axis=1)
        c = np.clip(c + (w + 0.5 - (r * share).sum(axis=1)) / slope, 3.0 * c, nearest)
    return np.asarray(c)


def _integrated(r: Array, w: Array, c: Array, share: Array, gap: Array, points: Ints) -> Array:
    """Σ over the points t = 0, ±gap, … of every row: of the integrand, and of the same for P[W = w]."""
    turn = np.exp(1j * r * gap[:, None])
    turn_w = np.exp(-1j * w * gap)
    here, here_w = np.ones_like(turn), np.ones_like(turn_w)
    total = np.zeros((2, len(r)))
    for k in range(int(points.max())):
        value = np.multiply.reduce(1.0 + share * (here - 1.0), axis=1) * here_w
        both = np.stack([(value / (1.0 - np.exp(c + 1j * k * gap))).real, value.real])
        total += np.where(k < points, both * _points_alike(k * gap), 0.0)
        here, here_w = here * turn, here_w * turn_w
    return total


def _points_alike(t: Array) -> Array:
    """A point stands for that of the other sign too, but at 0 and at π, where the ends of the line meet."""
    return np.where((t == 0.0) | (t >= np.pi * (1.0 - 1e-12)), 1.0, 2.0)


def _rises(ranks: Ints, share: Array, gap: Array, points: Ints) -> Iterator[tuple[int, Array]]:
    """Rows and points beyond the first ones where the integrand is not yet nothing: repeated ranks make it rise again.

    Its size is at most exp(−Σ p(1 − p)(1 − cos rt)): a sum of cosines with frequencies up to the largest rank, seen on
    a grid eight times finer.
    """
    weight = share * (1.0 - share)
    size = 1 << int(np.ceil(np.log2(8.0 * ranks.max())))
    rows = np.broadcast_to(np.arange(len(ranks))[:, None], ranks.shape)
    heights = np.zeros((len(ranks), size))
    np.add.at(heights, (rows, ranks), weight)
    exponent = weight.sum(axis=1)[:, None] - np.fft.rfft(heights, axis=1).real
    grid = 2.0 * np.pi / size
    t, reach = grid * np.arange(exponent.shape[1]), (points * gap)[:, None]
    low = (t > reach - grid) & (exponent < np.where(t > 1.4 * reach, _SAFE, 0.85 * _FALLEN))  # nearer it only falls
    for row in np.flatnonzero(low.any(axis=1)):
        cells = np.flatnonzero(low[row])
        start = np.ceil((cells - 0.5) * grid / gap[row]).astype(np.int64)
        places = (start[:, None] + np.arange(int(grid / gap[row]) + 2)).reshape(-1)
        yield int(row), np.unique(places[(places >= points[row]) & (places * gap[row] <= np.pi)])


def _far_away(ranks: Ints, w: Any, c: Any, share: Array, t: Array) -> Array:
    """The same sums over points far from 0, both signs, one factor per rank that occurs."""
    occurring, first, often = np.unique(ranks[ranks > 0], return_index=True, return_counts=True)
    p = share[ranks > 0][first]
    total = np.zeros(2)
    step = max(1, 4 * _MOST_VALUES // max(1, len(occurring)))
    for start in range(0, len(t), step):
        some = t[start : start + step]
        factors = 1.0 + p * (np.exp(1j * np.outer(some, occurring)) - 1.0)
        value = np.prod(factors**often, axis=1) * np.exp(-1j * w * some)
        both = np.stack([(value / (1.0 - np.exp(c + 1j * some))).real, value.real])
        total += (both * _points_alike(some)).sum(axis=1)
    return total
