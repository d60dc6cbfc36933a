"""The shuffled sums of squares as matrix products: numpy only."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array

CHUNK = 1024


def deal(draws: npt.NDArray[np.uint32], lines: int) -> npt.NDArray[np.int64]:
    """Turn random numbers (shuffles, places) into the line at every place, by Fisher and Yates.

    Examples
    --------
    >>> deal(np.zeros((1, 3), dtype=np.uint32), 4)
    array([[0, 1, 2]])
    """
    z, dealt = draws.shape
    left = np.arange(lines, lines - dealt, -1, dtype=np.uint64)
    offsets = ((draws.astype(np.uint64) * left) >> np.uint64(32)).astype(np.int64).T
    deck = np.repeat(np.arange(lines)[:, None], z, axis=1)  # one shuffle per column: every step is one long row
    flat, columns = deck.reshape(-1), np.arange(z)
    for place in range(dealt):
        other = (place + offsets[place]) * z + columns
        picked = flat[other]
        flat[other] = deck[place]
        deck[place] = picked
    return np.ascontiguousarray(deck[:dealt].T)


def sums(lines: Array, sizes: npt.NDArray[np.int64], dealing: npt.NDArray[np.integer[Any]]) -> tuple[Array, Array]:
    """Return the sums of squares of algorithm and of cells for every dealing.

    Lines are centred, so the last algorithm's sums are minus those of the others.
    """
    z, points = len(dealing), lines.shape[1]
    algorithm, cells, rest = np.zeros(z), np.zeros(z), np.zeros((z, points))
    rows = np.arange(z)[:, None]
    start = 0
    for i, size in enumerate(sizes):
        if i < len(sizes) - 1:
            chosen = np.zeros((z, len(lines)))
            chosen[rows, dealing[:, start : start + size]] = 1.0
            dealt = chosen @ lines
            rest -= dealt
            start += size
        else:
            dealt = rest
        algorithm += np.square(dealt.sum(axis=1)) / (size * points)
        cells += np.einsum("ij,ij->i", dealt, dealt) / size
    return algorithm, cells


def weighted_sums(
    lines: Array, sizes: npt.NDArray[np.int64], dealing: npt.NDArray[np.integer[Any]], quadratic: Array
) -> tuple[Array, Array]:
    """Return the same for blocks in which the algorithms have unequal shares: squares and products are weighted.

    ``quadratic`` (m, m) is the pseudo-inverse of the sums of squares and products of the algorithms within blocks.
    """
    z, points = len(dealing), lines.shape[1]
    rows, last = np.arange(z)[:, None], len(sizes) - 1
    dealt = np.zeros((len(sizes), z, points))
    start = 0
    for i, size in enumerate(sizes[:-1]):
        chosen = np.zeros((z, len(lines)))
        chosen[rows, dealing[:, start : start + size]] = 1.0
        dealt[i] = chosen @ lines
        dealt[last] -= dealt[i]
        start += size
    totals = dealt.sum(axis=-1)
    algorithm = np.einsum("iz,ij,jz->z", totals, quadratic, totals) / points
    return algorithm, np.einsum("izk,ij,jzk->z", dealt, quadratic, dealt, optimize=True)
