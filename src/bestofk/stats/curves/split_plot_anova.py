"""Level and shape of curves, each tested by itself: a split-plot ANOVA whose p values come from shuffled curves."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.options import level_inside
from bestofk.core.rng import Seed
from bestofk.stats.curves.curve_table import (
    CurveTable,
    critical_value,
    dealt_table,
    effects_line,
    reached_by,
)
from bestofk.stats.distributions import ratio
from bestofk.stats.method import cites
from bestofk.stats.results import Numeric, Result


class SplitPlotResult(Result):
    """Result of ``split_plot_anova``; ``statistic`` and ``pvalue`` are those of the shape."""

    f_level: Numeric
    f_shape: Numeric
    p_level: Numeric
    p_shape: Numeric
    df_level: tuple[float, float]
    df_shape: tuple[float, float]
    critical_level: Numeric
    critical_shape: Numeric
    null_level: Numeric
    null_shape: Numeric
    alpha: float
    shuffles: int
    exact: bool
    blocks: int

    symbol: ClassVar[str] = "F_shape"

    def __repr__(self) -> str:
        return effects_line(self.test, level=(self.f_level, self.p_level), shape=(self.f_shape, self.p_shape))


@cites(
    "anderson",
    called="split-plot ANOVA",
    assumes="independent curves, whose levels and whose shapes may as well belong to another algorithm if they "
    "are the same",
    not_for="unequal numbers of curves with unequal spread, or the question which algorithms differ",
)
def split_plot_anova(
    *curves: Any,
    shuffles: int = 1000,
    alpha: float = 0.05,
    paired: bool = False,
    blocks: Any = None,
    rng: Seed = None,
    exact: bool | str = "auto",
    backend: str = "auto",
) -> SplitPlotResult:
    r"""Do the curves of m algorithms differ in level, in shape, or in both?

    A curve is its mean over training (level) and what is left when that is taken out (shape). Both have an F of their
    own, the curves of an algorithm being the whole plots of a split-plot design:

    .. math:: F_{level} = \frac{\sum_i l_i (\bar y_i - \bar y)^2 / (m-1)}{\sum_{ij} (\bar y_{ij} - \bar y_i)^2 / \nu},
              \qquad F_{shape} = \frac{S_{int} / ((m-1)(k-1))}{S_{shape\ within} / (\nu(k-1))}

    Here ν = Σlᵢ − m. Whole curves are dealt anew. Shuffled levels depend on levels only and shuffled shapes on shapes
    only, so p of the shape is exact whatever the levels are, and p of the level whatever the shapes are: that is what
    ``randomized_anova``, whose error mixes both, does not give.

    Parameters
    ----------
    *curves : array_like, (..., lᵢ, k)
        One set per algorithm: lᵢ curves (runs, folds) of k points.
    shuffles, alpha, paired, blocks, rng, exact, backend
        As for ``randomized_anova``.

    Notes
    -----
    Exact when the shapes of all algorithms have the same distribution (for ``p_level`` the levels). Algorithms that
    spread differently about the same mean curve may be told apart too, as in every shuffling test.

    References
    ----------
    Box 1954 and Greenhouse and Geisser 1959 for the design. Anderson and ter Braak 2003 for shuffling whole plots.

    Examples
    --------
    >>> low = np.array([[.1, .2, .4], [.2, .3, .5], [.1, .3, .4], [.2, .2, .4]])
    >>> split_plot_anova(low, low[:, ::-1] + 1)
    split-plot-anova: level F = 1137, p = 0.02857: rejects at 0.05; shape F = 77.79, p = 0.02857: rejects at 0.05
    >>> split_plot_anova(low, low + 1).p_shape
    1.0
    """
    where = "split-plot-anova"
    alpha = level_inside(alpha, name="alpha", where=where)
    how: Any = {"shuffles": shuffles, "paired": paired, "blocks": blocks, "rng": rng, "exact": exact}
    table, kernel, every, dealings = dealt_table(curves, backend=backend, where=where, **how)
    null_level, null_shape = _shuffled_f(table, *table.shuffled_sums(dealings, kernel))
    f_level, f_shape = _observed_f(table)
    blur = _blur(table)
    df_level, df_shape = _freedom(table)
    p_shape = reached_by(f_shape, null_shape, every, blur[1])[0]
    return SplitPlotResult(
        test=where,
        statistic=f_shape,
        pvalue=p_shape,
        df=df_shape,
        estimate=table.means,
        alternative="two-sided",
        f_level=f_level,
        f_shape=f_shape,
        p_level=reached_by(f_level, null_level, every, blur[0])[0],
        p_shape=p_shape,
        df_level=df_level,
        df_shape=df_shape,
        critical_level=critical_value(null_level, alpha),
        critical_shape=critical_value(null_shape, alpha),
        null_level=null_level,
        null_shape=null_shape,
        alpha=alpha,
        shuffles=null_level.shape[-1],
        exact=every,
        blocks=int(table.block.max()) + 1,
    )


def _freedom(table: CurveTable) -> tuple[tuple[float, float], tuple[float, float]]:
    m, k, lines = len(table.sizes), table.points, table.df_lines
    return (m - 1.0, float(lines)), ((m - 1.0) * (k - 1.0), lines * (k - 1.0))


def _totals(table: CurveTable) -> tuple[Array, Array]:
    """Sums of squares of all levels and of all shapes, which no dealing changes."""
    level = table.points * np.square(table.centred.mean(axis=-1)).sum(axis=-1)
    shape = np.square(table.centred - table.centred.mean(axis=-1, keepdims=True)).sum(axis=(-2, -1))
    return level, shape


def _shuffled_f(table: CurveTable, algorithm: Array, cells: Array) -> tuple[Array, Array]:
    found = []
    for explained, total, df in zip((algorithm, cells - algorithm), _totals(table), _freedom(table), strict=True):
        found.append(_f(explained, total[..., None] - explained, df, 1e-13 * (table.total + total)[..., None]))
    return found[0], found[1]


def _observed_f(table: CurveTable) -> tuple[Array, Array]:
    level, shape, residual = table.parts()
    residual_level = residual.mean(axis=-1, keepdims=True)
    rounding = table.rounding[..., None, None]
    parts = (
        (table.points * np.square(level), table.points * np.square(_rounded(residual_level, rounding))),
        (np.square(shape), np.square(_rounded(residual - residual_level, rounding))),
    )
    summed = [(one.sum(axis=(-2, -1)), other.sum(axis=(-2, -1))) for one, other in parts]
    level_f, shape_f = (_f(*pair, df, np.zeros(())) for pair, df in zip(summed, _freedom(table), strict=True))
    return level_f, shape_f


def _rounded(part: Array, rounding: Array) -> Array:
    return np.where(np.abs(part) <= rounding, 0.0, part)


def _f(explained: Array, error: Array, df: tuple[float, float], tiny: Array) -> Array:
    explained = np.where(explained <= tiny, 0.0, explained)
    return ratio(
        explained / df[0], np.maximum(error, 0.0) / df[1], no_effect=lambda: explained == 0, no_spread=error <= tiny
    )


def _blur(table: CurveTable) -> tuple[Array, Array]:
    """How far rounding may move a shuffled F of level and of shape, relatively: both share the whole table's sums."""
    _, _, residual = table.parts()
    level = table.points * np.square(residual.mean(axis=-1)).sum(axis=-1)
    rests = level, np.square(residual).sum(axis=(-2, -1)) - level
    blurs = [1e-14 * table.total / np.maximum(rest, 1e-13 * table.total + (table.total == 0)) for rest in rests]
    return blurs[0], blurs[1]
