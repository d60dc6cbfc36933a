"""Hotelling's T² test on vectors of measures."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from bestofk.core.errors import InputError
from bestofk.stats.distributions import f_tail, t_tail
from bestofk.stats.intake import ROUNDING, Array, numbers, paired
from bestofk.stats.multivariate.scatter import backward, cholesky, forward
from bestofk.stats.ratio import ratio
from bestofk.stats.results import Numeric, Result


@dataclass(frozen=True, eq=False, repr=False)
class PosthocResult(Result):
    """Univariate t test of every measure (last axis), after a multivariate one."""

    symbol: ClassVar[str] = "t"


@dataclass(frozen=True, eq=False, repr=False)
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

    @cached_property
    def posthoc(self) -> PosthocResult:
        """Univariate t tests of the measures: √k·d̄ₗ/√Sₗₗ (eq. 4 of the paper lacks the second root)."""
        mean, variance = np.asarray(self.estimate), np.asarray(self.variances)
        t = ratio(mean, np.sqrt(variance / self.effective_size), no_effect=mean == 0, no_spread=variance == 0)
        return PosthocResult(
            test="paired-t" if self.test == "hotelling" else "two-sample t",
            statistic=t,
            pvalue=t_tail(t, self.error_df, "two-sided"),
            df=(self.error_df,),
            estimate=mean,
            alternative="two-sided",
        )


def hotelling(first: Any, second: Any, *, unpaired: bool = False) -> HotellingResult:
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

    Notes
    -----
    ``direction`` solves S·w = d̄ (where T² is infinite: the part of d̄ that does not vary). Folds must outnumber the
    measures that vary independently.

    References
    ----------
    Hotelling 1931. Yıldız, Aslan and Alpaydın 2011, eqs. 2 to 5; eq. 3 misprints the first degree of freedom.

    Examples
    --------
    >>> lda = [[.95, .08], [.97, .09], [.96, .07], [.98, .10], [.96, .08]]
    >>> qda = [[.90, .03], [.92, .05], [.93, .03], [.91, .04], [.94, .05]]
    >>> hotelling(lda, qda)
    hotelling (two-sided): T2 = 131.3, df = 2, 3, p = 0.005086: rejects at 0.05
    """
    where = "hotelling"
    one, two, rounding = _vectors(first, second, unpaired, where)
    if unpaired:
        n1, n2 = one.shape[-2], two.shape[-2]
        mean = one.mean(axis=-2) - two.mean(axis=-2)
        deviation = np.concatenate(np.broadcast_arrays(*_centred(one, two)) if n1 == n2 else _joined(one, two), axis=-2)
        size, m = n1 * n2 / (n1 + n2), n1 + n2 - 2.0
    else:
        difference = one - two
        mean = difference.mean(axis=-2)
        deviation = difference - mean[..., None, :]
        size, m = float(one.shape[-2]), one.shape[-2] - 1.0
    mean = np.where(np.abs(mean) <= rounding, 0.0, mean)
    deviation = np.where(np.abs(deviation) <= rounding[..., None, :], 0.0, deviation)
    distance, direction, rank = _distance(mean, deviation, m, rounding, where)
    t2 = size * distance
    used = np.maximum(rank, 1)
    f = (m - used + 1.0) / (m * used) * t2
    df = (used.astype(float), m - used + 1.0)
    return HotellingResult(
        test="hotelling" if not unpaired else "hotelling-unpaired",
        statistic=t2,
        pvalue=f_tail(f, *df),
        df=df if np.ptp(rank) else (float(used.flat[0]), float(m - used.flat[0] + 1.0)),
        estimate=mean,
        alternative="two-sided",
        f_statistic=f,
        direction=direction,
        rank=rank,
        variances=np.square(deviation).sum(axis=-2) / m,
        effective_size=size,
        error_df=m,
    )


def _vectors(first: Any, second: Any, unpaired: bool, where: str) -> tuple[Array, Array, Array]:
    """Both learners' vectors, and what counts as zero in each measure."""
    if not unpaired:
        pair = paired(first, second, where=where, axes=2)
        one, two = pair.first, pair.second
        enough = one.shape[-2] >= 2
    else:
        one, two = numbers(first, name="first", where=where), numbers(second, name="second", where=where)
        if one.ndim < 2 or two.ndim < 2 or one.shape[-1] != two.shape[-1] or 0 in (one.size, two.size):
            raise InputError(
                f"first has the shape {one.shape} and second {two.shape}.",
                f"{where}, arguments first and second",
                "give both as (folds, measures) with the same measures.",
            )
        enough = one.shape[-2] + two.shape[-2] >= 3
    if not enough:
        raise InputError(f"there are too few folds: {one.shape[-2]}.", where, "give at least two folds.")
    scale = np.maximum(np.abs(one).max(axis=-2), np.abs(two).max(axis=-2))
    return one, two, ROUNDING * scale


def _centred(one: Array, two: Array) -> list[Array]:
    return [values - values.mean(axis=-2, keepdims=True) for values in (one, two)]


def _joined(one: Array, two: Array) -> list[Array]:
    batch = np.broadcast_shapes(one.shape[:-2], two.shape[:-2])
    return [np.broadcast_to(values, (*batch, *values.shape[-2:])) for values in _centred(one, two)]


def _distance(mean: Array, deviation: Array, m: float, rounding: Array, where: str) -> tuple[Array, Array, Array]:
    """d̄ᵀS⁻d̄, S⁻d̄ and the rank of S = deviationᵀ·deviation/m."""
    p = mean.shape[-1]
    covariance = np.swapaxes(deviation, -1, -2) @ deviation / m
    spread = np.sqrt(np.einsum("...ii->...i", covariance))
    varies = spread > 0
    unit = np.where(varies, spread, 1.0)
    scaled_mean = mean / unit
    factor, safe = cholesky(covariance / (unit[..., :, None] * unit[..., None, :]))
    safe &= m >= p
    half = forward(factor, scaled_mean)
    distance = np.asarray(np.square(half).sum(axis=-1))
    direction = backward(factor, half) / unit
    rank = np.full(safe.shape, p)
    for index in np.argwhere(~safe):
        i = tuple(index)
        noise = float((np.broadcast_to(rounding, mean.shape)[i] / unit[i]).max())
        distance[i], direction[i], rank[i] = _singular(scaled_mean[i], deviation[i] / unit[i], m, noise, where)
        direction[i] /= unit[i]
    return distance, direction, rank


def _singular(mean: Array, deviation: Array, m: float, noise: float, where: str) -> tuple[float, Array, int]:
    """One test whose scaled covariance is singular or nearly so."""
    _, singular, axes = np.linalg.svd(deviation, full_matrices=True)
    threshold = 1e-9 * max(float(singular[0]), 1.0) + 10.0 * noise * np.sqrt(len(deviation))
    rank = int((singular > threshold).sum())
    if rank >= m and rank < len(mean):
        raise InputError(
            f"{len(deviation)} folds cannot carry {len(mean)} measures.",
            f"{where}, axes of folds and measures",
            f"collect at least {len(mean) + 1} folds, or compare fewer measures.",
        )
    inside, outside = axes[:rank], axes[rank:]
    left_over = outside @ mean
    if np.linalg.norm(left_over) > 1e-9 * np.linalg.norm(mean) + 10.0 * noise:
        return np.inf, left_over @ outside, rank
    along = inside @ mean
    variances = np.square(singular[:rank]) / m
    return float((np.square(along) / variances).sum()), (along / variances) @ inside, rank
