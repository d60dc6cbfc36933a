"""Paired permutation test: every difference may as well have the other sign."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.options import alternative_of, count_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.flip_tail import flip_low, flip_tail
from bestofk.stats.method import Paper, method
from bestofk.stats.pair import paired, sizes_of
from bestofk.stats.pairwise.student import mean_over_error, spread
from bestofk.stats.results import Interval, Numeric, Result, levels_inside, open_end

#: Up to this many values all 2^L sign patterns are counted, up to that many signs are drawn.
ENUMERATE_UP_TO, DRAW_UP_TO = 16, 2_000
#: A drawn p counts where at least so many patterns are as extreme; else more are drawn, or the tail formula speaks.
FEWEST_EXTREME = 50
#: As many times more signs are drawn for small p values of at most so many values.
MORE, MORE_UP_TO = 20, 100
#: Of more values than are drawn for, signs are drawn where at most so many of the differences are not 0.
FEW_APART = 500
_CHUNK = 2_000_000  # numbers held at once
_TIES = 1e-10  # sums this close, relative to the largest possible one, are the same sum in another order of adding

ROBINSON = Paper(
    "Robinson 1982",
    "Robinson, J. Saddlepoint approximations for permutation tests and confidence intervals. Journal of the Royal "
    "Statistical Society B 44(1), 91–101, 1982.",
)
HARTIGAN = Paper(
    "Hartigan 1969",
    "Hartigan, J. A. Using subsample values as typical values. Journal of the American Statistical Association "
    "64(328), 1303–1317, 1969.",
    "10.1080/01621459.1969.10501057",
)


class PermutationResult(Result):
    """Result of ``permutation_t``: ``shuffles`` sign patterns were counted, all there are when ``exact``."""

    shuffles: int
    exact: bool
    standard_error: Numeric
    flips: Any = field(repr=False)

    symbol: ClassVar[str] = "t"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.__dict__["pvalue"] is None:
            del self.__dict__["pvalue"]

    @cached_property  # type: ignore[misc]
    def pvalue(self) -> Numeric:
        """The p value, counted when it is first asked for: an interval may do without it."""
        found = self.flips.pvalue.reshape(self.flips.shape)
        found.flags.writeable = False
        return found if found.ndim else found.item()

    @property
    def counted(self) -> Numeric:
        """How many sign patterns the p value is counted in: more for a small one, 0 for the approximation."""
        found = self.flips.counted.reshape(self.flips.shape)
        return found if found.ndim else found.item()

    def confidence_interval(self, level: Any = 0.95) -> Interval:
        """Return the differences δ that the same test does not reject at ``1 - level``, flipping the signs of dᵢ − δ.

        With sizes w they are per unit of size, dᵢ − δwᵢ. The interval excludes 0 where, and only where, p is at most
        ``1 - level``. Its ends are means of some of the differences (Hartigan 1969), and infinite where ``1 - level``
        is below the smallest p there is.
        """
        level = levels_inside(level, where=f"{self.test}, confidence_interval")
        low, high = self.flips.ends(1.0 - level)
        return open_end(low, high, self.alternative, level)


@method(
    "values",
    name="permutation-t",
    one_sided=True,
    papers=("fisher", HARTIGAN, ROBINSON),
    called="the paired permutation test",
    assumes="independent differences, each as likely with the other sign if the learners are equal",
    not_for="folds, whose training sets overlap, or fewer than six values, which cannot reject two-sided at 0.05",
)
def permutation_t(
    first: Any,
    second: Any,
    *,
    sizes: Any = None,
    shuffles: int = 10_000,
    alternative: str = "two-sided",
    rng: Seed = None,
    refine: bool = True,
) -> PermutationResult:
    """Paired permutation test: under the null hypothesis every difference may as well have the other sign.

    The t statistic of the observed signs is compared with that of flipped ones. With at most 16 values all 2^L
    patterns are counted and p is exact. Otherwise p = (b + 1)/(shuffles + 1), where b random patterns are at least as
    extreme. Where b is below 50, 20 times as many are drawn for up to 100 values; where that is still too few, and with
    more than 2,000 values, p is the saddlepoint approximation of the share of all patterns. Its relative error is below
    a few percent where many differences are of like size; where few are much larger than all others it may be wrong by
    a factor of two. Identical learners give p = 1.

    Parameters
    ----------
    first, second : array_like, (..., L)
        Losses of the two learners.
    sizes : array_like, (L,), optional
        How much each value stands for, where values are sums over groups of unequal size: the difference per unit of
        size is what the interval is of. 1 each, if not given.
    shuffles : int
        Random sign patterns when 16 < L ≤ 2,000; one set of patterns serves the whole batch.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first loses more.
    rng : int, Generator or None
        Seed; the same seed gives the same p.
    refine : bool
        Draw more for small p; without it, for thousands of tests, the saddlepoint approximation gives them at once.

    References
    ----------
    Fisher 1935. Good, *Permutation, Parametric and Bootstrap Tests of Hypotheses*, 2005. Hartigan 1969. Robinson 1982.

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
    weights = sizes_of(sizes, n, where=where)
    mean, variance, constant = spread(pair.difference, pair)
    t, _, error = mean_over_error(mean, np.sqrt(variance / n), n - 1.0, alternative, pair, constant)
    difference = np.where(pair.is_zero(pair.difference), 0.0, pair.difference)
    flips = _Flips(difference, weights, alternative, shuffles, random, refine)
    return PermutationResult(
        test=where,
        statistic=t,
        pvalue=None,
        df=(),
        estimate=mean if sizes is None else mean / weights.mean(),
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
    """Sums of differences whose signs are flipped: how many are as large as the observed, and which shifts keep that.

    t grows with the sum, whatever the signs, because Σd² does not change: the sum is enough.
    """

    def __init__(
        self,
        difference: Array,
        sizes: Array,
        alternative: str,
        shuffles: int,
        random: np.random.Generator,
        refine: bool = True,
    ) -> None:
        self.shape, n = difference.shape[:-1], difference.shape[-1]
        self.rows, self.sizes = difference.reshape(-1, n), sizes
        self.alternative = alternative
        self.exact = n <= ENUMERATE_UP_TO
        self.patterns = 2**n if self.exact else shuffles if n <= DRAW_UP_TO else 0
        self.shuffles, self.refine = shuffles, refine
        self.random = deepcopy(random)  # drawn from anew for every question: the same signs

    @property
    def pvalue(self) -> Array:
        """P values, one per row: of all patterns, of those drawn where they are enough, else of the tail formula."""
        return self._pvalue_and_patterns[0]

    @property
    def counted(self) -> npt.NDArray[np.intp]:
        """How many patterns each p value is counted in, 0 where the tail formula gives it."""
        return self._pvalue_and_patterns[1]

    @cached_property
    def _pvalue_and_patterns(self) -> tuple[Array, npt.NDArray[np.intp]]:
        counted = np.full(len(self.rows), self.patterns)
        if self.exact:
            return self._extreme(self.rows, 2 ** self.rows.shape[-1]) / self.patterns, counted
        found, left = np.ones(len(self.rows)), np.arange(len(self.rows))
        for patterns in self._stages:
            counted[left] = patterns
            extreme = self._extreme(self.rows[left], patterns)
            drawn = (np.maximum(extreme, FEWEST_EXTREME - 1.0) + 1.0) / (patterns + 1.0)
            found[left] = np.minimum(found[left], drawn)
            left = left[extreme < FEWEST_EXTREME]
        if not self.patterns:
            left = self._of_few(found, counted, left)
        if left.size:
            found[left], counted[left] = np.minimum(self._tail(left), found[left]), 0
        return found, counted

    def ends(self, alpha: Any) -> tuple[Array, Array]:
        """The smallest and the largest shift, one of each per test, that is not rejected at alpha.

        That a pattern is as extreme when δ times the sizes is taken away depends on the values that it flips: their sum
        over that of their sizes is at most δ, or that of the other values is.
        """
        level = np.broadcast_to(alpha, self.shape).reshape(-1)
        low, high = (self.rows.sum(axis=-1) / self.sizes.sum() for _ in range(2))
        left = np.arange(len(level))
        for patterns in (self.patterns,) if self.exact else self._stages:
            may = level[left] * (patterns + (not self.exact)) * (1.0 + 1e-12)
            needed = np.floor(may).astype(int) + self.exact
            self._move(low, high, left, needed if self.exact else np.maximum(needed, FEWEST_EXTREME), patterns)
            left = left[:0] if self.exact else left[may < FEWEST_EXTREME]
        if left.size:
            self._by_tail(low, high, left, level[left])
        return low.reshape(self.shape), high.reshape(self.shape)

    def _by_tail(self, low: Array, high: Array, places: Any, level: Array) -> None:
        """Set the ends of these rows farther out where the tail formula does not reject."""
        half = level / (2.0 if self.alternative == "two-sided" else 1.0)
        rejected = self.pvalue[places] <= level
        if self.alternative != "less":
            low[places] = np.minimum(low[places], flip_low(self.rows[places], self.sizes, half, rejected))
        if self.alternative != "greater":
            high[places] = np.maximum(high[places], -flip_low(-self.rows[places], self.sizes, half, rejected))

    @property
    def _stages(self) -> tuple[int, ...]:
        """Numbers of patterns to draw, one after the other where too few are extreme."""
        more = (MORE * self.shuffles,) if self.refine and self.rows.shape[-1] <= MORE_UP_TO else ()
        return (self.patterns, *more) if self.patterns else ()

    def _extreme(self, rows: Array, patterns: int) -> Array:
        """How many patterns are at least as extreme as the observed one."""
        slack = _TIES * np.abs(rows).sum(axis=-1)
        return count_extreme(rows, self._signs(rows.shape[-1], patterns), rows.sum(axis=-1), slack, self.alternative)[0]

    def _of_few(self, found: Array, counted: npt.NDArray[np.intp], left: Any) -> Any:
        """Set p of rows with few differences that are not 0, by signs of these; return the rows that are left."""
        apart = (self.rows != 0.0).sum(axis=-1)
        few = np.flatnonzero(apart <= FEW_APART)
        if not few.size:
            return left
        most = max(2, int(apart[few].max()))
        first = np.argpartition(self.rows[few] == 0.0, min(most, self.rows.shape[-1] - 1), axis=-1)[:, :most]
        rows = np.take_along_axis(self.rows[few], first, axis=-1)
        flips = _Flips(rows, np.ones(most), self.alternative, self.shuffles, self.random)
        found[few], counted[few] = flips.pvalue, flips.counted
        return np.setdiff1d(left, few)

    def _move(self, low: Array, high: Array, places: Any, needed: Any, patterns: int) -> None:
        """Move the ends of these rows out to where fewer than ``needed`` patterns are as extreme."""
        flipped = np.concatenate([signs < 0 for signs in self._signs(self.rows.shape[-1], patterns)]).astype(float)
        sizes = flipped @ self.sizes
        step = max(1, _CHUNK // len(flipped))
        for start in range(0, len(places), step):
            part = places[start : start + step]
            sums = self.rows[part] @ flipped.T
            for i, row, number in zip(part, sums, needed[start : start + step], strict=True):
                if self.alternative != "less":
                    low[i] = self._farther(low[i], self.rows[i], row, sizes, number)
                if self.alternative != "greater":
                    high[i] = -self._farther(-high[i], -self.rows[i], -row, sizes, number)

    def _farther(self, known: Any, row: Array, sums: Array, sizes: Array, needed: int) -> Any:
        """The smallest shift at which so many patterns are as extreme, if it is below the one that is known.

        ``sums`` are of the numbers that each pattern flips, ``sizes`` of their sizes.
        """
        total, slack = row.sum(), 0.5 * _TIES * np.abs(row).sum()
        over = sums - known * sizes
        extreme = over <= slack
        if self.alternative == "two-sided":
            extreme |= over >= total - known * self.sizes.sum() - slack
        if np.count_nonzero(extreme) < needed:
            return known
        sums, sizes = sums[extreme], sizes[extreme]
        shifts = _mean_of(sums, sizes, slack)
        if self.alternative == "two-sided":
            shifts = np.minimum(shifts, _mean_of(total - sums, self.sizes.sum() - sizes, slack))
        return min(known, np.partition(shifts, needed - 1)[needed - 1])

    def _tail(self, places: Any) -> Array:
        rows = self.rows[places]
        one_side = flip_tail(rows, _turned(rows.sum(axis=-1), self.alternative))
        return np.minimum(1.0, 2.0 * one_side) if self.alternative == "two-sided" else one_side

    def _signs(self, n: int, patterns: int) -> Iterator[Array]:
        return _all_signs(n) if n <= ENUMERATE_UP_TO else _random_signs(n, patterns, deepcopy(self.random))


def _mean_of(sums: Array, sizes: Array, slack: float) -> Array:
    """Sums over sizes; a sum that is rounding is 0. Nothing over nothing is below every shift."""
    empty = sizes <= 1e-12 * sizes.max()
    return np.where(empty, -np.inf, np.where(np.abs(sums) <= slack, 0.0, sums) / np.where(empty, 1.0, sizes))


def _all_signs(n: int) -> Iterator[Array]:
    bits = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
    yield np.asarray(1.0 - 2.0 * bits)


def _random_signs(n: int, shuffles: int, random: np.random.Generator) -> Iterator[Array]:
    step = max(1, _CHUNK // n)
    for start in range(0, shuffles, step):
        rows = min(step, shuffles - start)
        drawn = np.frombuffer(random.bytes(rows * -(-n // 8)), np.uint8).reshape(rows, -1)
        signs = np.unpackbits(drawn, axis=1, count=n).astype(float)  # a bit a sign: far quicker than whole numbers
        signs *= -2.0
        signs += 1.0
        yield signs
