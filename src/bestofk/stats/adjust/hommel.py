"""Hommel's adjustment."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.stats.adjust.family import in_order


def hommel(p: Any) -> Array:
    """Hommel: Simes' test of every subset, closed; at least as powerful as Hochberg.

    References
    ----------
    Hommel 1988. Wright 1992 for the algorithm.

    Examples
    --------
    >>> hommel([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.04])
    """
    return in_order(p, _rule, where="hommel")


def _rule(ordered: Array, place: Array) -> Array:
    m = len(place)
    adjusted = np.repeat((m * ordered / place).min(axis=-1, keepdims=True), m, axis=-1)
    for size in range(m - 1, 1, -1):
        # Subsets of this size: the largest size − 1 p values decide, then the smaller ones against them.
        split = m - size + 1
        tail = (size * ordered[..., split:] / np.arange(2, size + 1)).min(axis=-1, keepdims=True)
        head = np.minimum(size * ordered[..., :split], tail)
        adjusted = np.maximum(adjusted, np.concatenate([head, np.repeat(head[..., -1:], size - 1, axis=-1)], axis=-1))
    return np.asarray(np.maximum(adjusted, ordered))
