"""Shuffled sums of squares and cluster masses as compiled loops (extra ``fast``); the same numbers as with numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled, reordered

CHUNK = 16_384


@reordered
def deal(draws: npt.NDArray[np.uint32], lines: int) -> npt.NDArray[np.uint32]:
    """Random dealings of lines, from random numbers."""
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


@reordered
def sums(lines: Array, sizes: npt.NDArray[np.int64], dealing: npt.NDArray[np.uint32]) -> tuple[Array, Array]:
    """Sums of squares of algorithms and of cells, of every dealing; in any order F agrees to 1e-12."""
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


@compiled
def masses(
    lines: Array,
    dealing: npt.NDArray[np.integer[Any]],
    total: Array,
    weight: float,
    df: float,
    threshold: float,
    sides: int,
) -> Array:
    """The largest mass of a cluster in every dealing."""
    shuffles, dealt = dealing.shape
    points = lines.shape[1]
    largest = np.zeros(shuffles)
    sums = np.empty(points)
    for shuffle in range(shuffles):
        sums[:] = 0.0
        for place in range(dealt):
            line = lines[dealing[shuffle, place]]
            for point in range(points):
                sums[point] += line[point]
        up, down, most = 0.0, 0.0, 0.0
        for point in range(points):
            square = sums[point] * sums[point]
            tiny = 1e-12 * weight * total[point]
            error = weight * total[point] - square
            t = 0.0
            if square > tiny:
                if error <= tiny:
                    t = np.copysign(np.inf, sums[point])
                else:
                    t = sums[point] * np.sqrt(df / error)
            up = up + t if t >= threshold else 0.0
            down = down - t if sides == 2 and -t >= threshold else 0.0
            most = max(most, up, down)
        largest[shuffle] = most
    return largest
