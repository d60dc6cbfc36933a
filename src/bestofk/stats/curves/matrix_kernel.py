"""Shuffled sums of squares and cluster masses as matrix products: numpy only."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array

#: Dealings: the line at every place.
Lines = npt.NDArray[np.integer[Any]]

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


def sums(lines: Array, sizes: npt.NDArray[np.int64], dealing: Lines) -> tuple[Array, Array]:
    """Return the sums of squares of algorithm and of cells for every dealing."""
    algorithm, cells = np.zeros(len(dealing)), np.zeros(len(dealing))
    for size, dealt in zip(sizes, _dealt(lines, sizes, dealing), strict=True):
        algorithm += np.square(dealt.sum(axis=1)) / (size * lines.shape[1])
        cells += np.einsum("ij,ij->i", dealt, dealt) / size
    return algorithm, cells


def weighted_sums(lines: Array, sizes: npt.NDArray[np.int64], dealing: Lines, quadratic: Array) -> tuple[Array, Array]:
    """Return the same for blocks in which the algorithms have unequal shares: squares and products are weighted.

    ``quadratic`` (m, m) is the pseudo-inverse of the sums of squares and products of the algorithms within blocks.
    """
    dealt = _dealt(lines, sizes, dealing)
    totals = dealt.sum(axis=-1)
    algorithm = np.einsum("iz,ij,jz->z", totals, quadratic, totals) / lines.shape[1]
    return algorithm, np.einsum("izk,ij,jzk->z", dealt, quadratic, dealt, optimize=True)


def _dealt(lines: Array, sizes: npt.NDArray[np.int64], dealing: Lines) -> Array:
    """Sums of the lines dealt to every algorithm, (m, dealings, points).

    Lines are centred, so the last algorithm's sums are minus those of the others.
    """
    dealt = np.zeros((len(sizes), len(dealing), lines.shape[1]))
    start = 0
    for i, size in enumerate(sizes[:-1]):
        dealt[i] = _chosen(dealing[:, start : start + size], len(lines)) @ lines
        dealt[-1] -= dealt[i]
        start += size
    return dealt


def _chosen(dealing: Lines, lines: int) -> Array:
    """1 where a dealing has a line, else 0."""
    chosen = np.zeros((len(dealing), lines))
    chosen[np.arange(len(dealing))[:, None], dealing] = 1.0
    return chosen


def step_t(sums: Array, total: Array, weight: float, df: float) -> Array:
    """T of every step from the sums of the first set's centred values; 0 without any variation, ±∞ without error.

    t² = ν s²/(wT − s²), with T the total sum of squares of the step and w that of the set's indicator.
    """
    error = weight * total - np.square(sums)
    tiny = 1e-12 * weight * total
    moved = np.square(sums) > tiny
    with np.errstate(divide="ignore", invalid="ignore"):
        t = sums * np.sqrt(df / np.where(error <= tiny, 0.0, error))
    return np.where(moved, t, 0.0)


def largest_mass(t: Array, threshold: float, sides: int) -> Array:
    """Return the largest sum of t over neighbouring steps beyond the threshold; ``sides`` 2 looks at both signs.

    Examples
    --------
    >>> largest_mass(np.array([[3.0, 0.0, 2.5, 2.5], [0.0, -4.0, -3.0, 1.0]]), 2.0, 2)
    array([5., 7.])
    """
    largest = np.zeros(t.shape[:-1])
    for side in (t, -t)[:sides]:
        running = np.zeros(t.shape[:-1])
        for point in range(t.shape[-1]):
            beyond = side[..., point] >= threshold
            running = np.where(beyond, running + np.where(beyond, side[..., point], 0.0), 0.0)  # no inf − inf beside
            np.maximum(largest, running, out=largest)
    return largest


def masses(lines: Array, dealing: Lines, total: Array, weight: float, df: float, threshold: float, sides: int) -> Array:
    """Return the largest mass of every dealing (shuffles, places of the first set) of centred lines."""
    return largest_mass(step_t(_chosen(dealing, len(lines)) @ lines, total, weight, df), threshold, sides)
