"""Hotelling's T² test on vectors of measures."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import ROUNDING, Array, numbers, squarable
from bestofk.core.errors import InputError, TooFewUnits
from bestofk.core.options import flag_of
from bestofk.stats.distributions import f_tail, ratio, t_tail
from bestofk.stats.method import cites
from bestofk.stats.overlap import inflation, overlap_ratio
from bestofk.stats.pair import paired
from bestofk.stats.results import Numeric, Result
from bestofk.stats.shapes import common_batch

_POSTHOC = {"hotelling": "paired-t", "hotelling-corrected": "corrected-t", "hotelling-unpaired": "two-sample t"}


class PosthocResult(Result):
    """Univariate t test of every measure (last axis), after a multivariate one."""

    symbol: ClassVar[str] = "t"


class HotellingResult(Result):
    """Result of ``hotelling``: T² in ``statistic``; ``direction`` weighs the measures that make the difference.

    ``estimate`` is the vector of mean differences, ``rank`` the number of measures that vary independently.
    """

    f_statistic: Numeric
    direction: Numeric
    rank: Numeric
    variances: Numeric
    effective_size: float
    error_df: float

    symbol: ClassVar[str] = "T2"

    @property
    def second_statistic(self) -> str:
        """F, to which the degrees of freedom belong."""
        return f", F = {self.f_statistic:.4g}"

    @cached_property
    def posthoc(self) -> PosthocResult:
        """Univariate t tests of the measures: √k·d̄ₗ/√Sₗₗ (eq. 4 of the paper lacks the second root)."""
        mean, variance = np.asarray(self.estimate), np.asarray(self.variances)
        t = ratio(mean, np.sqrt(variance / self.effective_size), no_effect=lambda: mean == 0, no_spread=variance == 0)
        return PosthocResult(
            test=_POSTHOC[self.test],
            statistic=t,
            pvalue=t_tail(t, self.error_df, "two-sided"),
            df=(self.error_df,),
            estimate=mean,
            alternative="two-sided",
        )


@cites(
    "hotelling",
    "yildiz-aslan",
    called="Hotelling's T² test",
    assumes="multivariate normal differences, independent but for the overlap that test_fraction allows for",
    not_for="folds without test_fraction, of which it rejects equal learners in up to 47 % of cases",
)
def hotelling(
    first: Any,
    second: Any,
    *,
    unpaired: bool = False,
    test_fraction: float | None = None,
    n_train: float | None = None,
    n_test: float | None = None,
) -> HotellingResult:
    r"""Hotelling's T²: do two learners differ in any of p measures?

    .. math:: T^2 = k\, \bar d^\top S^{-1} \bar d, \qquad \frac{m-p+1}{mp}\, T^2 \sim F(p, m-p+1), \quad m = k - 1

    Singular S: the generalised inverse, and the rank of S in place of p. A mean difference outside the range of S
    (a measure that differs by the same amount on every fold) is certain: T² is infinite and p is 0.

    Parameters
    ----------
    first, second : array_like, (..., k, p)
        p measures of the two learners on k folds, the same folds for both.
    unpaired : bool
        Two independent samples, of sizes k₁ and k₂, with pooled covariance and m = k₁ + k₂ − 2.
    test_fraction : float, optional
        n₂/(n₁ + n₂), the share of the data that a fold tests (1/10 for ten folds): allow for training sets that
        overlap. The mean's covariance is then (1/k + n₂/n₁)·S in place of S/k, so T² is divided by 1 + k·n₂/n₁, and
        so is the square of every post-hoc t. Replications of folds lie in the one axis of folds.
    n_train, n_test : float, optional
        The two sizes themselves.

    Notes
    -----
    ``direction`` solves S·w = d̄ (where T² is infinite: the part of d̄ that does not vary). Folds must outnumber the
    measures that vary independently.

    References
    ----------
    Hotelling 1931. Nadeau and Bengio 2003 for the correction of one measure. Yıldız, Aslan and Alpaydın 2011, eqs. 2
    to 5; eq. 3 misprints the first degree of freedom.

    Examples
    --------
    >>> lda = [[.95, .08], [.97, .09], [.96, .07], [.98, .10], [.96, .08]]
    >>> qda = [[.90, .03], [.92, .05], [.93, .03], [.91, .04], [.94, .05]]
    >>> hotelling(lda, qda)
    hotelling (two-sided): T2 = 131.3, F = 49.22, df = 2, 3, p = 0.005086: rejects at 0.05
    """
    where = "hotelling"
    unpaired = flag_of(unpaired, name="unpaired", where=where)
    overlap = _overlap(overlap_ratio(test_fraction, n_train, n_test, where=where), unpaired)
    one, two = _vectors(first, second, unpaired, where)
    batch = common_batch(one.shape[:-2], two.shape[:-2], where=f"{where}, arguments first and second")
    one, two = (np.broadcast_to(values, (*batch, *values.shape[-2:])) for values in (one, two))
    n1, n2, p = one.shape[-2], two.shape[-2], one.shape[-1]
    size, m = (n1 * n2 / (n1 + n2), n1 + n2 - 2.0) if unpaired else (n1 / inflation(n1, overlap), n1 - 1.0)
    mean, deviation = _sample(one, two, unpaired)
    distance, direction, rank, variances = _distance(mean, deviation, m, one, two, unpaired)
    t2 = (size * distance).reshape(batch)
    rank = rank.reshape(batch)
    used = np.maximum(rank, 1)
    f = (m - used + 1.0) / (m * used) * t2
    df = (used.astype(float), m - used + 1.0)
    return HotellingResult(
        test="hotelling-unpaired" if unpaired else "hotelling-corrected" if overlap else "hotelling",
        statistic=t2,
        pvalue=f_tail(f, *df),
        df=df if np.ptp(rank) else (float(used.flat[0]), float(m - used.flat[0] + 1.0)),
        estimate=mean.T.reshape(*batch, p),
        alternative="two-sided",
        f_statistic=f,
        direction=direction.T.reshape(*batch, p),
        rank=rank,
        variances=variances.T.reshape(*batch, p),
        effective_size=size,
        error_df=m,
    )


def _overlap(ratio: float, unpaired: bool) -> float:
    if ratio and unpaired:
        raise InputError(
            "the sizes of training and test sets correct paired folds only.",
            "hotelling, argument unpaired",
            "give the same folds of both learners and leave unpaired out, or leave the sizes out.",
        )
    return ratio


def _vectors(first: Any, second: Any, unpaired: bool, where: str) -> tuple[Array, Array]:
    if not unpaired:
        pair = paired(first, second, where=where, axes=2)
        if pair.first.shape[-2] < 2:
            raise InputError("there is one fold.", where, "give at least two folds: (folds, measures).")
        return pair.first, pair.second
    one, two = (
        squarable(numbers(values, name=name, where=where), name=name, where=where)
        for values, name in ((first, "first"), (second, "second"))
    )
    if one.ndim < 2 or two.ndim < 2 or one.shape[-1] != two.shape[-1] or 0 in (one.size, two.size):
        raise InputError(
            f"first has the shape {one.shape} and second {two.shape}.",
            f"{where}, arguments first and second",
            "give both as (folds, measures) with the same measures.",
        )
    if one.shape[-2] + two.shape[-2] < 3:
        raise InputError("there is one fold of each learner.", where, "give at least two folds of one of them.")
    return one, two


def _sample(one: Array, two: Array, unpaired: bool) -> tuple[Array, Array]:
    """Mean difference (p, tests) and the deviations (n, p, tests) that S is made of."""
    if not unpaired:
        difference = design_first(one - two, axes=2)
        mean = difference.mean(axis=0)
        return mean, difference - mean
    sides = [design_first(values, axes=2) for values in (one, two)]
    means = [side.mean(axis=0) for side in sides]
    return means[0] - means[1], np.concatenate([side - mean for side, mean in zip(sides, means, strict=True)])


def _distance(
    mean: Array, deviation: Array, m: float, one: Array, two: Array, unpaired: bool
) -> tuple[Array, Array, npt.NDArray[np.intp], Array]:
    """d̄ᵀS⁻d̄, S⁻d̄, the rank of S and its diagonal; ``mean`` is cleaned of rounding where S is singular."""
    p = len(mean)
    scatter = products(deviation)
    squares = np.einsum("iib->ib", scatter).copy()
    matrix, unit = correlation(scatter / m)
    factor, safe = cholesky(matrix)
    half = forward(factor, mean / unit)
    distance = np.einsum("ib,ib->b", half, half)
    direction = backward(factor, half) / unit
    rank = np.full(safe.shape, p)
    coarse = ROUNDING * max(float(np.abs(one).max()), float(np.abs(two).max()))
    safe &= (squares > len(deviation) * coarse**2).all(axis=0) & (m >= p)
    flat = [values.reshape(-1, *values.shape[-2:]) for values in (one, two)]
    for i in np.flatnonzero(~safe):
        rounding = ROUNDING * np.maximum(*(np.abs(side[i]).max(axis=0) for side in flat))
        mean[:, i] = np.where(np.abs(mean[:, i]) <= rounding, 0.0, mean[:, i])
        rows = np.where(np.abs(deviation[..., i]) <= rounding, 0.0, deviation[..., i])
        squares[:, i] = np.square(rows).sum(axis=0)
        distance[i], direction[:, i], rank[i] = _singular(mean[:, i], rows, m, rounding)
    return distance, direction, rank, squares / m


def _singular(mean: Array, rows: Array, m: float, rounding: Array) -> tuple[float, Array, int]:
    """One test whose covariance is singular or nearly so, by singular values of the scaled deviations."""
    spread = np.sqrt(np.square(rows).sum(axis=0) / m)
    scale = np.where(rounding > 0, rounding / ROUNDING, 1.0)  # the unit of a measure that does not vary
    unit = np.where(spread > 0, spread, scale)
    mean, rows, noise = mean / unit, rows / unit, 10.0 * float((rounding / unit).max())
    _, singular, axes = np.linalg.svd(rows, full_matrices=True)
    rank = int((singular > 1e-9 * max(float(singular[0]), 1.0) + noise * np.sqrt(len(rows))).sum())
    if m <= rank < len(mean):
        raise TooFewUnits(
            f"{len(rows)} folds cannot carry {len(mean)} measures.",
            "hotelling, axes of folds and measures",
            f"collect at least {len(mean) + 1} folds, or compare fewer measures.",
        )
    inside, outside = axes[:rank], axes[rank:]
    left_over = outside @ mean
    if np.linalg.norm(left_over) > 1e-9 * np.linalg.norm(mean) + noise:
        return np.inf, left_over @ outside / unit, rank
    along = inside @ mean
    variances = np.square(singular[:rank]) / m
    return float((np.square(along) / variances).sum()), (along / variances) @ inside / unit, rank


#: Smallest pivot of a correlation matrix that the plain factorisation is trusted with.
_SAFE_PIVOT = 1e-7


def design_first(values: Array, axes: int) -> Array:
    """Turn (..., design) into (design, tests), contiguous.

    Examples
    --------
    >>> design_first(np.zeros((4, 5, 10, 2)), axes=2).shape
    (10, 2, 20)
    """
    flat = values.reshape(-1, *values.shape[-axes:])
    return np.ascontiguousarray(np.moveaxis(flat, 0, -1))


def products(rows: Array) -> Array:
    """Return Σ rows·rowsᵀ over the first axis: (n, p, tests) to (p, p, tests)."""
    p = rows.shape[1]
    matrix = np.empty((p, p, rows.shape[2]))
    for i in range(p):
        for j in range(i + 1):
            matrix[i, j] = matrix[j, i] = np.einsum("nb,nb->b", rows[:, i], rows[:, j])
    return matrix


def correlation(scatter: Array) -> tuple[Array, Array]:
    """Return a scatter matrix scaled to unit diagonal, and the units; a measure without spread keeps unit 1."""
    unit = np.sqrt(np.einsum("iib->ib", scatter))
    unit = np.where(unit > 0, unit, 1.0)
    return scatter / (unit[:, None] * unit[None]), unit


def cholesky(matrix: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Return lower factors of unit-diagonal matrices (p, p, tests), and which of them are well-conditioned."""
    p = len(matrix)
    factor = np.zeros(matrix.shape)
    safe = np.ones(matrix.shape[-1], dtype=bool)
    for j in range(p):
        pivot = matrix[j, j] - np.einsum("ib,ib->b", factor[j, :j], factor[j, :j])
        good = pivot > _SAFE_PIVOT
        safe &= good
        factor[j, j] = np.sqrt(np.where(good, pivot, 1.0))
        for i in range(j + 1, p):
            factor[i, j] = (matrix[i, j] - np.einsum("ib,ib->b", factor[i, :j], factor[j, :j])) / factor[j, j]
    return factor, safe


def forward(factor: Array, right: Array) -> Array:
    """Solve factor · x = right; right is (p, ..., tests)."""
    x = np.empty(right.shape)
    for i in range(len(right)):
        x[i] = (right[i] - np.einsum("jb,j...b->...b", factor[i, :i], x[:i])) / factor[i, i]
    return x


def backward(factor: Array, right: Array) -> Array:
    """Solve factorᵀ · x = right; right is (p, ..., tests)."""
    x = np.empty(right.shape)
    for i in range(len(right) - 1, -1, -1):
        x[i] = (right[i] - np.einsum("jb,j...b->...b", factor[i + 1 :, i], x[i + 1 :])) / factor[i, i]
    return x
