"""Exact null distribution of a sum of ranks with random signs, ties included."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from bestofk.stats.arrays import Array


def signed_rank_tails(ranks: Array, statistic: Array) -> tuple[Array, Array]:
    """Return P[W ≥ w] and P[W ≤ w] when every rank (last axis, 0 = not taking part) has a random sign.

    Tests that share the same ranks share one distribution: without ties that is one per sample size.

    Examples
    --------
    >>> [float(p) for p in signed_rank_tails(np.array([1.0, 2.0, 3.0]), np.array(6.0))]
    [0.125, 1.0]
    """
    doubled = np.sort(np.rint(2.0 * ranks).astype(np.int64), axis=-1)  # mid-ranks are halves
    rows, which = np.unique(doubled.reshape(-1, doubled.shape[-1]), axis=0, return_inverse=True)
    observed = np.rint(2.0 * statistic).astype(np.int64).reshape(-1)
    at_least, at_most = np.empty(observed.shape), np.empty(observed.shape)
    for i, row in enumerate(rows):
        here = which.reshape(-1) == i
        lower = _lower_tail(tuple(int(rank) for rank in row if rank > 0))
        at_most[here] = lower[observed[here]]
        at_least[here] = lower[len(lower) - 1 - observed[here]]  # the distribution is symmetric
    return at_least.reshape(statistic.shape), at_most.reshape(statistic.shape)


@lru_cache(maxsize=64)
def _lower_tail(ranks: tuple[int, ...]) -> Array:
    """P[W ≤ w] for w = 0 … Σ ranks, one rank after the other."""
    probability = np.zeros(sum(ranks) + 1)
    probability[0] = 1.0
    reached = 0
    for rank in ranks:
        reached += rank
        shifted = probability[: reached - rank + 1].copy()
        probability[: reached + 1] *= 0.5
        probability[rank : reached + 1] += 0.5 * shifted
    return np.minimum(np.cumsum(probability), 1.0)
