"""Randomized t test of two sets of curves: whole curves are shuffled between the two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice
from math import comb
from typing import Any, ClassVar

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.core.rng import Seed, generator
from bestofk.stats.arrays import ROUNDING, Array, Flags
from bestofk.stats.curves.curve_anova import curve_sets
from bestofk.stats.options import alternative_of, count_of
from bestofk.stats.ratio import ratio
from bestofk.stats.results import Result

_TIES = 1e-9  # sums this close, relatively, are the same sum in another order of adding
_CHUNK = 2_000_000  # numbers held at once; the answer does not depend on it
_EXACT_AUTO = 10_000  # at most this many dealings are enumerated without being asked
_EXACT_MOST = 5_000_000


@dataclass(frozen=True, eq=False, repr=False)
class RandomizedTResult(Result):
    """Result of ``randomized_t``: ``shuffles`` dealings were counted, all there are when ``exact``."""

    shuffles: int
    exact: bool

    symbol: ClassVar[str] = "t"


def randomized_t(
    first: Any,
    second: Any,
    *,
    alternative: str = "two-sided",
    shuffles: int = 9999,
    rng: Seed = None,
    exact: bool | str = "auto",
) -> RandomizedTResult:
    r"""Randomized t test: which of two algorithms has the lower curves, on the average over training?

    Every curve is its mean over the k points, and

    .. math:: t = \frac{\bar y_1 - \bar y_2}{\sqrt{s^2 (1/l_1 + 1/l_2)}}, \qquad{}
              s^2 = \frac{\sum_{i}\sum_{j} (y_{ij} - \bar y_i)^2}{l_1 + l_2 - 2}

    is compared with that of curves dealt out anew, l₁ to the first and l₂ to the second: p = (b + 1)/(z + 1), where b
    of z dealings are at least as extreme. Whole curves are dealt, so the dependence within a curve does no harm.
    Unlike ``randomized_anova`` it can be one-sided, so it can order algorithms.

    Parameters
    ----------
    first, second : array_like, (..., l₁, k) and (..., l₂, k)
        Losses: one row per curve (run, fold), one column per point of training. The runs need not be paired.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first loses more.
    shuffles : int
        Number z of random dealings. A batch shares them.
    rng : int, Generator or None
        Seed; the same seed gives the same p.
    exact : {"auto", True, False}
        Enumerate all ways to deal the curves; then p = count/ways, the observed way included. ``auto`` does so when
        there are at most 10,000.

    Notes
    -----
    Two-sided p counts dealings with \|t*\| ≥ \|t\|. Curves whose means are all the same give t = 0 and p = 1 on every
    side; means that differ between but not within the two sets give t = ±∞ and the p of the dealings, never 0.

    References
    ----------
    Piater, Cohen, Zhang and Atighetchi 1998, for whole curves. Phipson and Smyth 2010 for (b + 1)/(z + 1).

    Examples
    --------
    >>> slow = [[.9, .8, .6], [.8, .7, .5], [.9, .7, .6]]
    >>> quick = [[.6, .4, .3], [.5, .4, .2], [.6, .3, .2], [.7, .4, .2]]
    >>> randomized_t(slow, quick, alternative="greater")
    randomized-t (greater): t = 9.613, p = 0.02857: rejects at 0.05
    """
    where = "randomized-t"
    alternative = alternative_of(alternative, where=where)
    shuffles = count_of(shuffles, name="shuffles", where=where)
    random = generator(rng, where=where)
    one, two = curve_sets((first, second), where=where)
    sizes = one.shape[-2], two.shape[-2]
    enumerate_all = _is_exact(exact, sizes, where)
    rounding = 4.0 * ROUNDING * np.maximum(np.abs(one).max(axis=(-2, -1)), np.abs(two).max(axis=(-2, -1)))
    means = one.mean(axis=-1), two.mean(axis=-1)
    hands = _all_hands(sizes) if enumerate_all else _random_hands(sizes, shuffles, random)
    extreme, counted = _count_extreme(np.concatenate(means, axis=-1), sizes[0], hands, alternative, rounding)
    return RandomizedTResult(
        test=where,
        statistic=_pooled_t(*means, rounding),
        pvalue=extreme / counted if enumerate_all else (extreme + 1.0) / (counted + 1.0),
        df=(),
        estimate=means[0].mean(axis=-1) - means[1].mean(axis=-1),
        alternative=alternative,
        shuffles=counted,
        exact=enumerate_all,
    )


def _pooled_t(one: Array, two: Array, rounding: Array) -> Array:
    sizes = one.shape[-1], two.shape[-1]
    effect = one.mean(axis=-1) - two.mean(axis=-1)
    residual = np.concatenate([side - side.mean(axis=-1, keepdims=True) for side in (one, two)], axis=-1)
    no_spread: Flags = (np.abs(residual) <= rounding[..., None]).all(axis=-1)
    variance = np.square(residual).sum(axis=-1) / (sum(sizes) - 2.0)
    error = np.sqrt(variance * (1.0 / sizes[0] + 1.0 / sizes[1]))
    return ratio(effect, error, no_effect=lambda: np.abs(effect) <= rounding, no_spread=no_spread)


def _count_extreme(
    means: Array, dealt: int, hands: Iterator[Array], alternative: str, rounding: Array
) -> tuple[Array, int]:
    # The total sum of squares stays the same, so t grows with the sum of the first hand: the sum is enough.
    centred = means - means.mean(axis=-1, keepdims=True)
    values = np.where(np.abs(centred) <= rounding[..., None], 0.0, centred).reshape(-1, means.shape[-1])
    orient = -1.0 if alternative == "less" else 1.0
    observed = orient * values[:, :dealt].sum(axis=-1)
    if alternative == "two-sided":
        observed = np.abs(observed)
    threshold = (observed - _TIES * np.abs(observed) - dealt * rounding.reshape(-1))[:, None]
    extreme, counted = np.zeros(len(values)), 0
    for hand in hands:
        step = max(1, _CHUNK // len(hand))
        for start in range(0, len(values), step):
            sums = orient * (values[start : start + step] @ hand.T)
            if alternative == "two-sided":
                sums = np.abs(sums)
            extreme[start : start + step] += (sums >= threshold[start : start + step]).sum(axis=-1)
        counted += len(hand)
    return extreme.reshape(means.shape[:-1]), counted


def _all_hands(sizes: tuple[int, int]) -> Iterator[Array]:
    """All ways to deal the first hand, as rows of 0 and 1."""
    lines = sum(sizes)
    ways = combinations(range(lines), sizes[0])
    while chosen := list(islice(ways, max(1, _CHUNK // lines))):
        rows = np.zeros((len(chosen), lines))
        np.put_along_axis(rows, np.array(chosen), 1.0, axis=-1)
        yield rows


def _random_hands(sizes: tuple[int, int], shuffles: int, random: np.random.Generator) -> Iterator[Array]:
    lines = sum(sizes)
    observed = (np.arange(lines) < sizes[0]).astype(float)
    step = max(1, _CHUNK // lines)
    for start in range(0, shuffles, step):
        yield random.permuted(np.tile(observed, (min(step, shuffles - start), 1)), axis=-1)


def _is_exact(exact: bool | str, sizes: tuple[int, int], where: str) -> bool:
    ways = comb(sum(sizes), sizes[0])
    if isinstance(exact, str) and exact == "auto":
        return ways <= _EXACT_AUTO
    if not isinstance(exact, bool):
        raise unknown(exact, ("auto", "True", "False"), what="exact", where=f"{where}, argument exact")
    if exact and ways > _EXACT_MOST:
        raise InputError(
            f"there are {ways} ways to deal the curves.",
            f"{where}, argument exact",
            "use exact=False with shuffles.",
        )
    return exact
