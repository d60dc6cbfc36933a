"""The shuffled sums of squares as compiled loops (extra ``fast``); same dealings, same sums as the matrix form."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.extras import need

CHUNK = 16_384

numba = need("numba", purpose="the compiled kernel of randomized_anova")


def _deal(draws: npt.NDArray[np.uint32], lines: int) -> npt.NDArray[np.uint32]:
    z, dealt = draws.shape
    dealing = np.empty((z, dealt), dtype=np.uint32)
    deck = np.empty(lines, dtype=np.uint32)
    for shuffle in range(z):
        for line in range(lines):
            deck[line] = line
        for place in range(dealt):
            other = place + np.int64((np.uint64(draws[shuffle, place]) * np.uint64(lines - place)) >> np.uint64(32))
            picked = deck[other]
            deck[other] = deck[place]
            deck[place] = picked
            dealing[shuffle, place] = picked
    return dealing


def _sums(lines: Array, sizes: npt.NDArray[np.int64], dealing: npt.NDArray[np.uint32]) -> tuple[Array, Array]:
    z, points = dealing.shape[0], lines.shape[1]
    algorithm, cells = np.zeros(z), np.zeros(z)
    dealt, rest = np.empty(points), np.empty(points)
    for shuffle in range(z):
        rest[:] = 0.0
        start = 0
        for i in range(sizes.shape[0] - 1):
            dealt[:] = 0.0
            end = start + sizes[i]
            while start + 4 <= end:  # four lines a pass: the running sums are read and written a quarter as often
                a, b = lines[dealing[shuffle, start]], lines[dealing[shuffle, start + 1]]
                c, d = lines[dealing[shuffle, start + 2]], lines[dealing[shuffle, start + 3]]
                for point in range(points):
                    dealt[point] += (a[point] + b[point]) + (c[point] + d[point])
                start += 4
            for place in range(start, end):
                line = lines[dealing[shuffle, place]]
                for point in range(points):
                    dealt[point] += line[point]
            start = end
            total, squares = 0.0, 0.0
            for point in range(points):
                total += dealt[point]
                squares += dealt[point] * dealt[point]
                rest[point] -= dealt[point]
            algorithm[shuffle] += total * total / (sizes[i] * points)
            cells[shuffle] += squares / sizes[i]
        total, squares = 0.0, 0.0
        for point in range(points):
            total += rest[point]
            squares += rest[point] * rest[point]
        algorithm[shuffle] += total * total / (sizes[-1] * points)
        cells[shuffle] += squares / sizes[-1]
    return algorithm, cells


# Sums may be taken in another order, so that they run in vector registers; F agrees to 1e-12 all the same.
_compiled = numba.njit(cache=True, nogil=True, fastmath={"reassoc", "nsz", "contract"})
deal: Any = _compiled(_deal)
sums: Any = _compiled(_sums)
