"""Randomized two-way ANOVA: whole curves are shuffled between algorithms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from bestofk.core.errors import InputError
from bestofk.core.extras import available
from bestofk.core.names import unknown
from bestofk.core.rng import Seed, generator
from bestofk.stats.arrays import Array
from bestofk.stats.curves import matrix_kernel
from bestofk.stats.curves.curve_anova import CurveTable, curve_sets, effects_line
from bestofk.stats.distributions import f_tail
from bestofk.stats.options import count_of, level_inside
from bestofk.stats.results import Numeric, Result

Lines = npt.NDArray[np.integer[Any]]


class Backend(Protocol):
    """How dealings are drawn and their sums of squares taken: the same numbers from every backend."""

    CHUNK: int  # shuffles per pass, so that the working arrays stay in cache; the numbers do not depend on it

    def deal(self, draws: npt.NDArray[np.uint32], lines: int) -> Lines:
        """Turn random numbers (shuffles, places) into the line at every place, by Fisher and Yates."""

    def sums(self, lines: Array, sizes: npt.NDArray[np.int64], dealing: Lines) -> tuple[Array, Array]:
        """Return the sums of squares of algorithm and of cells for every dealing of centred lines."""


_TIES = 1e-9  # F this close, relatively, are the same F in another order of adding
_CHUNK = 4096  # enumerated dealings per pass
_EXACT_AUTO = 10_000  # at most this many splits are enumerated without being asked
_EXACT_MOST = 5_000_000


@dataclass(frozen=True, eq=False, repr=False)
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
    rng : int, Generator or None
        Seed; the same seed gives the same p, with or without the extra ``fast``.
    exact : {"auto", True, False}
        Enumerate all ways to deal the curves; then p = count/ways, the observed way included. ``auto`` does so when
        there are at most 10,000.
    backend : {"auto", "numpy", "numba"}
        ``auto`` takes the compiled kernel when the extra ``fast`` is installed.

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
    table = CurveTable(sets)
    enumerate_all = _is_exact(exact, table.sizes, where)
    kernel = _backend(backend, where)
    f_alg, f_int, _ = table.f_alg_int_train()
    dealings = _all_dealings(table.sizes) if enumerate_all else _random_dealings(table.sizes, shuffles, random, kernel)
    null_alg, null_int = _null(table, dealings, kernel)
    guard = _TIES + table.blur()
    p_alg, plain_alg, critical_alg = _judged(f_alg, null_alg, alpha, enumerate_all, guard)
    p_int, plain_int, critical_int = _judged(f_int, null_int, alpha, enumerate_all, guard)
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
        critical_alg=critical_alg,
        critical_int=critical_int,
        null_alg=null_alg,
        null_int=null_int,
        alpha=alpha,
        shuffles=null_alg.shape[-1],
        exact=enumerate_all,
    )


def _judged(f: Array, null: Array, alpha: float, exact: bool, guard: Array) -> tuple[Array, Array, Array]:
    """P value, the paper's b/z, and the critical value: the ⌈(1 − α)z⌉-th of the sorted shuffled F."""
    z = null.shape[-1]
    with np.errstate(invalid="ignore"):
        reached = (null >= (f * (1.0 - guard))[..., None]) | (np.isinf(null) & np.isinf(f[..., None]))
    b = reached.sum(axis=-1)
    if exact:
        b = np.maximum(b, 1)  # the observed way is one of them, whatever rounding says
    place = min(max(int(np.ceil(round((1.0 - alpha) * z, 9))), 1), z) - 1
    critical = np.partition(null, place, axis=-1)[..., place]
    return (b / z if exact else (b + 1.0) / (z + 1.0)), b / z, critical


def _null(table: CurveTable, dealings: Iterator[Lines], backend: Backend) -> tuple[Array, Array]:
    batch = table.centred.shape[:-2]
    flat = np.ascontiguousarray(table.centred.reshape(-1, table.lines, table.points))
    algorithm: list[Array] = []
    cells: list[Array] = []
    for dealing in dealings:
        parts = [backend.sums(lines, table.sizes, dealing) for lines in flat]
        algorithm.append(np.stack([part[0] for part in parts]))
        cells.append(np.stack([part[1] for part in parts]))
    shape = (*batch, -1)
    return table.f_of(np.concatenate(algorithm, -1).reshape(shape), np.concatenate(cells, -1).reshape(shape))


def _backend(name: str, where: str) -> Backend:
    if name not in ("auto", "numpy", "numba"):
        raise unknown(name, ("auto", "numpy", "numba"), what="backend", where=f"{where}, argument backend")
    if name == "numba" or (name == "auto" and available("numba")):
        from bestofk.stats.curves import fused_kernel

        return fused_kernel
    return matrix_kernel


def _random_dealings(
    sizes: npt.NDArray[np.int64], shuffles: int, random: np.random.Generator, backend: Backend
) -> Iterator[Lines]:
    """Random dealings (shuffles, places): the lines of every algorithm but the last."""
    lines, dealt = int(sizes.sum()), int(sizes[:-1].sum())
    for start in range(0, shuffles, backend.CHUNK):
        rows = min(backend.CHUNK, shuffles - start)
        words = random.integers(0, 1 << 64, size=(rows, (dealt + 1) // 2), dtype=np.uint64)
        yield backend.deal(words.view(np.uint32)[:, :dealt], lines)  # two draws a word


def _is_exact(exact: bool | str, sizes: npt.NDArray[np.int64], where: str) -> bool:
    ways, left = 1, int(sizes.sum())
    for size in sizes:
        ways *= comb(left, int(size))
        left -= int(size)
    if exact == "auto":
        return ways <= _EXACT_AUTO
    if not isinstance(exact, bool):
        raise unknown(exact, ("auto", "True", "False"), what="exact", where=f"{where}, argument exact")
    if exact and ways > _EXACT_MOST:
        raise InputError(
            f"there are {ways} ways to deal the curves.",
            f"{where}, argument exact",
            "use exact=False with shuffles.",
        )
    return exact


def _all_dealings(sizes: npt.NDArray[np.int64]) -> Iterator[Lines]:
    def deal(left: tuple[int, ...], wanted: list[int]) -> Iterator[tuple[int, ...]]:
        if not wanted:
            yield ()
            return
        for hand in combinations(left, wanted[0]):
            taken = set(hand)
            for rest in deal(tuple(line for line in left if line not in taken), wanted[1:]):
                yield hand + rest

    ways = deal(tuple(range(int(sizes.sum()))), [int(size) for size in sizes[:-1]])
    chunk: list[tuple[int, ...]] = []
    for way in ways:
        chunk.append(way)
        if len(chunk) == _CHUNK:
            yield np.array(chunk)
            chunk = []
    if chunk:
        yield np.array(chunk)
