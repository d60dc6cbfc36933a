"""Exact tails of sums of ranks with random signs, for long samples with ties: one integral instead of a long count.

With ties every sample has a null distribution of its own, and to count it out takes n·Σranks steps. The lower tail is
also an integral of the generating function Π(1 + e^{rz})/2 along a line z = c + it,

    P[W ≤ w] = 1/2π ∫ Π (1 + e^{rz})/2 · e^{−zw} / (1 − e^{z}) dt,   c < 0, |t| ≤ π,

whose integrand falls off like a normal density when c makes w the mean of the tilted sums. The trapezoid rule then has
all digits after a few dozen points (Daniels 1987 for the line; Abate and Whitt 1992 for the rule).

Where c need not be exactly that: samples with nearly the same share a line, and the points on it. What a rank adds to
the logarithm of the integrand is then the same for all of them, and their integrands are one product of matrices.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from bestofk.core import special
from bestofk.core.arrays import Array, Flags
from bestofk.core.frozen import frozen

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


# The integrand at points of one line, for many samples of ranks at once.


#: On the grid a rise may be missed by a part of its height; what is this far down cannot be one.
_SAFE = 1.5
#: Cells of the grid to a turn of the largest rank.
_FINENESS = 8.0
#: −log of a factor at the end of a cell in whose middle it is 0: −log sin(π/16).
_FALL_AT_ENDS = 1.6
#: Values held at once: they stay in cache.
_MOST_POINTS = 120_000
#: Products of numbers in a product of matrices.
_MOST_PRODUCTS = 250_000
#: What a call costs by itself, and a product of numbers, in logarithms.
_CALL, _PRODUCT = 2_000, 0.01


@frozen(eq=False)
class Line:
    """The line through ``c`` with points at t = 2πk/period; ranks that occur, and the tilted chance of each."""

    c: float
    period: int
    ranks: Ints
    share: Array

    def angle(self, numbers: Ints, places: Ints) -> Array:
        """Numbers × t without whole turns, which integers keep exact."""
        return np.asarray((numbers[:, None] * places) % self.period * (2.0 * np.pi / self.period))


def summed(line: Line, counts: Array, w: Ints, places: Ints) -> Array:
    """Σ over points, both signs of t: of the integrand of every row, and of the same for P[W = w].

    ``counts`` (rows, ranks) says how often each rank occurs: the logarithms of the factors are added by one product.
    """
    total = np.zeros((2, len(counts)))
    ranks, share, counts = _used(line, counts)
    step = max(1, _MOST_POINTS // max(1, len(ranks)))
    for start in range(0, len(places), step):
        k = places[start : start + step]
        angle = line.angle(ranks, k)
        real, imaginary = 1.0 - share + share * np.cos(angle), share * np.sin(angle)
        size = _product(counts, 0.5 * np.log(np.square(real) + np.square(imaginary)))
        phase = _product(counts, np.arctan2(imaginary, real)) - line.angle(w, k)
        value = np.exp(size) * np.exp(1j * phase)
        alike = np.where((k == 0) | (2 * k == line.period), 1.0, 2.0)  # else a point stands for that of the other sign
        total += np.stack([((value * _from_pole(line, k)).real * alike).sum(axis=1), (value.real * alike).sum(axis=1)])
    return total


def _used(line: Line, counts: Array) -> tuple[Ints, Array, Array]:
    """Ranks that occur in these rows, their chances (a column) and how often they do."""
    used: Flags = np.asarray(counts.any(axis=0))
    return line.ranks[used], line.share[used, None], counts[:, used]


def _product(counts: Array, logarithms: Array) -> Array:
    """The product of matrices in pieces so small that no library divides them among threads, which takes longer."""
    step = max(1, _MOST_PRODUCTS // (len(counts) * logarithms.shape[1]))
    total = counts[:, :step] @ logarithms[:step]
    for start in range(step, len(logarithms), step):
        total += counts[:, start : start + step] @ logarithms[start : start + step]
    return np.asarray(total)


def _from_pole(line: Line, places: Ints) -> npt.NDArray[np.complex128]:
    """1/(1 − e^{c + it}), with the digits that 1 minus nearly 1 would lose."""
    t = places * (2.0 * np.pi / line.period)
    real = -np.expm1(line.c) * np.cos(t) + 2.0 * np.square(np.sin(0.5 * t))
    return np.asarray(1.0 / (real - 1j * np.exp(line.c) * np.sin(t)))


def far_points(line: Line, counts: Array, near: int, fallen: float) -> Iterator[tuple[Ints, Ints]]:
    """Rows, and points beyond the ``near`` first where their integrands are not yet nothing.

    Repeated ranks make an integrand rise again: of all rows at the same points, such as at π where all but few ranks
    are even, or of each row at its own.
    """
    low = _low(line, counts, near, fallen)
    for rows, cells in _parts(low, counts, 1):
        low[np.ix_(rows, cells)] &= _sizes(line, counts[rows], cells) < _SAFE * fallen
    for rows, cells in _parts(low, counts, 1 + line.period // _cells(line)):
        places = _places(line, cells, near)
        if len(places):
            yield rows, places


def _parts(low: Flags, counts: Array, points: int) -> list[tuple[Ints, Ints]]:
    """Rows with the cells that are low: all rows with the cells of any, or each with its own if that is less work."""
    rows, cells = np.flatnonzero(low.any(axis=1)), np.flatnonzero(low.any(axis=0))
    together = points * len(cells) * counts.shape[1] * (1.0 + _PRODUCT * len(rows))
    apart = points * float(np.count_nonzero(low[rows], axis=1) @ np.count_nonzero(counts[rows], axis=1))
    if together <= apart + _CALL * len(rows):
        return [(rows, cells)] if len(rows) else []
    return [(rows[i : i + 1], np.flatnonzero(low[row])) for i, row in enumerate(rows)]


def _low(line: Line, counts: Array, near: int, fallen: float) -> Flags:
    """Cells of the grid, up to π, in which the integrand of a row may be more than nothing.

    Its size is at most exp(−Σ p(1 − p)(1 − cos rt)): a sum of cosines with frequencies up to the largest rank.
    """
    size = _cells(line)
    heights = np.zeros((len(counts), int(line.ranks.max()) + 1))
    heights[:, line.ranks] = counts * (line.share * (1.0 - line.share))
    exponent = heights.sum(axis=1)[:, None] - np.fft.rfft(heights, n=size, axis=1).real
    t, reach, cell = np.arange(exponent.shape[1]) / size, (near - 1) / line.period, 1.0 / size  # in turns
    nothing = np.where(t > 1.4 * reach, _SAFE * fallen, 0.85 * fallen)  # nearer it only falls
    return np.asarray((exponent < nothing) & (t > reach - cell))


def _sizes(line: Line, counts: Array, cells: Ints) -> Array:
    """−log of the integrand's size in the middle of cells, or less.

    A factor that is nearly 0 there is not at the ends of the cell: none counts for more than it does there.
    """
    ranks, share, counts = _used(line, counts)
    spread, size = 2.0 * share * (1.0 - share), _cells(line)
    found = np.empty((len(counts), len(cells)))
    step = max(1, _MOST_POINTS // max(1, len(ranks)))
    for start in range(0, len(cells), step):
        angle = (ranks[:, None] * cells[start : start + step]) % size * (2.0 * np.pi / size)
        fall = -0.5 * np.log(1.0 - spread * (1.0 - np.cos(angle)))
        found[:, start : start + step] = _product(counts, np.minimum(fall, _FALL_AT_ENDS))
    return found


def _cells(line: Line) -> int:
    """Cells of the grid to the circle: a power of 2."""
    return 1 << int(np.ceil(np.log2(_FINENESS * float(line.ranks.max()))))


def _places(line: Line, cells: Ints, near: int) -> Ints:
    """Points in the cells, beyond the ``near`` first."""
    size = _cells(line)
    start = np.ceil((cells - 0.5) * (line.period / size)).astype(np.int64)
    places = (start[:, None] + np.arange(line.period // size + 2)).reshape(-1)
    return np.unique(places[(places >= near) & (2 * places <= line.period)])
