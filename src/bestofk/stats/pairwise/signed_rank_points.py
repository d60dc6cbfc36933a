"""The integrand of ``signed_rank_contour`` at points of one line, for many samples of ranks at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, Flags

Ints = npt.NDArray[np.int64]

#: On the grid a rise may be missed by a part of its height; what is this far down cannot be one.
_SAFE = 1.5
#: Cells of the grid to a turn of the largest rank.
_FINENESS = 8.0
#: −log of a factor at the end of a cell in whose middle it is 0: −log sin(π/16).
_FALL_AT_ENDS = 1.6
#: Values held at once: they stay in cache.
_MOST_VALUES = 120_000
#: Products of numbers in a product of matrices.
_MOST_PRODUCTS = 250_000
#: What a call costs by itself, and a product of numbers, in logarithms.
_CALL, _PRODUCT = 2_000, 0.01


@dataclass(frozen=True, eq=False)
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
    step = max(1, _MOST_VALUES // max(1, len(ranks)))
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
    step = max(1, _MOST_VALUES // max(1, len(ranks)))
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
