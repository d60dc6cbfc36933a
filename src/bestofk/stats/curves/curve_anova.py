"""Conventional two-way ANOVA of performance curves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bestofk.core.errors import InputError
from bestofk.stats.arrays import ROUNDING, Array, Flags, numbers, squarable
from bestofk.stats.distributions import f_tail
from bestofk.stats.ratio import ratio
from bestofk.stats.results import Numeric, Result


@dataclass(frozen=True, eq=False, repr=False)
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


class CurveTable:
    """Sums of squares of algorithm × training; unequal numbers of curves leave the effects orthogonal."""

    def __init__(self, sets: list[Array]) -> None:
        self.sizes = np.array([group.shape[-2] for group in sets])
        pooled = np.concatenate(sets, axis=-2)
        self.lines, self.points = pooled.shape[-2:]
        column = pooled.mean(axis=-2, keepdims=True)
        grand = column.mean(axis=-1, keepdims=True)
        self.training = self.lines * np.square(column - grand).sum(axis=(-2, -1))
        # Algorithm and interaction are unchanged when the mean curve is taken out of every line.
        self.rounding = 4.0 * ROUNDING * np.abs(pooled).max(axis=(-2, -1))
        centred = pooled - column
        self.centred = np.where(np.abs(centred) <= self.rounding[..., None, None], 0.0, centred)
        self.total = np.square(self.centred).sum(axis=(-2, -1))

    def df(self) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float]]:
        """Degrees of freedom of algorithm, interaction and training, each with those of the error."""
        m, k = len(self.sizes), self.points
        error = float(self.lines * k - m * k)
        return (m - 1.0, error), ((m - 1.0) * (k - 1.0), error), (k - 1.0, error)

    def f_of(self, algorithm: Array, cells: Array) -> tuple[Array, Array]:
        """F of algorithm and interaction of shuffled tables, from sums of squares (cells = algorithm + interaction)."""
        total = self.total[..., None]
        tiny = 1e-13 * total  # what is left of sums that cancel
        interaction = np.where(cells - algorithm <= tiny, 0.0, cells - algorithm)
        algorithm = np.where(algorithm <= tiny, 0.0, algorithm)
        error = total - cells
        return self._ratios(algorithm, interaction, error, error <= tiny)

    def _ratios(self, algorithm: Array, interaction: Array, error: Array, no_spread: Flags) -> tuple[Array, Array]:
        (df_alg, df_error), (df_int, _), _ = self.df()
        spread = error / df_error
        f_alg = ratio(algorithm / df_alg, spread, no_effect=lambda: algorithm == 0, no_spread=no_spread)
        return f_alg, ratio(interaction / df_int, spread, no_effect=lambda: interaction == 0, no_spread=no_spread)

    def f_alg_int_train(self) -> tuple[Array, Array, Array]:
        """The three F of the curves as they are assigned, from deviations rather than from differences of sums."""
        starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
        sizes = self.sizes[:, None]
        cell = np.add.reduceat(self.centred, starts, axis=-2) / sizes
        line = cell.mean(axis=-1, keepdims=True)
        bend = cell - line
        residual = self.centred - np.repeat(cell, self.sizes, axis=-2)
        rounding = self.rounding[..., None, None]
        line, bend, residual = (np.where(np.abs(part) <= rounding, 0.0, part) for part in (line, bend, residual))
        algorithm = self.points * (sizes * np.square(line)).sum(axis=(-2, -1))
        interaction = (sizes * np.square(bend)).sum(axis=(-2, -1))
        error = np.square(residual).sum(axis=(-2, -1))
        f_alg, f_int = self._ratios(algorithm, interaction, error, error == 0)
        df_train, df_error = self.df()[2]
        level = self.training <= self.lines * self.points * np.square(self.rounding)
        f_train = ratio(self.training / df_train, error / df_error, no_effect=lambda: level, no_spread=error == 0)
        return f_alg, f_int, f_train

    def blur(self) -> Array:
        """How far rounding may move a shuffled F, relatively, when the error is a small rest of the total."""
        starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
        sums = np.add.reduceat(self.centred, starts, axis=-2)
        error = self.total - (np.square(sums).sum(axis=-1) / self.sizes).sum(axis=-1)
        return np.asarray(1e-14 * self.total / np.maximum(error, 1e-13 * self.total + (self.total == 0)))


def curve_sets(curves: tuple[Any, ...], *, where: str) -> list[Array]:
    """Take one set of curves per algorithm, all on the same grid of at least two points."""
    if len(curves) < 2:
        raise InputError(
            f"there is {len(curves)} set of curves.",
            f"{where}, arguments",
            "give one (runs, points) array per algorithm.",
        )
    sets = [
        squarable(numbers(group, name=f"curves[{i}]", where=where), name=f"curves[{i}]", where=where)
        for i, group in enumerate(curves)
    ]
    for i, group in enumerate(sets):
        if group.ndim < 2 or group.size == 0:
            raise InputError(
                f"curves[{i}] has the shape {group.shape}.",
                f"{where}, argument {i + 1}",
                "give (runs, points): one row per curve.",
            )
        if group.shape[-1] != sets[0].shape[-1]:
            raise InputError(
                f"curves[{i}] has {group.shape[-1]} points and curves[0] {sets[0].shape[-1]}.",
                f"{where}, argument {i + 1}",
                "bring all curves to the same points of training first.",
            )
    if sets[0].shape[-1] < 2:
        raise InputError("the curves have one point.", where, "give at least two points, or use anova.")
    if sum(group.shape[-2] for group in sets) <= len(sets):
        raise InputError("every algorithm has one curve.", where, "give at least one algorithm a second run.")
    try:
        batch = np.broadcast_shapes(*(group.shape[:-2] for group in sets))
    except ValueError:
        raise InputError("the sets' batches do not fit together.", where, "give batches of equal shape.") from None
    return [np.broadcast_to(group, (*batch, *group.shape[-2:])) for group in sets]
