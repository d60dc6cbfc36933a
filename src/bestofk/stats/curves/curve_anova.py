"""Conventional two-way ANOVA of performance curves."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from bestofk.stats.curves.curve_table import CurveTable, curve_sets
from bestofk.stats.distributions import f_tail
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
        return effects_line(self)


def effects_line(result: Any) -> str:
    """Both effects of a two-way ANOVA of curves in one line."""
    if np.ndim(result.p_alg):
        return f"{result.test}, batch of shape {np.shape(result.p_alg)}"
    effects = (("algorithm", result.f_alg, result.p_alg), ("interaction", result.f_int, result.p_int))
    said = [
        f"{name} F = {f:.4g}, p = {p:.4g}: {'rejects' if p <= 0.05 else 'does not reject'} at 0.05"
        for name, f, p in effects
    ]
    return f"{result.test}: " + "; ".join(said)


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
    >>> rng = np.random.default_rng(0)
    >>> result = curve_anova(rng.normal(size=(4, 6)), rng.normal(size=(5, 6)))
    >>> result.df_alg, result.df_int
    ((1.0, 42.0), (5.0, 42.0))
    """
    sets = curve_sets(curves, where="curve-anova")
    table = CurveTable(sets)
    f_alg, f_int, f_train = table.f_alg_int_train()
    df_alg, df_int, df_train = table.df()
    return CurveAnovaResult(
        test="curve-anova",
        statistic=f_alg,
        pvalue=f_tail(f_alg, *df_alg),
        df=df_alg,
        estimate=np.stack([group.mean(axis=(-2, -1)) for group in sets], axis=-1),
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
