"""Paired permutation test: every difference may as well have the other sign."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import field
from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.options import alternative_of, count_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.flip_tail import flip_critical, flip_tail
from bestofk.stats.method import Paper, method
from bestofk.stats.pair import paired
from bestofk.stats.pairwise.student import mean_over_error, spread
from bestofk.stats.results import Interval, Numeric, Result, around, levels_inside

#: Up to this many values all 2^L sign patterns are counted, up to that many signs are drawn.
ENUMERATE_UP_TO, DRAW_UP_TO = 16, 2_000
#: Smaller p values are those of the tail formula where signs are drawn: shuffles are too few to tell them apart.
TAIL = 0.01
_CHUNK = 2_000_000  # numbers held at once
_TIES = 1e-10  # sums this close, relative to the largest possible one, are the same sum in another order of adding

ROBINSON = Paper(
    "Robinson 1982",
    "Robinson, J. Saddlepoint approximations for permutation tests and confidence intervals. Journal of the Royal "
    "Statistical Society B 44(1), 91–101, 1982.",
)


class PermutationResult(Result):
    """Result of ``permutation_t``: ``shuffles`` sign patterns were counted, all there are when ``exact``."""

    shuffles: int
    exact: bool
    standard_error: Numeric
    flips: Any = field(repr=False)

    symbol: ClassVar[str] = "t"

    def confidence_interval(self, level: Any = 0.95) -> Interval:
        """Return the interval of differences; it excludes 0 where, and only where, p is at most ``1 - level``."""
        level = levels_inside(level, where=f"{self.test}, confidence_interval")
        critical = np.asarray(self.flips.critical_t(1.0 - level))
        error, estimate = np.broadcast_arrays(self.standard_error, self.estimate)
        half = np.where(error > 0, critical, 1.0) * error
        half = np.where((error > 0) | np.isfinite(critical), half, np.abs(estimate))  # equal and too few: just not 0
        return around(self.estimate, half, self.alternative, level)


@method("values", one_sided=True, papers=("fisher", ROBINSON))
def permutation_t(
    first: Any, second: Any, *, shuffles: int = 10_000, alternative: str = "two-sided", rng: Seed = None
) -> PermutationResult:
    """Paired permutation test: under the null hypothesis every difference may as well have the other sign.

    The t statistic of the observed signs is compared with that of flipped ones. With at most 16 values all 2^L
    patterns are counted and p is exact. Otherwise p = (b + 1)/(shuffles + 1), where b random patterns are at least as
    extreme; where that is below 0.01, and with more than 2,000 values, p is the saddlepoint approximation of the share
    of all patterns, whose relative error is a few percent however small p is. Identical learners give p = 1.

    Parameters
    ----------
    first, second : array_like, (..., L)
        Losses of the two learners.
    shuffles : int
        Random sign patterns when 16 < L ≤ 2,000; one set of patterns serves the whole batch.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first loses more.
    rng : int, Generator or None
        Seed; the same seed gives the same p.

    References
    ----------
    Fisher 1935. Good, *Permutation, Parametric and Bootstrap Tests of Hypotheses*, 2005. Robinson 1982.

    Examples
    --------
    >>> permutation_t([3, 4, 5, 6], [1, 2, 3, 3], alternative="greater").pvalue
    0.0625
    """
    where = "permutation-t"
    alternative = alternative_of(alternative, where=where)
    shuffles = count_of(shuffles, name="shuffles", where=where)
    random = generator(rng, where=where)
    pair = paired(first, second, where=where)
    n = pair.difference.shape[-1]
    mean, variance, constant = spread(pair.difference, pair)
    t, _, error = mean_over_error(mean, np.sqrt(variance / n), n - 1.0, alternative, pair, constant)
    difference = np.where(pair.is_zero(pair.difference), 0.0, pair.difference)
    flips = _Flips(difference, alternative, shuffles, random)
    return PermutationResult(
        test=where,
        statistic=t,
        pvalue=flips.pvalue(),
        df=(),
        estimate=mean,
        alternative=alternative,
        shuffles=flips.patterns,
        exact=flips.exact,
        standard_error=error,
        flips=flips,
    )


def count_extreme(
    values: Array, patterns: Iterator[Array], observed: Array, slack: Array, alternative: str
) -> tuple[Array, int]:
    """How many patterns, rows of weights, give sums of the values at least as extreme as observed; and of how many.

    ``slack`` is how far below the observed sum another one may be that is the same in another order of adding.
    """
    rows, threshold = values.reshape(-1, values.shape[-1]), (_turned(observed, alternative) - slack).reshape(-1, 1)
    extreme, counted = np.zeros(len(rows)), 0
    for weights in patterns:
        step = max(1, _CHUNK // len(weights))
        for start in range(0, len(rows), step):
            sums = _turned(rows[start : start + step] @ weights.T, alternative)
            extreme[start : start + step] += (sums >= threshold[start : start + step]).sum(axis=-1)
        counted += len(weights)
    return extreme.reshape(values.shape[:-1]), counted


def _turned(sums: Array, alternative: str) -> Array:
    """Sums towards the side asked about."""
    return np.abs(sums) if alternative == "two-sided" else -sums if alternative == "less" else sums


class _Flips:
    """Sums of differences whose signs are flipped: how many are as large as the observed, and how large few are.

    t grows with the sum, whatever the signs, because Σd² does not change: the sum is enough.
    """

    def __init__(self, difference: Array, alternative: str, shuffles: int, random: np.random.Generator) -> None:
        self.shape, n = difference.shape[:-1], difference.shape[-1]
        self.rows = difference.reshape(-1, n)
        self.alternative = alternative
        self.exact = n <= ENUMERATE_UP_TO
        self.patterns = 2**n if self.exact else shuffles if n <= DRAW_UP_TO else 0
        self.random = deepcopy(random)  # drawn from anew for every question: the same signs

    def pvalue(self) -> Array:
        """P values, one per test."""
        observed = self._towards(self.rows.sum(axis=-1))
        if not self.patterns:
            return self._tail(observed, np.arange(len(observed))).reshape(self.shape)
        slack = _TIES * np.abs(self.rows).sum(axis=-1)
        extreme, _ = count_extreme(self.rows, self._signs(), self.rows.sum(axis=-1), slack, self.alternative)
        if self.exact:
            return (extreme / self.patterns).reshape(self.shape)
        drawn = (extreme + 1.0) / (self.patterns + 1.0)
        rare = np.flatnonzero(drawn < TAIL)
        if rare.size:
            drawn[rare] = np.minimum(self._tail(observed[rare], rare), TAIL)
        return drawn.reshape(self.shape)

    def critical_t(self, alpha: Array) -> Array:
        """The largest t, one per test, that is not rejected at alpha."""
        level = np.broadcast_to(alpha, self.shape).reshape(-1)
        sums = self._critical_sums(level)
        squares, n = np.square(self.rows).sum(axis=-1), self.rows.shape[-1]
        with np.errstate(divide="ignore", invalid="ignore"):
            t = sums / np.sqrt(np.maximum(squares * n - sums * sums, 0.0) / (n - 1.0))
        return np.where(sums == 0.0, 0.0, t).reshape(self.shape)

    def _critical_sums(self, level: Array) -> Array:
        slack = 2.0 * _TIES * np.abs(self.rows).sum(axis=-1)
        by_tail = np.full(len(level), not self.patterns) if not self.exact else np.zeros(len(level), dtype=bool)
        by_tail |= (level < TAIL) & (not self.exact)
        found = np.zeros(len(level))
        if by_tail.any():
            half = level[by_tail] / (2.0 if self.alternative == "two-sided" else 1.0)
            found[by_tail] = flip_critical(self.rows[by_tail], half)
        if not by_tail.all():
            counted = self.patterns + (not self.exact)
            fewer = np.floor(level * counted * (1.0 + 1e-12)).astype(int) - (not self.exact)
            signs = np.concatenate(list(self._signs()))
            step = max(1, _CHUNK // len(signs))
            for start in range(0, len(level), step):
                rows = slice(start, start + step)
                ranked = _largest(self._towards(self.rows[rows] @ signs.T), fewer[rows])
                found[rows] = np.where(by_tail[rows], found[rows], ranked)
        return np.asarray(found + slack)

    def _tail(self, observed: Array, rows: Any) -> Array:
        one_side = flip_tail(self.rows[rows], observed)
        return np.minimum(1.0, 2.0 * one_side) if self.alternative == "two-sided" else one_side

    def _towards(self, sums: Array) -> Array:
        return _turned(sums, self.alternative)

    def _signs(self) -> Iterator[Array]:
        n = self.rows.shape[-1]
        return _all_signs(n) if self.exact else _random_signs(n, self.patterns, deepcopy(self.random))


def _all_signs(n: int) -> Iterator[Array]:
    bits = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
    yield np.asarray(1.0 - 2.0 * bits)


def _random_signs(n: int, shuffles: int, random: np.random.Generator) -> Iterator[Array]:
    step = max(1, _CHUNK // n)
    for start in range(0, shuffles, step):
        yield np.asarray(1.0 - 2.0 * random.integers(0, 2, size=(min(step, shuffles - start), n)))


def _largest(sums: Array, fewer: Any) -> Array:
    """Per row the sum that ``fewer`` sums exceed at most; infinite where not even none may."""
    ranked = np.sort(sums, axis=-1)
    place = np.clip(ranked.shape[-1] - 1 - fewer, 0, ranked.shape[-1] - 1)
    found = np.take_along_axis(ranked, place[:, None], axis=-1)[:, 0]
    return np.where(fewer < 0, np.inf, found)
