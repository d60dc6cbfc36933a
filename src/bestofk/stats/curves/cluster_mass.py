"""Cluster masses of shuffled curves: numpy only."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array


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


def shuffled_masses(
    lines: Array,
    dealing: npt.NDArray[np.integer[Any]],
    total: Array,
    weight: float,
    df: float,
    threshold: float,
    sides: int,
) -> Array:
    """Return the largest mass of every dealing (shuffles, places of the first set) of centred lines."""
    chosen = np.zeros((len(dealing), len(lines)))
    chosen[np.arange(len(dealing))[:, None], dealing] = 1.0
    return largest_mass(step_t(chosen @ lines, total, weight, df), threshold, sides)
