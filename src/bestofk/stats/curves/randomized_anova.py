"""Randomized two-way ANOVA: whole curves are shuffled between algorithms."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from bestofk.core.options import count_of, level_inside
from bestofk.core.rng import Seed, generator
from bestofk.stats.curves.blocks import block_codes
from bestofk.stats.curves.curve_anova import effects_line
from bestofk.stats.curves.curve_table import CurveTable, curve_sets
from bestofk.stats.curves.dealings import Deck
from bestofk.stats.curves.shuffled_sums import backend_of, critical_value, reached_by, shuffled_sums
from bestofk.stats.distributions import f_tail
from bestofk.stats.results import Numeric, Result


class RandomizedAnovaResult(Result):
    """Result of ``randomized_anova``; ``statistic`` and ``pvalue`` are those of the algorithm effect.

    ``plain_p_alg`` and ``plain_p_int`` are b/z as in the paper; ``null_alg`` and ``null_int`` the shuffled F.
    """

    f_alg: Numeric
    f_int: Numeric
    p_alg: Numeric
    p_int: Numeric
    p_conventional_alg: Numeric
    p_conventional_int: Numeric
    plain_p_alg: Numeric
    plain_p_int: Numeric
    critical_alg: Numeric
    critical_int: Numeric
    null_alg: Numeric
    null_int: Numeric
    alpha: float
    shuffles: int
    exact: bool
    blocks: int = 1

    symbol: ClassVar[str] = "F_alg"

    def __repr__(self) -> str:
        return effects_line(self)

    @property
    def plain_pvalue(self) -> Numeric:
        """The algorithm effect's b/z, as the paper counts it."""
        return self.plain_p_alg


def randomized_anova(
    *curves: Any,
    shuffles: int = 1000,
    alpha: float = 0.05,
    paired: bool = False,
    blocks: Any = None,
    rng: Seed = None,
    exact: bool | str = "auto",
    backend: str = "auto",
) -> RandomizedAnovaResult:
    """Randomized two-way ANOVA of m sets of performance curves.

    Under the null hypothesis a curve may as well belong to any algorithm. Whole curves are dealt out anew, lᵢ to
    algorithm i, so the dependence within a curve does no harm, and F of the algorithm effect and of the
    interaction are compared with those of the shuffled tables: p = (b + 1)/(z + 1), where b of z shuffles reach the
    observed F.

    Parameters
    ----------
    *curves : array_like, (..., lᵢ, k)
        One set per algorithm: lᵢ curves (runs, folds) of k points.
    shuffles : int
        Number z of random dealings. A batch shares them.
    alpha : float
        Level of the critical values: the (1 − α) quantile, the 950th of 1,000 sorted F.
    paired : bool
        Row i of every set is the same fold or seed: curves change places within these rows only, and the mean curve of
        a row is taken out before (equal numbers of curves).
    blocks : sequence of sequences, optional
        A label per curve, one list per set (a data set, a machine): curves change places within their block only.
    rng : int, Generator or None
        Seed; the same seed gives the same p, with or without the extra ``fast``.
    exact : {"auto", True, False}
        Enumerate all ways to deal the curves; then p = count/ways, the observed way included. ``auto`` does so when
        there are at most 10,000.
    backend : {"auto", "numpy", "numba"}
        ``auto`` takes the compiled kernel when the extra ``fast`` is installed.

    Notes
    -----
    Both p values test the same null hypothesis, that the curves of all algorithms come from one source; the two F look
    in different directions. So ``p_int`` is no test of shape alone: where algorithms differ in level, shuffled tables
    mix levels, their error grows and F of the interaction shrinks, and the observed one stands out although the shapes
    are the same. ``split_plot_anova`` asks about level and shape apart.

    References
    ----------
    Piater, Cohen, Zhang and Atighetchi 1998, section 4. Phipson and Smyth 2010 for (b + 1)/(z + 1).

    Examples
    --------
    >>> slow = [[.1, .2, .4], [.2, .3, .5], [.1, .3, .4]]
    >>> quick = [[.4, .6, .7], [.5, .6, .8], [.4, .7, .8]]
    >>> randomized_anova(slow, quick)
    randomized-anova: algorithm F = 150, p = 0.1: does not reject at 0.05;
        interaction F = 0.5, p = 0.1: does not reject at 0.05
    """
    where = "randomized-anova"
    sets = curve_sets(curves, where=where)
    shuffles = count_of(shuffles, name="shuffles", where=where)
    alpha = level_inside(alpha, name="alpha", where=where)
    random = generator(rng, where=where)
    block = block_codes([group.shape[-2] for group in sets], paired=paired, blocks=blocks, where=where)
    table = CurveTable(sets, block)
    deck = Deck(table.sizes, block)
    enumerate_all = deck.is_exact(exact, where)
    kernel = backend_of(backend, where)
    f_alg, f_int, _ = table.f_alg_int_train()
    dealings = deck.all() if enumerate_all else deck.random(shuffles, random, kernel)
    null_alg, null_int = table.f_of(*shuffled_sums(table, dealings, kernel))
    p_alg, plain_alg = reached_by(f_alg, null_alg, enumerate_all, table.blur())
    p_int, plain_int = reached_by(f_int, null_int, enumerate_all, table.blur())
    df_alg, df_int, _ = table.df()
    return RandomizedAnovaResult(
        test=where,
        statistic=f_alg,
        pvalue=p_alg,
        df=df_alg,
        estimate=np.stack([group.mean(axis=(-2, -1)) for group in sets], axis=-1),
        alternative="two-sided",
        f_alg=f_alg,
        f_int=f_int,
        p_alg=p_alg,
        p_int=p_int,
        p_conventional_alg=f_tail(f_alg, *df_alg),
        p_conventional_int=f_tail(f_int, *df_int),
        plain_p_alg=plain_alg,
        plain_p_int=plain_int,
        critical_alg=critical_value(null_alg, alpha),
        critical_int=critical_value(null_int, alpha),
        null_alg=null_alg,
        null_int=null_int,
        alpha=alpha,
        shuffles=null_alg.shape[-1],
        exact=enumerate_all,
        blocks=1 if block is None else int(block.max()) + 1,
    )
