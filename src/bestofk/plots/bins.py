"""Edges of histograms: shared, and neither too many nor too few."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.stats.arrays import ROUNDING, Array

#: Below this a float has no steps to divide.
TINY = float(np.finfo(np.float64).tiny)


def edges_at_zero(values: Any, *, most: int = 30) -> Array:
    """Edges of which 0 is one if they pass it, so that no bar holds values of both signs."""
    plain = edges_of(values, most=most)
    width, low, high = float(plain[1] - plain[0]), float(np.min(values)), float(np.max(values))
    first = int(np.floor(low / width + 1e-9))
    last = max(int(np.ceil(high / width - 1e-9)), first + 1)
    edges = width * np.arange(first, last + 1.0)
    edges[0], edges[-1] = min(edges[0], low), max(edges[-1], high)  # rounding leaves no value outside
    return edges


def edges_of(*samples: Any, most: int = 30, fewest: int = 6) -> Array:
    """Edges over all samples together; values that are equal up to rounding get one bar around them."""
    values = np.concatenate([np.ravel(each) for each in samples])
    low, high = float(values.min()), float(values.max())
    if high - low <= max(ROUNDING * max(abs(low), abs(high)), TINY):
        half = 0.5 * max(abs(low), 1.0) * 0.1
        return np.array([low - half, low + half])
    count = int(np.clip(np.ceil(np.sqrt(values.size)), fewest, most))
    return np.linspace(low, high, count + 1)


def counts_in(values: Any, edges: Array) -> Array:
    """How many values lie between neighbouring edges."""
    return np.histogram(values, bins=edges)[0].astype(float)
