"""Shaffer's adjustments for all pairs."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.options import one_of
from bestofk.stats.adjust.family import in_order, pvalues
from bestofk.stats.adjust.partitions import learners_of, possible_sets


def shaffer(p: Any, kind: str = "static") -> Array:
    """Shaffer: Holm's step-down with the number of hypotheses that can still be true, for all pairs.

    If one pair of learners differs, not all the other pairs can be equal: the multiplier falls faster than Holm's.

    Parameters
    ----------
    p : array_like, (..., K(K−1)/2)
        p values of all pairs in the order (0,1), (0,2), …, (1,2), …
    kind : {"static", "dynamic"}
        ``static`` counts what may be true after that many rejections of whichever pairs; ``dynamic`` after the
        rejection of these very pairs (at most 9 learners; more power).

    References
    ----------
    Shaffer 1986. García and Herrera 2008.

    Examples
    --------
    >>> shaffer([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.03])
    """
    where = "shaffer"
    kind = one_of(kind, ("static", "dynamic"), name="kind", where=where)
    array = pvalues(p, where=where)
    k = learners_of(array.shape[-1], where=where)
    if kind == "dynamic":
        return _dynamic(array, k)
    multipliers = np.array(_static_multipliers(k), dtype=float)
    return in_order(array, lambda ordered, _: np.maximum.accumulate(multipliers * ordered, axis=-1), where=where)


@lru_cache(maxsize=256)
def _possible_counts(k: int) -> frozenset[int]:
    """How many pairs of k learners can be true at once, over all groupings."""
    if k < 2:
        return frozenset({0})
    return frozenset(size * (size - 1) // 2 + rest for size in range(1, k + 1) for rest in _possible_counts(k - size))


@lru_cache(maxsize=256)
def _static_multipliers(k: int) -> tuple[int, ...]:
    m = k * (k - 1) // 2
    return tuple(max(count for count in _possible_counts(k) if count <= m - i) for i in range(m))


def _dynamic(array: Array, k: int) -> Array:
    sets = possible_sets(k, "shaffer (dynamic)")
    sizes = sets.sum(axis=1)
    flat = array.reshape(-1, array.shape[-1])
    adjusted = np.empty(flat.shape)
    for row, p in enumerate(flat):
        alive = np.ones(len(sets), dtype=bool)  # sets without a rejected pair
        so_far = 0.0
        for pair in np.argsort(p, kind="stable"):
            most = int(sizes[alive].max()) if alive.any() else 1
            so_far = max(so_far, most * p[pair])
            adjusted[row, pair] = so_far
            alive &= ~sets[:, pair]
    return np.clip(adjusted, flat, 1.0).reshape(array.shape)
