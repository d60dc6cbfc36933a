"""How far K repeated measurements are from sphericity: epsilon of Greenhouse–Geisser and Huynh–Feldt."""

from __future__ import annotations

import numpy as np

from bestofk.core.arrays import Array


def greenhouse_geisser(table: Array) -> Array:
    """Return epsilon of a table (..., K, n): K learners measured on n folds or items; 1 under sphericity.

    Examples
    --------
    >>> float(greenhouse_geisser(np.array([[1.0, 2.0, 4.0], [2.0, 3.0, 3.0]])))
    1.0
    """
    k = table.shape[-2]
    centred = table - table.mean(axis=-1, keepdims=True)
    centred = centred - centred.mean(axis=-2, keepdims=True)  # contrasts between learners only
    reach = np.abs(centred).max(axis=(-2, -1), keepdims=True)  # fourth powers follow: bring them near 1
    centred = centred / np.where(reach > 0, reach, 1.0)
    covariance = centred @ np.swapaxes(centred, -1, -2)
    trace = np.trace(covariance, axis1=-2, axis2=-1)
    squares = np.square(covariance).sum(axis=(-2, -1))
    flat = squares <= 0
    return np.where(flat, 1.0, np.clip(np.square(trace) / ((k - 1) * np.where(flat, 1.0, squares)), 1 / (k - 1), 1.0))


def huynh_feldt(epsilon: Array, k: int, n: int) -> Array:
    """Return Huynh and Feldt's epsilon, at most 1, from Greenhouse and Geisser's."""
    below = (k - 1) * (n - 1 - (k - 1) * epsilon)
    value = (n * (k - 1) * epsilon - 2.0) / np.where(below > 0, below, 1.0)
    return np.where(below > 0, np.clip(value, epsilon, 1.0), 1.0)  # too few folds for the formula: no correction left
