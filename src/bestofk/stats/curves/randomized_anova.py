"""Two-way ANOVA of curves, conventional and randomized: whole curves are shuffled between algorithms."""

from __future__ import annotations

from typing import Any, ClassVar

from bestofk.core.options import level_inside
from bestofk.core.rng import Seed
from bestofk.stats.curves.curve_table import (
    CurveTable,
    critical_value,
    curve_sets,
    dealt_table,
    effects_line,
    reached_by,
)
from bestofk.stats.distributions import f_tail
from bestofk.stats.method import cites
from bestofk.stats.results import Numeric, Result


class CurveAnovaResult(Result):
    """Result of ``curve_anova``; ``statistic`` and ``pvalue`` are those of the algorithm effect."""

    f_alg: Numeric
    f_int: Numeric
    f_train: Numeric
    p_alg: Numeric
    p_int: Numeric
    p_train: Numeric
    df_alg: tuple[float, float]
    df_int: tuple[float, float]
    df_train: tuple[float, float]

    symbol: ClassVar[str] = "F_alg"

    def __repr__(self) -> str:
        return effects_line(self.test, algorithm=(self.f_alg, self.p_alg), interaction=(self.f_int, self.p_int))


def curve_anova(*curves: Any) -> CurveAnovaResult:
    """Two-way ANOVA, algorithm × training, of m sets of curves.

    The error is the variation of the curves within a cell (one algorithm at one point of training), with
    Σlᵢ·k − m·k degrees of freedom. Points of one curve depend on each other, so these p values are wrong for most
    curves: too many algorithm effects, too few interactions. They are here beside ``randomized_anova``, which
    gets them right.

    Parameters
    ----------
    *curves : array_like, (..., lᵢ, k)
        One set per algorithm: lᵢ curves (runs, folds) of k points. The lᵢ may differ, k may not.

    References
    ----------
    Piater, Cohen, Zhang and Atighetchi 1998, section 3.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> result = curve_anova(rng.normal(size=(4, 6)), rng.normal(size=(5, 6)))
    >>> result.df_alg, result.df_int
    ((1.0, 42.0), (5.0, 42.0))
    """
    table = CurveTable(curve_sets(curves, where="curve-anova"))
    f_alg, f_int, f_train = table.f_alg_int_train()
    df_alg, df_int, df_train = table.df()
    return CurveAnovaResult(
        test="curve-anova",
        statistic=f_alg,
        pvalue=f_tail(f_alg, *df_alg),
        df=df_alg,
        estimate=table.means,
        alternative="two-sided",
        f_alg=f_alg,
        f_int=f_int,
        f_train=f_train,
        p_alg=f_tail(f_alg, *df_alg),
        p_int=f_tail(f_int, *df_int),
        p_train=f_tail(f_train, *df_train),
        df_alg=df_alg,
        df_int=df_int,
        df_train=df_train,
    )


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
        return effects_line(self.test, algorithm=(self.f_alg, self.p_alg), interaction=(self.f_int, self.p_int))


@cites(
    "piater",
    called="randomized ANOVA",
    assumes="independent curves, any of which may as well belong to another algorithm if they are the same",
    not_for="unequal numbers of curves with unequal spread, or telling level and shape apart (split-plot-anova)",
)
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
    alpha = level_inside(alpha, name="alpha", where=where)
    how: Any = {"shuffles": shuffles, "paired": paired, "blocks": blocks, "rng": rng, "exact": exact}
    table, kernel, every, dealings = dealt_table(curves, backend=backend, where=where, **how)
    f_alg, f_int, _ = table.f_alg_int_train()
    null_alg, null_int = table.f_of(*table.shuffled_sums(dealings, kernel))
    p_alg, plain_alg = reached_by(f_alg, null_alg, every, table.blur())
    p_int, plain_int = reached_by(f_int, null_int, every, table.blur())
    df_alg, df_int, _ = table.df()
    return RandomizedAnovaResult(
        test=where,
        statistic=f_alg,
        pvalue=p_alg,
        df=df_alg,
        estimate=table.means,
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
        exact=every,
        blocks=int(table.block.max()) + 1,
    )
