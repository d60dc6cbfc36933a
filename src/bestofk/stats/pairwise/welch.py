"""Two learners' independent runs: Welch's t test, and runs dealt anew between the two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from itertools import combinations, islice
from math import comb
from typing import Any, ClassVar

import numpy as np

from bestofk.core import special
from bestofk.core.arrays import ROUNDING, Array, Flags, numbers, squarable
from bestofk.core.errors import InputError
from bestofk.core.options import alternative_of, count_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.distributions import ratio, t_tail
from bestofk.stats.method import Paper, method
from bestofk.stats.pairwise.student import StudentResult
from bestofk.stats.results import Interval, Numeric, Result, levels_inside, open_end

#: Up to this many ways to deal the runs all are counted.
ENUMERATE_UP_TO = 10_000
_CHUNK = 2_000_000  # numbers held at once
_TIES = 1e-9  # shares of variance this close, relatively, are the same share in another order of adding
_NOTHING = 1e-24  # a share of variance that is rounding
_FAR, _DOUBLINGS, _HALVINGS = 1e7, 24, 45  # standard errors to where nothing changes, and steps to an end

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


@method(
    "runs",
    name="welch-t",
    one_sided=True,
    papers=(WELCH,),
    called="Welch's t test",
    assumes="independent runs whose means are normal",
    not_for="runs in pairs, folds, or few runs of unequal spread with a long tail, of which it rejects equal "
    "means in up to 12 % of cases",
)
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
    rarest = _rarest(runs.sizes)
    return StudentResult(
        test=where,
        statistic=runs.t,
        pvalue=t_tail(runs.t, runs.df, alternative),
        df=(runs.df,),
        estimate=runs.estimate,
        alternative=alternative,
        standard_error=runs.error,
        rarest=rarest,
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
    rarest = _rarest(sizes)
    return StudentResult(
        test="welch-t",
        statistic=t,
        pvalue=t_tail(t, df, alternative),
        df=(df,),
        estimate=estimate,
        alternative=alternative,
        standard_error=error,
        rarest=rarest,
    )


class WelchPermutationResult(Result):
    """Result of ``welch_permutation``: ``shuffles`` dealings were counted, all there are when ``exact``."""

    standard_error: Numeric
    shuffles: int
    exact: bool
    dealings: Any = field(repr=False)

    symbol: ClassVar[str] = "t"

    @property
    def counted(self) -> int:
        """The dealings."""
        return self.shuffles

    def confidence_interval(self, level: Any = 0.95) -> Interval:
        """Return the differences δ that the same dealings do not reject at ``1 - level``, the first's runs moved by −δ.

        It excludes 0 where, and only where, p is at most ``1 - level``, and is infinite where the dealings are too few.
        """
        level = levels_inside(level, where=f"{self.test}, confidence_interval")
        low, high = self.dealings.ends(1.0 - level, self.pvalue)
        return open_end(low, high, self.alternative, level)


@method(
    "runs",
    name="welch-permutation",
    one_sided=True,
    papers=(JANSSEN, WELCH),
    called="the studentized permutation test",
    assumes="independent runs of one distribution if the learners are equal; of unequal spread, many runs",
    not_for="5 and 20 runs of unequal spread, of which it rejects equal means in 7 % of cases, with a long tail in "
    "15 % (welch-t)",
)
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
    dealings = _Dealings(runs, alternative, shuffles, random)
    return WelchPermutationResult(
        test=where,
        statistic=runs.t,
        pvalue=dealings.pvalue(runs.estimate),
        df=(),
        estimate=runs.estimate,
        alternative=alternative,
        standard_error=runs.error,
        shuffles=dealings.counted,
        exact=dealings.exact,
        dealings=dealings,
    )


def smallest_dealing(first: int, second: int) -> float:
    """Share of one way to deal so many runs: no one-sided p is smaller.

    Examples
    --------
    >>> smallest_dealing(3, 3)
    0.05
    """
    return 1.0 / comb(first + second, first)


def _rarest(sizes: Any) -> Array:
    """Share of the two ways to deal runs that set all of one learner apart; ``sizes`` are two (...) arrays."""
    one, two = (np.asarray(each, dtype=float) for each in sizes)
    share = special.gammaln(one + 1.0) + special.gammaln(two + 1.0) - special.gammaln(one + two + 1.0)
    return np.asarray(2.0 * np.exp(share))


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
        self.t, self.error, self.df = self.student(self.estimate, *(each.var(axis=-1, ddof=1) for each in values))

    def student(self, difference: Array, one: Array, two: Array) -> tuple[Array, Array, Array]:
        """Welch's t, the standard error of the difference and its degrees of freedom."""
        rounding = self.rounding.reshape(self.rounding.shape + (1,) * (difference.ndim - self.rounding.ndim))
        parts = one / self.sizes[0], two / self.sizes[1]
        return _student(difference, parts, self.sizes, rounding)


class _Dealings:
    """Runs dealt anew between two learners that lie a gap apart, the same dealings whatever the gap.

    With gap u between the means, a dealing's difference is ``lead`` + u ``pull``, and the variance of it is that of
    ``still`` + 2u ``both`` + u² ``moved``: sums over the dealings are taken once for all gaps.
    """

    def __init__(self, runs: _Runs, alternative: str, shuffles: int, random: np.random.Generator) -> None:
        self.runs, self.alternative = runs, alternative
        self.exact = smallest_dealing(*runs.sizes) * ENUMERATE_UP_TO >= 1.0
        hands = _all_hands(runs.sizes) if self.exact else _random_hands(runs.sizes, shuffles, random)
        parts = [self._sums(hand) for hand in hands]
        self.lead, self.pull, self.still, self.both, self.moved = (
            np.concatenate(each, axis=-1) for each in zip(*parts, strict=True)
        )
        self.mirrored = not self.exact and alternative != "two-sided" and runs.sizes[0] == runs.sizes[1]

    def _sums(self, hand: Array) -> tuple[Array, ...]:
        """Difference and variance of runs dealt by rows of 1 where a run goes to the first, as they go with the gap."""
        (l1, l2), values = self.runs.sizes, self.runs.values
        order = np.argsort(values, axis=-1, kind="stable")  # whose runs they are, and their order, must not matter
        own = (order < l1).astype(float)
        means = [values[..., part].mean(axis=-1, keepdims=True) for part in (slice(l1), slice(l1, None))]
        centred = np.take_along_axis(values, order, axis=-1) - np.where(own > 0, *means)
        whole = [each.sum(axis=-1, keepdims=True) for each in (centred, own, centred**2, own * centred)]
        first = [each @ hand.T for each in (centred, own, centred**2, own * centred)]
        found: list[list[Array]] = []
        for size, sign, sums in ((l1, 1.0, first), (l2, -1.0, [a - b for a, b in zip(whole, first, strict=True)])):
            (total, number, squares, cross), scale = sums, size * (size - 1.0)
            still = np.maximum(squares - total**2 / size, 0.0) / scale
            both = (cross - total * number / size) / scale
            moved = np.maximum(number - number**2 / size, 0.0) / scale
            found.append([sign * total / size, sign * number / size, still, both, moved])
        return tuple(one + two for one, two in zip(*found, strict=True))

    @property
    def counted(self) -> int:
        """How many dealings a p value is counted in."""
        return int(self.lead.shape[-1]) * (2 if self.mirrored else 1)

    def pvalue(self, gap: Array) -> Array:
        """P values of runs that are moved so that the learners' means lie this far apart, (..., tests)."""
        u = np.asarray(gap)[..., None]
        variance = np.maximum(self.still + u * (2.0 * self.both + u * self.moved), 0.0)
        rounding = np.maximum(self.runs.rounding, ROUNDING * np.abs(gap))
        dealt = _student(self.lead + u * self.pull, (variance, 0.0), self.runs.sizes, rounding[..., None])[0]
        if self.mirrored:
            dealt = np.concatenate([dealt, -dealt], axis=-1)  # each hand for either learner: neither is the first
        t = _student(np.asarray(gap), (np.square(self.runs.error), 0.0), self.runs.sizes, rounding)[0]
        observed = _towards(t, self.alternative)
        df = sum(self.runs.sizes) - 2.0
        null, share = _share(_towards(dealt, self.alternative), df), _share(observed, df)[..., None]
        extreme = (null >= share - _TIES * np.abs(share) - _NOTHING).sum(axis=-1)
        number = self.counted
        return np.asarray(np.maximum(extreme, 1.0) / number if self.exact else (extreme + 1.0) / (number + 1.0))

    def ends(self, alpha: Any, at_zero: Array) -> tuple[Array, Array]:
        """The smallest and the largest difference, one of each per test, that is not rejected at alpha."""
        estimate, error = np.asarray(self.runs.estimate), np.asarray(self.runs.error)
        level = np.broadcast_to(np.asarray(alpha) * (1.0 + _TIES), estimate.shape)
        largest = self.runs.rounding / ROUNDING
        scale = np.where(error > 0, error, np.where(largest > 0, largest, 1.0))
        sides = np.array([-1.0, 1.0]).reshape(2, *np.ones(estimate.ndim, dtype=int))
        # Gaps are above 0 for the low end, and below it for the high one.
        bounded = self.pvalue(-sides * _FAR * scale) <= level
        reach = np.broadcast_to(4.0 * scale, (2, *estimate.shape)).copy()
        for _ in range(_DOUBLINGS):
            wanting = bounded & (self.pvalue(-sides * reach) > level)
            if not wanting.any():
                break
            reach = np.where(wanting, 2.0 * reach, reach)
        inside, outside = np.zeros_like(reach), reach
        zero = -sides * estimate  # the gap of no difference, where it lies on the side of the end
        rejected = np.asarray(at_zero) <= level
        inside = np.where((zero > 0) & ~rejected, zero, inside)
        outside = np.where((zero > 0) & rejected, np.minimum(outside, zero), np.maximum(outside, inside))
        for _ in range(_HALVINGS):
            middle = 0.5 * (inside + outside)
            kept = self.pvalue(-sides * middle) > level
            inside, outside = np.where(kept, middle, inside), np.where(kept, outside, middle)
        ends = np.where(bounded, estimate + sides * inside, sides * np.inf)
        return ends[0], ends[1]


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
