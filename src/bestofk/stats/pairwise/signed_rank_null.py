"""Exact null distribution of a sum of ranks with random signs, ties included."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled_wanted
from bestofk.stats.pairwise.signed_rank_contour import lower_tails

Ints = npt.NDArray[np.int64]

#: Steps of counting out, all samples together; beyond, tails are found by an integral (``signed_rank_contour``).
MOST_COUNTED = 3e8
#: Steps of counting one tail that are as quick as the integral; more with few ranks, where it has many points.
_FEW_STEPS, _FEW_RANKS, _STEPS_OF_FEW_RANKS = 2_000_000, 20, 6_000_000
#: So many tails are counted in compiled loops, where they are there: to load them takes as long as a thousand.
_MANY = 2_000
#: Of a hash of ranks.
_ODD = 0x9E3779B97F4A7C15


def signed_rank_tails(ranks: Array, statistic: Array) -> tuple[Array, Array]:
    """Return P[W ≥ w] and P[W ≤ w] when every rank (last axis, 0 = not taking part) has a random sign.

    Tests that share the same ranks share one distribution: without ties that is one per sample size.

    Examples
    --------
    >>> [float(p) for p in signed_rank_tails(np.array([1.0, 2.0, 3.0]), np.array(6.0))]
    [0.125, 1.0]
    """
    doubled = np.sort(np.rint(2.0 * ranks).astype(np.int64), axis=-1)  # mid-ranks are halves
    rows, which = _distinct(doubled.reshape(-1, doubled.shape[-1]))
    observed = np.rint(2.0 * statistic).astype(np.int64).reshape(-1)
    if len(rows) * float(doubled.shape[-1]) ** 3 > MOST_COUNTED:
        at_least, at_most = _long_tails(rows[which], observed)
        return at_least.reshape(statistic.shape), at_most.reshape(statistic.shape)
    at_least, at_most = np.empty(observed.shape), np.empty(observed.shape)
    for i, row in enumerate(rows):
        here = which == i
        lower = _lower_tail(tuple(int(rank) for rank in row if rank > 0))
        at_most[here] = lower[observed[here]]
        at_least[here] = lower[len(lower) - 1 - observed[here]]  # the distribution is symmetric
    return at_least.reshape(statistic.shape), at_most.reshape(statistic.shape)


def _distinct(rows: Ints) -> tuple[Ints, npt.NDArray[np.intp]]:
    """Rows that differ, and which of them each is: by a hash of every row; sorted whole only where two hashes meet."""
    weights = np.cumprod(np.full(rows.shape[-1], _ODD, dtype=np.uint64))  # modulo 2^64
    _, first, which = np.unique(rows.astype(np.uint64) @ weights, return_index=True, return_inverse=True)
    if not np.array_equal(rows[first][which], rows):
        distinct, which = np.unique(rows, axis=0, return_inverse=True)
        return distinct, which.reshape(-1)
    return rows[first], which


def _long_tails(doubled: Ints, observed: Ints) -> tuple[Array, Array]:
    """The same for many long samples with ties, each with a distribution of its own."""
    total = doubled.sum(axis=-1)
    smaller = np.minimum(observed, total - observed)
    below, point = np.empty(len(doubled)), np.empty(len(doubled))
    ranks = np.count_nonzero(np.diff(doubled, axis=-1), axis=-1)  # that differ; they are sorted
    most = np.where(ranks < _FEW_RANKS, _STEPS_OF_FEW_RANKS, _FEW_STEPS)
    few = smaller * doubled.shape[-1] <= most  # far out in the tail sums are small and soon counted
    if np.count_nonzero(few) > _MANY and compiled_wanted():
        from bestofk.stats.pairwise.compiled_counts import tails

        below[few], point[few] = tails(doubled[few], smaller[few])
    else:
        for i in np.flatnonzero(few):
            chance = lower_chances(doubled[i][doubled[i] > 0], int(smaller[i]))
            below[i], point[i] = chance.sum(), chance[-1]
    rest = np.flatnonzero(~few)
    if rest.size:
        below[rest], point[rest] = lower_tails(doubled[rest], smaller[rest])
    other = np.minimum(1.0 - below + point, 1.0)
    left = observed == smaller  # the lower half: as few sums below as were seen
    return np.where(left, other, below), np.where(left, below, other)


@lru_cache(maxsize=64)
def _lower_tail(ranks: tuple[int, ...]) -> Array:
    """P[W ≤ w] for w = 0 … Σ ranks."""
    return np.minimum(np.cumsum(lower_chances(np.array(ranks, dtype=np.int64), sum(ranks))), 1.0)


def lower_chances(ranks: Ints, upto: int) -> Array:
    """P[W = w] for w = 0 … ``upto``, when every rank has a random sign.

    Examples
    --------
    >>> lower_chances(np.array([1, 2, 3]), 3).tolist()
    [0.125, 0.125, 0.125, 0.25]
    """
    common = int(np.gcd.reduce(ranks)) if len(ranks) else 1
    count = _counted_in_lanes if len(ranks) <= _MOST_IN_LANES else _counted_in_arrays
    chance = count(ranks // common, upto // common) * 0.5 ** len(ranks)
    if common == 1:
        return np.asarray(chance)
    spaced = np.zeros(upto + 1)
    spaced[::common] = chance
    return spaced


#: Counts of sign patterns of so many ranks fit into lanes of 64 bits.
_MOST_IN_LANES = 62


def _counted_in_lanes(ranks: Ints, upto: int) -> Array:
    """Number of sign patterns per sum: one long integer holds all, a lane each, and a rank is one shift and one sum."""
    lane = 32 if len(ranks) <= 30 else 64
    patterns = 1
    for rank in ranks.tolist():
        patterns += patterns << (lane * rank)
    size = lane // 8
    kept = patterns & ((1 << (lane * (upto + 1))) - 1)
    raw = kept.to_bytes(size * (upto + 1), "little")
    return np.frombuffer(raw, dtype=f"<u{size}").astype(float)


def _counted_in_arrays(ranks: Ints, upto: int) -> Array:
    chance = np.zeros(upto + 1)
    chance[0] = 1.0
    reached = 0
    for rank in np.sort(ranks):
        end = min(reached + rank, len(chance) - 1)
        if rank <= end:
            chance[rank : end + 1] += chance[: end + 1 - rank]  # numpy sees the overlap and copies
        reached = end
    return chance
