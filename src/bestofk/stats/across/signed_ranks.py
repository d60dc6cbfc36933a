"""Exact p values of Wilcoxon's test for many samples at once, where they can change a decision.

Without ties one null distribution serves all samples of a size. With ties every pattern of ranks has its own, and a
hundred data sets of which two are left out have thousands of patterns: these are counted out exactly only where the
normal form, with the correction for the fourth cumulant, comes near a decision. Few patterns, or small
samples, are all counted out.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from bestofk.core import special
from bestofk.core.arrays import Array, Flags
from bestofk.stats.across.question import Places
from bestofk.stats.pairwise.signed_rank_contour import lower_tails
from bestofk.stats.pairwise.signed_rank_null import lower_chances
from bestofk.stats.pairwise.wilcoxon import EXACT_UP_TO
from bestofk.stats.ranks import average_ranks

#: Samples up to this size, batches with up to so many patterns, and samples with so few ranks are exact throughout.
ALWAYS_EXACT, FEW_PATTERNS, FEW_RANKS = 30, 12, 15
#: Elsewhere only p values within a factor of a decision are counted out: the normal form is within 6 % of the exact p
#: from 0.0005 up, and within a factor of 20 below.
NEAR, NEAR_BELOW, BELOW = 1.12, 50.0, 5e-4

#: Shorter samples are counted out. Tails of longer ones may be found by integrals, which is faster where patterns stand
#: for few samples each. Microseconds, measured: n³·PER_SUM to count out the sums of n ranks; LINES once and PER_TAIL
#: each for tails by integrals.
COUNTED_UP_TO, PER_SUM, LINES, PER_TAIL = 175, 2e-4, 25_000.0, 750.0

Ints = npt.NDArray[np.int64]
Decisive = Callable[[Array], Flags]


def signed_rank_sides(difference: Array, rounding: Array, decisive: Decisive) -> tuple[Array, Array]:
    """Return the p values that the first loses less and more; last axis = data sets, zeros left out.

    ``rounding`` (..., 1) is the largest difference of two sizes that makes a tie; ``decisive`` takes two-sided p
    values (...) and says which may decide something, were they larger or smaller by their factor (``near_factor``).

    Examples
    --------
    >>> [float(p) for p in signed_rank_sides(np.array([1.0, 2.0, 3.0]), np.array([0.0]), lambda p: p < 1)]
    [1.0, 0.125]
    """
    shape = difference.shape[:-1]
    rows = difference.reshape(-1, difference.shape[-1])
    size = np.abs(rows)
    ranks = average_ranks(size, np.broadcast_to(rounding, (*shape, 1)).reshape(-1, 1))
    zeros = rows == 0
    ranks = np.where(zeros, 0.0, ranks - zeros.sum(axis=-1, keepdims=True))
    doubled = np.rint(2.0 * ranks).astype(np.int64)
    positive = np.where(rows > 0, doubled, 0).sum(axis=-1)
    total = doubled.sum(axis=-1)
    smaller = np.minimum(positive, total - positive)
    tail, other = _tails(doubled, smaller, total, lambda p: decisive(p.reshape(shape)).reshape(-1))
    above = positive >= total - positive  # the first loses more: few such sums are larger
    less, greater = np.where(above, other, tail), np.where(above, tail, other)
    return less.reshape(shape), greater.reshape(shape)


def sides_without(difference: Array, removed: Places) -> tuple[Array, Array]:
    """The same (choices, pairs) for every choice of one or two ``removed`` data sets of differences (pairs, data sets).

    No two differences of a pair may have the same size, and none be 0. W⁺ counts the averages of two differences, each
    with itself too, that are positive: what is left out takes its own averages with it.

    Examples
    --------
    >>> less, greater = sides_without(np.array([[1.0, -2.0, 3.0, 4.0]]), np.array([[1]]))
    >>> float(less[0, 0]), float(greater[0, 0])
    (1.0, 0.125)
    """
    positive = (difference[:, :, None] + difference[:, None, :] > 0).astype(np.int64)
    own = positive.sum(axis=-1)
    total = (own.sum(axis=-1) + np.einsum("pii->p", positive)) // 2
    left = total - sum(own[:, column] for column in removed.T).T
    if removed.shape[1] == 2:
        left += positive[:, removed[:, 0], removed[:, 1]].T
    ranks = np.arange(1, difference.shape[-1] - removed.shape[1] + 1)
    below = np.cumsum(lower_chances(ranks, int(ranks.sum())))
    return below[left], below[int(ranks.sum()) - left]


def near_factor(pvalue: Array) -> Array:
    """How far off a two-sided p value of the normal form may be."""
    return np.where(pvalue < 2.0 * BELOW, NEAR_BELOW, NEAR)


def _tails(doubled: Ints, smaller: Ints, total: Ints, decisive: Decisive) -> tuple[Array, Array]:
    """P[W ≤ the smaller sum], and P[W ≥ the smaller sum]."""
    tail, point = _normal(doubled, smaller, total)
    if doubled.shape[-1] <= EXACT_UP_TO:
        pattern, which = _patterns(doubled)
        exact = np.ones(len(doubled), dtype=bool)
        if doubled.shape[-1] > ALWAYS_EXACT and len(pattern) > FEW_PATTERNS:
            few = (np.diff(np.sort(doubled[pattern], axis=-1), axis=-1) > 0).sum(axis=-1) < FEW_RANKS
            exact = few[which] | decisive(np.minimum(2.0 * tail, 1.0))
        _find_exactly(doubled, smaller, pattern, which, np.flatnonzero(exact), tail, point)
    return np.minimum(tail, 1.0), np.minimum(1.0 - tail + point, 1.0)


def _normal(doubled: Ints, smaller: Ints, total: Ints) -> tuple[Array, Array]:
    """Lower tail by the normal form with Edgeworth's term for the fourth cumulant, and the chance of the sum itself.

    Up to the largest exact size the tail includes half a step of the sums, as the exact one does; beyond, none, as in
    ``wilcoxon``.
    """
    ranks = doubled.astype(float)
    variance = np.square(ranks).sum(axis=-1) / 4.0
    nothing = variance == 0  # all differences are zero
    variance = np.where(nothing, 1.0, variance)
    spread = np.sqrt(variance)
    exact_sizes = doubled.shape[-1] <= EXACT_UP_TO
    step = np.where((doubled % 2 == 0).all(axis=-1), 2.0, 1.0)
    z = (smaller + (0.5 * step if exact_sizes else 0.0) - total / 2.0) / spread
    density = np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi)
    kurtosis = -np.power(ranks, 4).sum(axis=-1) / 8.0 / np.square(variance)
    bend = np.where(np.abs(z) < 3.3, kurtosis / 24.0 * (z**3 - 3.0 * z) * density, 0.0) if exact_sizes else 0.0
    tail = np.where(nothing, 1.0, np.clip(special.ndtr(z) - bend, 1e-300, 1.0))
    point = np.where(nothing, 1.0, step / spread * density if exact_sizes else 0.0)
    return np.asarray(tail), np.asarray(point)


def _patterns(doubled: Ints) -> tuple[Ints, Ints]:
    """Rows of which each stands for all with the same ranks in some order, and which each row is like.

    Rows are told apart by power sums of their ranks with random weights per rank: equal ranks in any order give equal
    sums, and different ones do so with a chance of 2⁻⁶⁴.
    """
    weights = np.random.default_rng(0).integers(1, 2**62, size=int(doubled.max(initial=0)) + 1)
    weights[0] = 0
    key = weights[doubled].sum(axis=-1)  # wraps around, which does no harm
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    return first.astype(np.int64), which.reshape(-1).astype(np.int64)


def _find_exactly(
    doubled: Ints, smaller: Ints, pattern: Ints, which: Ints, wanted: Places, tail: Array, point: Array
) -> None:
    """Replace the tails of the rows ``wanted`` in the faster of two ways; equal ranks and sums have equal tails."""
    _, first, back = np.unique(
        which[wanted] * (smaller.max(initial=0) + 1) + smaller[wanted], return_index=True, return_inverse=True
    )
    n, patterns = doubled.shape[-1], len(np.unique(which[wanted]))
    if n <= COUNTED_UP_TO or patterns * PER_SUM * n**3 <= LINES + PER_TAIL * len(first):
        _count_out(doubled, smaller, pattern, which, wanted, tail, point)
    else:
        one_of_each = wanted[first]
        tails, points = lower_tails(doubled[one_of_each], smaller[one_of_each])
        tail[wanted], point[wanted] = tails[back], points[back]


def _count_out(
    doubled: Ints, smaller: Ints, pattern: Ints, which: Ints, wanted: Places, tail: Array, point: Array
) -> None:
    """Replace the tails of the rows ``wanted``, one null distribution per pattern of ranks."""
    order = wanted[np.argsort(which[wanted], kind="stable")]
    starts = np.flatnonzero(np.diff(which[order], prepend=-1))
    for rows in np.split(order, starts[1:]) if len(order) else ():
        ranks = doubled[pattern[which[rows[0]]]]
        chance = lower_chances(ranks[ranks > 0], int(smaller[rows].max()))
        below = np.cumsum(chance)
        tail[rows], point[rows] = below[smaller[rows]], chance[smaller[rows]]
