"""Sets of curves as a table, algorithm × training, and its sums of squares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from bestofk.core.arrays import ROUNDING, Array, Flags, numbers, squarable
from bestofk.core.errors import InputError
from bestofk.core.options import count_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.curves import matrix_kernel
from bestofk.stats.curves.dealings import (
    Backend,
    Codes,
    Deck,
    backend_of,
    between_blocks,
    block_codes,
    block_means,
    membership,
)
from bestofk.stats.curves.matrix_kernel import Lines
from bestofk.stats.distributions import ratio
from bestofk.stats.shapes import common_batch, wrong_shape

_TIES = 1e-9  # F this close, relatively, are the same F in another order of adding


class CurveTable:
    """Sums of squares of algorithm × training; unequal numbers of curves leave the effects orthogonal.

    With blocks the mean curve of its block is taken out of every line, and the effects of algorithm and interaction are
    those beside blocks (least squares). ``quadratic`` is None where sums of squares need no weights: without blocks,
    and in blocks in which every algorithm has the same share.
    """

    def __init__(self, sets: list[Array], block: Codes | None = None) -> None:
        self.sizes = np.array([group.shape[-2] for group in sets])
        self.means = np.stack([group.mean(axis=(-2, -1)) for group in sets], axis=-1)
        pooled = np.concatenate(sets, axis=-2)
        self.lines, self.points = pooled.shape[-2:]
        self.block = np.zeros(self.lines, dtype=np.int64) if block is None else block
        column = pooled.mean(axis=-2, keepdims=True)
        grand = column.mean(axis=-1, keepdims=True)
        self.training = self.lines * np.square(column - grand).sum(axis=(-2, -1))
        # Algorithm and interaction are unchanged when the mean curve is taken out of every line.
        self.rounding = 4.0 * ROUNDING * np.abs(pooled).max(axis=(-2, -1))
        centred = pooled - (column if block is None else block_means(pooled, block))
        self.centred = np.where(np.abs(centred) <= self.rounding[..., None, None], 0.0, centred)
        self.total = np.square(self.centred).sum(axis=(-2, -1))
        spread = between_blocks(self.sizes, self.block)
        even = np.diag(self.sizes) - np.outer(self.sizes, self.sizes) / self.lines
        self.inverse: Array = np.asarray(np.linalg.pinv(spread), dtype=np.float64)
        self.quadratic = None if np.allclose(spread, even, rtol=0.0, atol=1e-9 * self.lines) else self.inverse

    def df(self) -> tuple[tuple[float, float], tuple[float, float], tuple[float, float]]:
        """Degrees of freedom of algorithm, interaction and training, each with those of the error."""
        m, k = len(self.sizes), self.points
        error = float(self.df_lines * k)
        return (m - 1.0, error), ((m - 1.0) * (k - 1.0), error), (k - 1.0, error)

    @property
    def df_lines(self) -> int:
        """Degrees of freedom of the lines within algorithms and blocks."""
        return int(self.lines - self.block.max() - len(self.sizes))

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

    def shuffled_sums(self, dealings: Iterator[Lines], backend: Backend) -> tuple[Array, Array]:
        """Return the sums of squares of algorithm and of cells, (..., dealings), of every dealing of the lines."""
        flat = np.ascontiguousarray(self.centred.reshape(-1, self.lines, self.points))
        found = [np.stack([self._sums(lines, dealing, backend) for lines in flat], axis=1) for dealing in dealings]
        algorithm, cells = np.concatenate(found, axis=-1).reshape(2, *self.centred.shape[:-2], -1)
        return algorithm, cells

    def _sums(self, lines: Array, dealing: Lines, backend: Backend) -> tuple[Array, Array]:
        if self.quadratic is None:
            return backend.sums(lines, self.sizes, dealing)
        return matrix_kernel.weighted_sums(lines, self.sizes, dealing, self.quadratic)

    def parts(self) -> tuple[Array, Array, Array]:
        """Every line's level (one number), shape and residual: what algorithm, interaction and neither explain."""
        fitted = self._fitted()
        level = fitted.mean(axis=-1, keepdims=True)
        rounding = self.rounding[..., None, None]
        level, shape, residual = (
            np.where(np.abs(part) <= rounding, 0.0, part) for part in (level, fitted - level, self.centred - fitted)
        )
        return level, shape, residual

    def _fitted(self) -> Array:
        """What algorithm and interaction explain of every line: its cell's mean, where there are no blocks."""
        if not self.block.any():
            starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]])
            cell = np.add.reduceat(self.centred, starts, axis=-2) / self.sizes[:, None]
            return np.repeat(cell, self.sizes, axis=-2)
        member = membership(self.sizes)
        within = member - block_means(member, self.block)
        return np.asarray(within @ (self.inverse @ (member.T @ self.centred)))

    def f_alg_int_train(self) -> tuple[Array, Array, Array]:
        """The three F of the curves as they are assigned, from deviations rather than from differences of sums."""
        level, shape, residual = self.parts()
        algorithm = self.points * np.square(level).sum(axis=(-2, -1))
        interaction = np.square(shape).sum(axis=(-2, -1))
        error = np.square(residual).sum(axis=(-2, -1))
        f_alg, f_int = self._ratios(algorithm, interaction, error, error == 0)
        df_train, df_error = self.df()[2]
        flat = self.training <= self.lines * self.points * np.square(self.rounding)
        f_train = ratio(self.training / df_train, error / df_error, no_effect=lambda: flat, no_spread=error == 0)
        return f_alg, f_int, f_train

    def blur(self) -> Array:
        """How far rounding may move a shuffled F, relatively, when the error is a small rest of the total."""
        sums = membership(self.sizes).T @ self.centred
        cells = np.einsum("...ik,ij,...jk->...", sums, self.inverse, sums)
        return np.asarray(1e-14 * self.total / np.maximum(self.total - cells, 1e-13 * self.total + (self.total == 0)))


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
            raise wrong_shape(group, f"curves[{i}]", where, "give (runs, points): one row per curve.")
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
    batch = common_batch(*(group.shape[:-2] for group in sets), where=where)
    return [np.broadcast_to(group, (*batch, *group.shape[-2:])) for group in sets]


def dealt_table(
    curves: tuple[Any, ...],
    *,
    shuffles: int,
    paired: Any,
    blocks: Any,
    rng: Seed,
    exact: Any,
    backend: str,
    where: str,
) -> tuple[CurveTable, Backend, bool, Iterator[Lines]]:
    """Take sets of curves: their table, the backend, whether all dealings are tried, and these or random ones."""
    sets = curve_sets(curves, where=where)
    shuffles = count_of(shuffles, name="shuffles", where=where)
    random = generator(rng, where=where)
    block = block_codes([group.shape[-2] for group in sets], paired=paired, blocks=blocks, where=where)
    table, kernel = CurveTable(sets, block), backend_of(backend, where)
    return table, kernel, *Deck(table.sizes, block).dealings(exact, shuffles, random, kernel, where)


def reached_by(statistic: Array, null: Array, exact: bool, blur: Array) -> tuple[Array, Array]:
    """P value and the plain share b/z of shuffled values that reach the observed one, rounding apart."""
    z = null.shape[-1]
    with np.errstate(invalid="ignore"):
        floor = (statistic * (1.0 - _TIES - blur))[..., None]
        reached = (null >= floor) | (np.isinf(null) & np.isinf(statistic[..., None]))
    b = reached.sum(axis=-1)
    if exact:
        b = np.maximum(b, 1)  # the observed way is one of them, whatever rounding says
    return (b / z if exact else (b + 1.0) / (z + 1.0)), b / z


def critical_value(null: Array, alpha: float) -> Array:
    """The ⌈(1 − α)z⌉-th of the sorted shuffled values."""
    z = null.shape[-1]
    place = min(max(int(np.ceil(round((1.0 - alpha) * z, 9))), 1), z) - 1
    return np.asarray(np.partition(null, place, axis=-1)[..., place])


def effects_line(test: str, **effects: tuple[Any, Any]) -> str:
    """Effects of an ANOVA of curves by name, F and p each, in one line."""
    shape = np.shape(next(iter(effects.values()))[1])
    if shape:
        return f"{test}, batch of shape {shape}"
    said = [
        f"{name} F = {f:.4g}, p = {p:.4g}: {'rejects' if p <= 0.05 else 'does not reject'} at 0.05"
        for name, (f, p) in effects.items()
    ]
    return f"{test}: " + "; ".join(said)
