"""Randomized test of one feature of two sets of curves."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.options import alternative_of, count_of, one_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.curves.blocks import block_codes
from bestofk.stats.curves.curve_table import curve_sets
from bestofk.stats.curves.dealt_t import dealt_t
from bestofk.stats.curves.features import FEATURES, curve_features, steps_of, threshold_of
from bestofk.stats.ranks import average_ranks
from bestofk.stats.results import Numeric, Result


class FeatureResult(Result):
    """Result of ``feature_test``: ``first`` and ``second`` are the features of the curves, ``censored`` how many of
    each set never reached the threshold (0 for the other features)."""

    feature: str
    first: Numeric
    second: Numeric
    censored: tuple[Numeric, Numeric]
    shuffles: int
    exact: bool

    symbol: ClassVar[str] = "t"


def feature_test(
    first: Any,
    second: Any,
    *,
    feature: str = "final",
    steps: Any = None,
    threshold: float | None = None,
    alternative: str = "two-sided",
    shuffles: int = 9999,
    paired: bool = False,
    blocks: Any = None,
    rng: Seed = None,
    exact: bool | str = "auto",
) -> FeatureResult:
    """Compare two algorithms by one feature of their curves; whole curves are dealt anew.

    Parameters
    ----------
    first, second : array_like, (..., l₁, k) and (..., l₂, k)
        Losses: one row per curve (run, fold), one column per point of training.
    feature : {"final", "area", "steps-to", "slope"}
        The last value; the area under the curve over the length of training; the first step with a loss at or below
        ``threshold``; the least-squares slope.
    steps : sequence of k numbers, optional
        Where the points lie; 1, 2, 3 … otherwise.
    threshold : float
        The loss to be reached, for ``steps-to`` only.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first has the larger feature: it ends higher, lies higher, needs more steps, falls less.
    shuffles, paired, blocks, rng, exact
        As for ``randomized_t``.

    Notes
    -----
    t is that of the features, pooled (of differences where paired), against curves dealt anew; p = (b + 1)/(z + 1), or
    count/ways when all ways are counted. For ``steps-to`` t is that of the midranks of the steps in both sets together:
    a curve that never reaches the threshold is known only to need more steps than there are, so all such curves share
    the last rank, whatever they would have done later, and nothing is made up (Gehan's test for one common end of
    observation). ``estimate`` then counts them at the last step, which is a difference of restricted means. When no
    curve, or every curve at the first step, has reached it, p is 1.

    References
    ----------
    Gehan 1965. Phipson and Smyth 2010.

    Examples
    --------
    >>> slow = [[.9, .8, .6], [.8, .7, .5], [.9, .7, .6]]
    >>> quick = [[.6, .4, .3], [.5, .4, .2], [.6, .3, .2], [.7, .4, .2]]
    >>> feature_test(slow, quick, feature="steps-to", threshold=.5, alternative="greater")
    feature-test (greater): t = 4.83, p = 0.02857: rejects at 0.05
    """
    where = "feature-test"
    feature = one_of(feature, FEATURES, name="feature", where=where)
    alternative = alternative_of(alternative, where=where)
    shuffles = count_of(shuffles, name="shuffles", where=where)
    random = generator(rng, where=where)
    one, two = curve_sets((first, second), where=where)
    grid = steps_of(steps, one.shape[-1], where=where)
    threshold_of(threshold, feature, where=where)
    block = block_codes((one.shape[-2], two.shape[-2]), paired=paired, blocks=blocks, where=where)
    found = _both(one, two, feature, grid, threshold)
    compared = _ranked(*found, grid[-1]) if feature == "steps-to" else found
    dealt = dealt_t(
        *compared,
        scale=_scale(one, two, grid, feature, compared),
        block=block,
        alternative=alternative,
        shuffles=shuffles,
        random=random,
        exact=exact,
        where=where,
    )
    return FeatureResult(
        test=where,
        statistic=dealt.statistic,
        pvalue=dealt.pvalue,
        df=(),
        estimate=_restricted(*found, grid[-1]) if feature == "steps-to" else dealt.effect,
        alternative=alternative,
        feature=feature,
        first=found[0],
        second=found[1],
        censored=(np.isinf(found[0]).sum(axis=-1), np.isinf(found[1]).sum(axis=-1)),
        shuffles=dealt.shuffles,
        exact=dealt.exact,
    )


def _both(one: Array, two: Array, feature: str, grid: Array, threshold: float | None) -> tuple[Array, Array]:
    sides = [curve_features(side, feature, steps=grid, threshold=threshold) for side in (one, two)]
    return sides[0], sides[1]


def _ranked(first: Array, second: Array, end: float) -> tuple[Array, Array]:
    steps = np.concatenate([first, second], axis=-1)
    ranks = average_ranks(np.where(np.isinf(steps), end + 1.0, steps))
    return ranks[..., : first.shape[-1]], ranks[..., first.shape[-1] :]


def _restricted(first: Array, second: Array, end: float) -> Array:
    means = [np.where(np.isinf(side), end, side).mean(axis=-1) for side in (first, second)]
    return np.asarray(means[0] - means[1])


def _scale(one: Array, two: Array, grid: Array, feature: str, compared: tuple[Array, Array]) -> Array:
    """Size of the numbers that the feature was computed from: differences far below it are rounding."""
    if feature == "steps-to":
        return np.asarray(np.maximum(*(side.max(axis=-1) for side in compared)))
    values = np.maximum(np.abs(one).max(axis=(-2, -1)), np.abs(two).max(axis=(-2, -1)))
    if feature != "slope":
        return np.asarray(values)
    centred = grid - grid.mean()
    return np.asarray(values * np.abs(centred).sum() / (centred @ centred))
