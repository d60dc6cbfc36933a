"""Randomized t test of two sets of curves: whole curves are shuffled between the two."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from bestofk.core.options import alternative_of, count_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.curves.blocks import block_codes
from bestofk.stats.curves.curve_table import curve_sets
from bestofk.stats.curves.dealt_t import dealt_t
from bestofk.stats.results import Result


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
    paired: bool = False,
    blocks: Any = None,
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
    paired : bool
        Row i of both sets is the same fold or seed: the two curves of a row change places or not (sign flips), and t is
        that of their differences.
    blocks : pair of sequences, optional
        A label per curve, one list per set (a data set, a machine): curves change places within their block only, and
        t is that beside blocks.
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
    block = block_codes((one.shape[-2], two.shape[-2]), paired=paired, blocks=blocks, where=where)
    found = dealt_t(
        one.mean(axis=-1),
        two.mean(axis=-1),
        scale=np.maximum(np.abs(one).max(axis=(-2, -1)), np.abs(two).max(axis=(-2, -1))),
        block=block,
        alternative=alternative,
        shuffles=shuffles,
        random=random,
        exact=exact,
        where=where,
    )
    return RandomizedTResult(
        test=where,
        statistic=found.statistic,
        pvalue=found.pvalue,
        df=(),
        estimate=found.effect,
        alternative=alternative,
        shuffles=found.shuffles,
        exact=found.exact,
    )
