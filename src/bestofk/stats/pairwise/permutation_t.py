"""Paired permutation test: random signs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.options import alternative_of, count_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.method import method
from bestofk.stats.pair import paired
from bestofk.stats.pairwise.student import mean_over_error, spread
from bestofk.stats.results import Result

#: Up to this many values all 2^L sign patterns are counted.
ENUMERATE_UP_TO = 16
_CHUNK = 2_000_000  # numbers held at once
_TIES = 1e-10  # sums this close, relative to the largest possible one, are the same sum in another order of adding


class PermutationResult(Result):
    """Result of ``permutation_t``: ``shuffles`` sign patterns were counted, all there are when ``exact``."""

    shuffles: int
    exact: bool

    symbol: ClassVar[str] = "t"


@method("values", one_sided=True, papers=("fisher",))
def permutation_t(
    first: Any, second: Any, *, shuffles: int = 10_000, alternative: str = "two-sided", rng: Seed = None
) -> PermutationResult:
    """Paired permutation test: under the null hypothesis every difference may as well have the other sign.

    The t statistic of the observed signs is compared with that of flipped ones. With at most 16 values all
    2^L patterns are counted and p is exact; otherwise p = (b + 1)/(shuffles + 1), where b random patterns are
    at least as extreme. Identical learners give p = 1.

    Parameters
    ----------
    first, second : array_like, (..., L)
        Losses of the two learners.
    shuffles : int
        Random sign patterns when L > 16; one set of patterns serves the whole batch.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first loses more.
    rng : int, Generator or None
        Seed; the same seed gives the same p.

    References
    ----------
    Fisher 1935. Good, *Permutation, Parametric and Bootstrap Tests of Hypotheses*, 2005.

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
    t, _, _ = mean_over_error(mean, np.sqrt(variance / n), n - 1.0, alternative, pair, constant)
    difference = np.where(pair.is_zero(pair.difference), 0.0, pair.difference)
    exact = n <= ENUMERATE_UP_TO
    patterns = _all_signs(n) if exact else _random_signs(n, shuffles, random)
    # t is increasing in the sum, whatever the signs, because Σd² does not change: the sum is enough.
    slack = _TIES * np.abs(difference).sum(axis=-1)
    extreme, counted = count_extreme(difference, patterns, difference.sum(axis=-1), slack, alternative)
    pvalue = extreme / counted if exact else (extreme + 1.0) / (counted + 1.0)
    return PermutationResult(
        test=where,
        statistic=t,
        pvalue=pvalue,
        df=(),
        estimate=mean,
        alternative=alternative,
        shuffles=counted,
        exact=exact,
    )


def count_extreme(
    values: Array, patterns: Iterator[Array], observed: Array, slack: Array, alternative: str
) -> tuple[Array, int]:
    """How many patterns, rows of weights, give sums of the values at least as extreme as observed; and of how many.

    ``slack`` is how far below the observed sum another one may be that is the same in another order of adding.
    """

    def turned(sums: Array) -> Array:
        return np.abs(sums) if alternative == "two-sided" else -sums if alternative == "less" else sums

    rows, threshold = values.reshape(-1, values.shape[-1]), (turned(observed) - slack).reshape(-1, 1)
    extreme, counted = np.zeros(len(rows)), 0
    for weights in patterns:
        step = max(1, _CHUNK // len(weights))
        for start in range(0, len(rows), step):
            sums = turned(rows[start : start + step] @ weights.T)
            extreme[start : start + step] += (sums >= threshold[start : start + step]).sum(axis=-1)
        counted += len(weights)
    return extreme.reshape(values.shape[:-1]), counted


def _all_signs(n: int) -> Iterator[Array]:
    bits = (np.arange(2**n)[:, None] >> np.arange(n)) & 1
    yield np.asarray(1.0 - 2.0 * bits)


def _random_signs(n: int, shuffles: int, random: np.random.Generator) -> Iterator[Array]:
    step = max(1, _CHUNK // n)
    for start in range(0, shuffles, step):
        yield np.asarray(1.0 - 2.0 * random.integers(0, 2, size=(min(step, shuffles - start), n)))
