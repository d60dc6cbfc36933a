"""Two learners' independent runs: Welch's t test, and runs dealt anew between the two."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from math import comb
from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import ROUNDING, Array, Flags, numbers, squarable
from bestofk.core.errors import InputError
from bestofk.core.options import alternative_of, count_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.distributions import t_tail
from bestofk.stats.method import Paper, method
from bestofk.stats.pairwise.student import StudentResult
from bestofk.stats.ratio import ratio
from bestofk.stats.results import Interval, Numeric, Result, around, levels_inside

#: Up to this many ways to deal the runs all are counted.
ENUMERATE_UP_TO = 10_000
_CHUNK = 2_000_000  # numbers held at once
_TIES = 1e-9  # shares of variance this close, relatively, are the same share in another order of adding
_NOTHING = 1e-24  # a share of variance that is rounding

WELCH = Paper(
    "Welch 1947",
    "Welch, B. L. The generalization of Student's problem when several different population variances are involved. "
    "Biometrika 34(1–2), 28–35, 1947.",
    "10.1093/biomet/34.1-2.28",
)
JANSSEN = Paper(
    "Janssen 1997",
    "Janssen, A. Studentized permutation tests for non-i.i.d. hypotheses and the generalized Behrens–Fisher problem. "
    "Statistics & Probability Letters 36(1), 9–21, 1997.",
    "10.1016/S0167-7152(97)00043-6",
)


@method("runs", one_sided=True, papers=(WELCH,))
def welch_t(first: Any, second: Any, *, alternative: str = "two-sided") -> StudentResult:
    r"""Welch's t test: do two learners differ, whose runs are independent and may vary unequally?

    .. math:: t = \frac{\bar x_1 - \bar x_2}{\sqrt{s_1^2/l_1 + s_2^2/l_2}}, \qquad{}
              \mathit{df} = \frac{(s_1^2/l_1 + s_2^2/l_2)^2}
              {(s_1^2/l_1)^2/(l_1 - 1) + (s_2^2/l_2)^2/(l_2 - 1)}

    Parameters
    ----------
    first, second : array_like, (..., l₁) and (..., l₂)
        Losses of the two learners' runs (seeds); at least two each, not paired.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first loses more.

    References
    ----------
    Welch 1947.

    Examples
    --------
    >>> welch_t([.21, .25, .22, .24], [.18, .20, .19])
    welch-t (two-sided): t = 3.703, df = 4.742, p = 0.01534: rejects at 0.05
    """
    where = "welch-t"
    alternative = alternative_of(alternative, where=where)
    runs = _Runs(first, second, where)
    return StudentResult(
        test=where,
        statistic=runs.t,
        pvalue=t_tail(runs.t, runs.df, alternative),
        df=(runs.df,),
        estimate=runs.estimate,
        alternative=alternative,
        standard_error=runs.error,
    )


def welch_from(means: Any, variances: Any, sizes: Any, *, alternative: str = "two-sided") -> StudentResult:
    """Welch's t test from two learners' means, sample variances and numbers of runs, each a pair of (...) arrays.

    Examples
    --------
    >>> welch_from((.23, .19), (.000333333, .0001), (4, 3))
    welch-t (two-sided): t = 3.703, df = 4.742, p = 0.01534: rejects at 0.05
    """
    one, two = (np.asarray(v, dtype=float) / np.asarray(n, dtype=float) for v, n in zip(variances, sizes, strict=True))
    estimate = np.asarray(means[0], dtype=float) - np.asarray(means[1], dtype=float)
    rounding = ROUNDING * np.maximum(np.abs(means[0]), np.abs(means[1]))
    t, error, df = _student(estimate, (one, two), sizes, rounding)
    return StudentResult(
        test="welch-t",
        statistic=t,
        pvalue=t_tail(t, df, alternative),
        df=(df,),
        estimate=estimate,
        alternative=alternative,
        standard_error=error,
    )


class WelchPermutationResult(Result):
    """Result of ``welch_permutation``: ``null`` has the sorted statistics of all dealings when ``exact``, else of some.

    They are sizes of t for a two-sided question, else t towards the side asked about.
    """

    standard_error: Numeric
    null: Array
    exact: bool

    symbol: ClassVar[str] = "t"

    def confidence_interval(self, level: Any = 0.95) -> Interval:
        """Return the interval of differences; it excludes 0 where, and only where, p is at most ``1 - level``."""
        level = levels_inside(level, where=f"{self.test}, confidence_interval")
        dealings = self.null.shape[-1]
        as_extreme = np.broadcast_to(_most_as_extreme(1.0 - level, dealings, self.exact), self.null.shape[:-1])
        place = np.clip(dealings - 1 - as_extreme, 0, dealings - 1)
        critical = np.take_along_axis(self.null, place[..., None], axis=-1)[..., 0]
        critical = np.where(as_extreme < 0, np.inf, critical)
        with np.errstate(invalid="ignore"):
            half = critical * (1.0 + _TIES) * self.standard_error  # 0 lies inside where t ties with the critical one
        return around(self.estimate, np.where(np.isinf(critical), np.inf, half), self.alternative, level)


@method("runs", one_sided=True, papers=(JANSSEN, WELCH))
def welch_permutation(
    first: Any, second: Any, *, shuffles: int = 9_999, alternative: str = "two-sided", rng: Seed = None
) -> WelchPermutationResult:
    """Studentized permutation test: Welch's t against that of runs dealt anew between the two learners.

    With equal distributions p is exact; with unequal numbers of runs and unequal spread it is right for large numbers,
    where the permutation test of plain means is not. Up to 10,000 ways to deal the runs all are counted; of more,
    p = (b + 1)/(shuffles + 1), where b random dealings are at least as extreme.

    Parameters
    ----------
    first, second : array_like, (..., l₁) and (..., l₂)
        Losses of the two learners' runs (seeds); at least two each, not paired.
    shuffles : int
        Random dealings; one set of them serves the whole batch.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first loses more.
    rng : int, Generator or None
        Seed; the same seed gives the same p.

    References
    ----------
    Janssen 1997. Chung and Romano 2013, *Exact and asymptotically robust permutation tests*.

    Examples
    --------
    >>> welch_permutation([.21, .25, .22, .24], [.18, .20, .19])
    welch-permutation (two-sided): t = 3.703, p = 0.05714: does not reject at 0.05
    """
    where = "welch-permutation"
    alternative = alternative_of(alternative, where=where)
    shuffles = count_of(shuffles, name="shuffles", where=where)
    random = generator(rng, where=where)
    runs = _Runs(first, second, where)
    exact = smallest_dealing(*runs.sizes) * ENUMERATE_UP_TO >= 1.0
    hands = _all_hands(runs.sizes) if exact else _random_hands(runs.sizes, shuffles, random)
    dealt = np.concatenate([runs.dealt_t(hand) for hand in hands], axis=-1)
    if not exact and alternative != "two-sided" and runs.sizes[0] == runs.sizes[1]:
        dealt = np.concatenate([dealt, -dealt], axis=-1)  # each hand for either learner: neither is the first
    null = _towards(dealt, alternative)
    observed = _towards(runs.t, alternative)[..., None]
    share = _share(observed, sum(runs.sizes) - 2.0)
    ties = np.abs(_share(null, sum(runs.sizes) - 2.0) - share) <= _TIES * np.abs(share) + _NOTHING
    null = np.where(ties, observed, null)
    extreme = (null >= observed).sum(axis=-1)
    counted = null.shape[-1]
    return WelchPermutationResult(
        test=where,
        statistic=runs.t,
        pvalue=np.maximum(extreme, 1.0) / counted if exact else (extreme + 1.0) / (counted + 1.0),
        df=(),
        estimate=runs.estimate,
        alternative=alternative,
        standard_error=runs.error,
        null=np.sort(null, axis=-1),
        exact=exact,
    )


def smallest_dealing(first: int, second: int) -> float:
    """Share of one way to deal so many runs: no one-sided p is smaller.

    Examples
    --------
    >>> smallest_dealing(3, 3)
    0.05
    """
    return 1.0 / comb(first + second, first)


def _most_as_extreme(alpha: Any, dealings: int, exact: bool) -> Any:
    """How many dealings may be at least as extreme as the observed one where p is at most alpha."""
    added = 0 if exact else 1
    return np.floor(np.asarray(alpha) * (dealings + added) * (1.0 + _TIES)).astype(int) - added


def _share(t: Array, df: float) -> Array:
    """Share of the variance that lies between two equal numbers of runs, with the sign of t; 1 where t is infinite.

    A large t has few exact digits, for its error is what is left of a difference; the share has all of them.
    """
    with np.errstate(invalid="ignore"):
        return np.where(np.isinf(t), np.sign(t), np.sign(t) * t * t / (t * t + df))


def _towards(t: Array, alternative: str) -> Array:
    return np.abs(t) if alternative == "two-sided" else -t if alternative == "less" else t


class _Runs:
    """Two learners' runs, their difference and its standard error."""

    def __init__(self, first: Any, second: Any, where: str) -> None:
        one, two = (_values(given, name, where) for given, name in ((first, "first"), (second, "second")))
        self.sizes = one.shape[-1], two.shape[-1]
        shape = np.broadcast_shapes(one.shape[:-1], two.shape[:-1])
        values = [np.broadcast_to(each, (*shape, each.shape[-1])) for each in (one, two)]
        self.values = np.concatenate(values, axis=-1)
        self.rounding = ROUNDING * np.abs(self.values).max(axis=-1)
        self.estimate = values[0].mean(axis=-1) - values[1].mean(axis=-1)
        self.t, self.error, self.df = self._student(self.estimate, *(each.var(axis=-1, ddof=1) for each in values))

    def dealt_t(self, hand: Array) -> Array:
        """Welch's t (..., dealings) of runs dealt anew; rows of ``hand`` have 1 where a run goes to the first."""
        pool = np.sort(self.values, axis=-1)  # whose runs they are, and their order, must not matter
        centred = pool - pool.mean(axis=-1, keepdims=True)
        squares = np.square(centred)
        sums, sums_of_squares = centred @ hand.T, squares @ hand.T
        means, variances = [], []
        for size, total, square in (
            (self.sizes[0], sums, sums_of_squares),
            (self.sizes[1], -sums, squares.sum(axis=-1, keepdims=True) - sums_of_squares),
        ):
            means.append(total / size)
            variances.append(np.maximum(square - total * total / size, 0.0) / (size - 1))
        return self._student(means[0] - means[1], *variances)[0]

    def _student(self, difference: Array, one: Array, two: Array) -> tuple[Array, Array, Array]:
        """Welch's t, the standard error of the difference and its degrees of freedom."""
        rounding = self.rounding.reshape(self.rounding.shape + (1,) * (difference.ndim - self.rounding.ndim))
        parts = one / self.sizes[0], two / self.sizes[1]
        return _student(difference, parts, self.sizes, rounding)


def _student(difference: Array, parts: Any, sizes: Any, rounding: Array) -> tuple[Array, Array, Array]:
    """Welch's t, standard error and degrees of freedom from the variances of two means."""
    variance = parts[0] + parts[1]
    constant: Flags = variance <= np.square(rounding)
    error = np.sqrt(np.where(constant, 0.0, variance))
    t = ratio(difference, error, no_effect=lambda: np.abs(difference) <= rounding, no_spread=constant)
    freedom = [np.asarray(size, dtype=float) - 1.0 for size in sizes]
    spread = sum(part * part / df for part, df in zip(parts, freedom, strict=True))
    df = np.where(constant, freedom[0] + freedom[1], variance * variance / np.where(constant, 1.0, spread))
    return t, error, df


def _values(given: Any, name: str, where: str) -> Array:
    values = squarable(numbers(given, name=name, where=where), name=name, where=where)
    if values.ndim == 0 or values.shape[-1] < 2:
        raise InputError(
            f"{name} has {values.size} run; {where} needs at least 2.",
            f"{where}, argument {name}",
            "run the learner again with other seeds: one run says nothing of how much runs vary.",
        )
    return values


def _all_hands(sizes: tuple[int, int]) -> Iterator[Array]:
    """Every first hand as a row of 0 and 1, the observed one first."""
    ways = combinations(range(sum(sizes)), sizes[0])
    while chosen := list(islice(ways, max(1, _CHUNK // sum(sizes)))):
        rows = np.zeros((len(chosen), sum(sizes)))
        np.put_along_axis(rows, np.array(chosen), 1.0, axis=-1)
        yield rows


def _random_hands(sizes: tuple[int, int], shuffles: int, random: np.random.Generator) -> Iterator[Array]:
    """Hands of the learner with fewer runs, drawn: the same whichever of the two comes first."""
    fewer, turned = (np.arange(sum(sizes)) < min(sizes)).astype(float), sizes[0] > sizes[1]
    step = max(1, _CHUNK // sum(sizes))
    for start in range(0, shuffles, step):
        rows = random.permuted(np.tile(fewer, (min(step, shuffles - start), 1)), axis=-1)
        yield 1.0 - rows if turned else rows
