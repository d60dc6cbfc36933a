"""Paired permutation test: every difference may as well have the other sign."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
        half = np.asarray(self.flips.critical_t(1.0 - level)) * self.standard_error
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
    flips = _Flips(difference, alternative, shuffles, int(random.integers(2**62)))
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


class _Flips:
    """Sums of differences whose signs are flipped: how many are as large as the observed, and how large few are.

    t grows with the sum, whatever the signs, because Σd² does not change: the sum is enough.
    """

    def __init__(self, difference: Array, alternative: str, shuffles: int, seed: int) -> None:
        self.shape, n = difference.shape[:-1], difference.shape[-1]
        self.rows = difference.reshape(-1, n)
        self.two_sided = alternative == "two-sided"
        self.orient = -1.0 if alternative == "less" else 1.0
        self.exact = n <= ENUMERATE_UP_TO
        self.patterns = 2**n if self.exact else shuffles if n <= DRAW_UP_TO else 0
        self.seed = seed

    def pvalue(self) -> Array:
        """P values, one per test."""
        observed = self._towards(self.rows.sum(axis=-1))
        if not self.patterns:
            return self._tail(observed, np.arange(len(observed))).reshape(self.shape)
        floor = observed - _TIES * np.abs(self.rows).sum(axis=-1)
        extreme = self._per_row(lambda sums, rows: (sums >= floor[rows, None]).sum(axis=-1))
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
            half = level[by_tail] / (2.0 if self.two_sided else 1.0)
            found[by_tail] = flip_critical(self.rows[by_tail], half)
        if not by_tail.all():
            counted = self.patterns + (not self.exact)
            fewer = np.floor(level * counted * (1.0 + 1e-12)).astype(int) - (not self.exact)
            ranked = self._per_row(lambda sums, rows: _largest(sums, fewer[rows]), whole=True)
            found = np.where(by_tail, found, ranked)
        return np.asarray(found + slack)

    def _tail(self, observed: Array, rows: Any) -> Array:
        one_side = flip_tail(self.rows[rows], observed)
        return np.minimum(1.0, 2.0 * one_side) if self.two_sided else one_side

    def _towards(self, sums: Array) -> Array:
        return np.abs(sums) if self.two_sided else self.orient * sums

    def _per_row(self, answer: Callable[[Array, slice], Array], *, whole: bool = False) -> Array:
        """Ask about the sums (rows, patterns) of some rows at a time; ``whole``: of all patterns at once."""
        found = np.zeros(len(self.rows))
        for signs in self._signs(self.patterns if whole else max(1, _CHUNK // self.rows.shape[-1])):
            step = max(1, _CHUNK // len(signs))
            for start in range(0, len(self.rows), step):
                rows = slice(start, start + step)
                found[rows] += answer(self._towards(self.rows[rows] @ signs.T), rows)
        return found

    def _signs(self, most: int) -> Iterator[Array]:
        n = self.rows.shape[-1]
        if self.exact:
            yield np.asarray(1.0 - 2.0 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1))
            return
        random = np.random.default_rng(self.seed)
        for start in range(0, self.patterns, most):
            yield np.asarray(1.0 - 2.0 * random.integers(0, 2, size=(min(most, self.patterns - start), n)))


def _largest(sums: Array, fewer: Any) -> Array:
    """Per row the sum that ``fewer`` sums exceed at most; infinite where not even none may."""
    ranked = np.sort(sums, axis=-1)
    place = np.clip(ranked.shape[-1] - 1 - fewer, 0, ranked.shape[-1] - 1)
    found = np.take_along_axis(ranked, place[:, None], axis=-1)[:, 0]
    return np.where(fewer < 0, np.inf, found)
