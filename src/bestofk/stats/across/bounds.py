"""Bounds that show that no set of a size can change a conclusion, so that its sets need not be tried."""

from __future__ import annotations

import numpy as np

from bestofk.core.arrays import ROUNDING, Array
from bestofk.stats.across.deciding import Decided
from bestofk.stats.across.question import Places, Question
from bestofk.stats.distributions import binomial_half_tail, t_upper

#: A bound is believed when it clears the level by this share: sums in another order differ in the last digits.
_MARGIN = 1e-9


def cannot_change(losses: Array, question: Question, everything: Decided, pair: int, size: int) -> bool:
    """Whether it is certain that the conclusion of a pair is the same without any ``size`` data sets."""
    level = question.on_its_own
    if level is None or question.test not in _BOUNDS:
        return False
    first, second = losses[question.first[pair]], losses[question.second[pair]]
    if len(first) - size < 3:
        return False
    difference = _rounded(first, second, size)
    if difference is None or (question.test == "paired-t" and _may_be_flat(first, second, difference, size)):
        return False
    return bool(_BOUNDS[question.test](difference, float(everything.conclusion[0, pair]), level, size))


def _rounded(first: Array, second: Array, size: int) -> Array | None:
    """Differences with rounding as 0; None where what is rounding depends on which ``size`` data sets are left out."""
    largest = np.sort(np.maximum(np.abs(first), np.abs(second)))
    difference = np.asarray(first - second)
    at_most, at_least = ROUNDING * largest[-1], ROUNDING * largest[-1 - size]
    gap = np.abs(difference)
    if ((gap > at_least) & (gap <= at_most)).any():
        return None
    return np.where(gap <= at_least, 0.0, difference)


def _may_be_flat(first: Array, second: Array, difference: Array, size: int) -> bool:
    """Whether some rest of the data sets has differences that are equal but for rounding; Σ(d − mean)² ≥ range²/2."""
    n = len(difference) - size
    ordered = np.sort(difference)
    narrowest = float((ordered[n - 1 :] - ordered[: size + 1]).min())
    rounding = ROUNDING * float(np.maximum(np.abs(first), np.abs(second)).max())
    return bool(narrowest <= rounding * np.sqrt(2.0 * n))


def _sign(difference: Array, conclusion: float, level: float, size: int) -> bool:
    """Counts alone matter: of ``size`` removed, any number may be wins, losses and ties, within what there is."""
    above, below = int((difference > 0).sum()), int((difference < 0).sum())
    ties = len(difference) - above - below
    wins, losses = np.meshgrid(np.arange(min(size, above) + 1), np.arange(min(size, below) + 1), indexing="ij")
    rest = size - wins - losses
    there = (rest >= 0) & (rest <= ties)
    left, right = above - wins[there], below - losses[there]
    p = binomial_half_tail(left, left + right, "two-sided")
    after = np.where(p <= level, np.sign(right - left), 0.0)
    near = np.abs(p - level) <= _MARGIN * level
    return bool((after == conclusion).all() and not near.any())


def _paired_t(difference: Array, conclusion: float, level: float, size: int) -> bool:
    n = len(difference) - size
    critical = float(t_upper(level / 2.0, n - 1.0))
    ordered = np.sort(difference)
    if conclusion == 0:
        return _never_significant(ordered, n, critical)
    return _always_significant(ordered if conclusion < 0 else -ordered[::-1], n, critical)


def likely_sets(losses: Array, question: Question, everything: Decided, pair: int, size: int) -> Places:
    """Sets of a size that come to the mind of the bound: they change the conclusion if any simple set does."""
    level = question.on_its_own
    difference = losses[question.first[pair]] - losses[question.second[pair]]
    conclusion = float(everything.conclusion[0, pair])
    order = np.argsort(difference, kind="stable")
    if level is None or question.test not in _BOUNDS or len(order) - size < 2:
        return np.empty((0, size), dtype=np.intp)
    from_above = np.arange(size + 1)
    ends = [np.concatenate([order[: size - k], order[len(order) - k :]]) for k in from_above]
    if question.test == "paired-t" and conclusion != 0:
        turned = difference if conclusion < 0 else -difference
        n = len(difference) - size
        slopes = _slopes(turned, n, float(t_upper(level / 2.0, n - 1.0)))
        terms = turned - slopes[:, None] * np.square(turned)
        ends = list(np.unique(np.sort(np.argsort(terms, axis=1)[:, n:], axis=1), axis=0))
    return np.array(ends, dtype=np.intp).reshape(-1, size)


def _slopes(difference: Array, n: int, critical: float) -> Array:
    """Tangents of the root at sums of squares around the one that a sample of n has on the average."""
    gamma = critical**2 * n / (n - 1.0 + critical**2)
    middle = np.sqrt(gamma / (4.0 * max(float(np.square(difference).mean()) * n, 1e-300)))
    return np.asarray(middle * np.geomspace(0.1, 10.0, 201))


def _never_significant(ordered: Array, n: int, critical: float) -> bool:
    """|t| of a sample of fixed size is largest on neighbours in sorted order, so these are all that need a look.

    t² grows with S²/Q (sum and sum of squares), which is convex in (S, Q): its largest value lies at a corner of the
    hull of all (S, Q). Corners with large S²/Q minimise Q − λS = Σ d² − λd for some λ: the n values nearest to λ/2.
    """
    windows = np.lib.stride_tricks.sliding_window_view(ordered, n)
    mean, spread = windows.mean(axis=1), windows.std(axis=1, ddof=1)
    return bool((np.abs(mean) * np.sqrt(n) < critical * spread * (1.0 - _MARGIN)).all())


def _always_significant(ordered: Array, n: int, critical: float) -> bool:
    """Whether t > critical for every sample of n values, by the best of many linear bounds.

    t > c means S > √(γQ) with γ = c²n/(n − 1 + c²). The root is concave, so it lies below each of its tangents:
    S − √(γQ) ≥ Σ (d − a·d²) − b for every a > 0, with b = γ/(4a), and the n smallest d − a·d² give the least of that.
    """
    gamma = critical**2 * n / (n - 1.0 + critical**2)
    squares = np.square(ordered)
    slopes = _slopes(ordered, n, critical)
    terms = np.sort(ordered - slopes[:, None] * squares, axis=1)[:, :n].sum(axis=1)
    least = terms - gamma / (4.0 * slopes)
    return bool(least.max() > _MARGIN * float(np.abs(ordered).sum()))


_BOUNDS = {"sign": _sign, "paired-t": _paired_t}
