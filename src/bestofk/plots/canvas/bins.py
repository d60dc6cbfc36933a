"""Edges of histograms: shared, and neither too many nor too few."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import ROUNDING, Array

#: Below this a float has no steps to divide.
TINY = float(np.finfo(np.float64).tiny)
#: The narrowest bar that is still seen, as a share of what the axis shows.
SEEN = 0.04


def edges_of_differences(values: Any, *, most: int = 30, scale: float = 1.0) -> Array:
    """Edges with a bar centred on 0 where some values are 0; else none holds both signs, and each is wide enough.

    ``scale`` is the size of the numbers that were subtracted: how wide the bar of differences that are all 0 is.
    """
    given = np.asarray(values, dtype=float)
    low, high = float(given.min()), float(given.max())
    shown = max(high, 0.0) - min(low, 0.0)
    if high - low <= max(SEEN * shown, TINY):
        middle, half = low + (high - low) / 2, SEEN * max(shown or abs(scale) or 1.0, TINY / SEEN) / 2
        return np.array([min(middle - half, low), max(middle + half, high)])
    return _edges_around_zero(given, most) if (given == 0.0).any() else edges_at_zero(given, most=most)


def edges_at_zero(values: Any, *, most: int = 30) -> Array:
    """Edges of which 0 is one if they pass it, so that no bar holds values of both signs."""
    plain = edges_of(values, most=most)
    low, high = float(np.min(values)), float(np.max(values))
    width = max(float(plain[1] - plain[0]), 0.5 * SEEN * (max(high, 0.0) - min(low, 0.0)))
    first = int(np.floor(low / width + 1e-9))
    last = max(int(np.ceil(high / width - 1e-9)), first + 1)
    edges = width * np.arange(first, last + 1.0)
    edges[0], edges[-1] = min(edges[0], low), max(edges[-1], high)  # rounding leaves no value outside
    return edges


def _edges_around_zero(values: Array, most: int) -> Array:
    """Bars at multiples of their width, the one at 0 free of other values where that takes no more than ``most``."""
    width = _width_around_zero(values, most)
    first, last = np.rint(np.array([values.min(), values.max()]) / width)
    edges = width * (np.arange(first, last + 2.0) - 0.5)
    edges[0], edges[-1] = min(edges[0], values.min()), max(edges[-1], values.max())
    return edges


def _width_around_zero(values: Array, most: int) -> float:
    """The step of values that come in steps, as those of whole items do; else narrow enough for the bar at 0."""
    plain = np.diff(edges_of(values, most=most)[:2])[0]
    finest, step = np.ptp(values) / most, np.abs(values[values != 0.0]).min()
    steps = values / step
    if step >= finest and np.abs(steps - np.rint(steps)).max() < 1e-6:
        return float(step)
    return float(plain if plain < 2 * step else max(step, finest))


def edges_of(*samples: Any, most: int = 30, fewest: int = 6) -> Array:
    """Edges over all samples together; values that are equal up to rounding get one bar around them."""
    values = np.concatenate([np.ravel(each) for each in samples])
    low, high = float(values.min()), float(values.max())
    if high - low <= max(ROUNDING * max(abs(low), abs(high)), TINY):
        half = 0.05 * (abs(low) if abs(low) > TINY else 1.0)
        return np.array([low - half, low + half])
    count = int(np.clip(np.ceil(np.sqrt(values.size)), fewest, most))
    return np.linspace(low, high, count + 1)


def counts_in(values: Any, edges: Array) -> Array:
    """How many values lie between neighbouring edges."""
    return np.histogram(values, bins=edges)[0].astype(float)
