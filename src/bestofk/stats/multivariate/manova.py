"""Multivariate analysis of variance."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import ROUNDING, Array
from bestofk.core.errors import TooFewUnits
from bestofk.core.record import Record
from bestofk.stats.distributions import chi2_tail, f_tail
from bestofk.stats.learners import Names, tables_of
from bestofk.stats.method import cites
from bestofk.stats.multivariate.hotelling import backward, cholesky, correlation, design_first, forward, products
from bestofk.stats.omnibus.anova import AnovaResult, anova
from bestofk.stats.overlap import inflation, overlap_ratio
from bestofk.stats.results import Numeric, Result


class ManovaResult(Result):
    """Result of ``manova``: Wilks' Λ in ``statistic``, with Rao's F for its p value.

    ``eigenvalues`` of E⁻¹H are sorted, largest first; ``eigenvectors`` has one column per eigenvalue, of unit
    length. ``collinear``: the first eigenvalue is more than 0.9 of their sum, so the means lie on one line.
    """

    f_statistic: Numeric
    chi2_statistic: Numeric
    chi2_df: Numeric
    chi2_pvalue: Numeric
    pillai: Criterion
    hotelling_lawley: Criterion
    roy: Criterion
    eigenvalues: Numeric
    eigenvectors: Numeric
    collinear: Numeric
    rank: Numeric
    values: Numeric
    names: Names
    inflation: float = 1.0

    symbol: ClassVar[str] = "Wilks"

    @property
    def second_statistic(self) -> str:
        """Rao's F, to which the degrees of freedom belong."""
        return f", F = {self.f_statistic:.4g}"

    @cached_property
    def posthoc(self) -> AnovaResult:
        """Univariate ANOVA of every measure (last axis of its fields), its F divided by ``inflation``."""
        plain = anova(np.moveaxis(np.asarray(self.values), -1, -3))
        if self.inflation == 1.0:
            return plain
        f = np.asarray(plain.statistic) / self.inflation
        return replace(plain, test="anova-corrected", statistic=f, pvalue=f_tail(f, *plain.df))


@cites(
    "rencher",
    called="MANOVA",
    assumes="multivariate normal vectors with the same covariance, independent but for the overlap that "
    "test_fraction allows for",
    not_for="folds without test_fraction, of which it rejects equal learners in up to 80 % of cases",
)
def manova(
    values: Any, *, test_fraction: float | None = None, n_train: float | None = None, n_test: float | None = None
) -> ManovaResult:
    r"""MANOVA: do L learners have the same vector of p expected measures?

    .. math:: \Lambda = |E| / |E + H| = \prod_i 1/(1 + \lambda_i)

    with H the scatter between learners and E that within. Beside Wilks' Λ (Rao's F, exact when min(p, L − 1) ≤ 2):
    Bartlett's χ² = −(ν_E − (p − ν_H + 1)/2) ln Λ, Pillai's trace, Hotelling–Lawley's trace (McKeon's F; with hardly
    more folds than measures it has none and takes Wilks' p) and Roy's root (an upper bound of F, so its p value is a
    lower bound).

    Parameters
    ----------
    values : array_like (..., L, k, p), or dict of name → (k, p)
        p measures of L learners on k folds.
    test_fraction : float, optional
        n₂/(n₁ + n₂), the share of the data that a fold tests: allow for training sets that overlap. H, made of means
        of k folds, is then divided by 1 + k·n₂/n₁ (``inflation``), and E stays as it is.
    n_train, n_test : float, optional
        The two sizes themselves.

    Notes
    -----
    When E + H is singular, the measures are reduced to those that vary independently and ``rank`` replaces p. When
    E alone is singular there, some combination separates the learners without error: Λ is 0 and p is 0.

    References
    ----------
    Wilks 1932. Rao 1951. McKeon 1974. Nadeau and Bengio 2003 for the correction of one measure. Rencher 1995,
    chapter 6. Yıldız, Aslan and Alpaydın 2011, eqs. 7 and 8 (the
    order of degrees of freedom in eq. 8 is misprinted).

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> manova(rng.normal(size=(3, 10, 2)))
    manova (two-sided): Wilks = 0.9052, F = 0.6641, df = 4, 52, p = 0.6198: does not reject at 0.05
    """
    names, table = tables_of(values, where="manova")
    learners, k = table.shape[-3:-1]
    overlap = inflation(k, overlap_ratio(test_fraction, n_train, n_test, where="manova"))
    hypothesis_df, error_df = learners - 1.0, learners * (k - 1.0)
    eigenvalues, eigenvectors, rank = _eigen(table, error_df)
    eigenvalues = eigenvalues / overlap
    wilks = np.prod(1.0 / (1.0 + eigenvalues), axis=-1)
    size = rank.astype(float)
    f, df, pvalue = rao(wilks, size, hypothesis_df, error_df)
    bartlett = error_df - (size - hypothesis_df + 1.0) / 2.0
    with np.errstate(divide="ignore"):
        chi2 = bartlett * np.log1p(eigenvalues).sum(axis=-1)
    total = eigenvalues.sum(axis=-1)
    largest = eigenvalues[..., 0]
    with np.errstate(invalid="ignore"):
        share = np.where(np.isinf(largest), 1.0, largest / np.where(total > 0, total, 1.0))
    return ManovaResult(
        test="manova" if overlap == 1.0 else "manova-corrected",
        statistic=wilks,
        pvalue=pvalue,
        df=df,
        estimate=table.mean(axis=-2),
        alternative="two-sided",
        f_statistic=f,
        chi2_statistic=chi2,
        chi2_df=settled_df(size * hypothesis_df),
        chi2_pvalue=chi2_tail(chi2, size * hypothesis_df),
        pillai=pillai(eigenvalues, size, hypothesis_df, error_df),
        hotelling_lawley=hotelling_lawley(total, size, hypothesis_df, error_df, pvalue),
        roy=roy(largest, size, hypothesis_df, error_df),
        eigenvalues=eigenvalues,
        eigenvectors=eigenvectors,
        collinear=share > 0.9,
        rank=rank,
        values=table.copy(),  # the result keeps what it came from, whatever the caller does with his array
        names=names,
        inflation=overlap,
    )


def _eigen(table: Array, error_df: float) -> tuple[Array, Array, npt.NDArray[np.intp]]:
    """Eigenvalues and eigenvectors of E⁻¹H, largest first, and the rank of E + H."""
    batch, (learners, k, p) = table.shape[:-3], table.shape[-3:]
    values = design_first(table, axes=3)
    means = values.mean(axis=1)
    within = (values - means[:, None]).reshape(learners * k, p, -1)
    between = np.sqrt(k) * (means - means.mean(axis=0))
    error = products(within)
    matrix, unit = correlation(error)
    factor, safe = cholesky(matrix)
    coarse = ROUNDING * float(np.abs(table).max())
    safe &= (np.einsum("iib->ib", error) > learners * k * coarse**2).all(axis=0) & (error_df >= p)
    whitened = forward(factor, np.moveaxis(between / unit, 1, 0))  # (p, learners, tests)
    scatter = np.moveaxis(products(np.moveaxis(whitened, 1, 0)), -1, 0)
    found, inner = np.linalg.eigh(scatter)
    keep = min(p, learners - 1)
    eigenvalues = np.maximum(found[:, ::-1][:, :keep], 0.0)
    back = backward(factor, np.moveaxis(inner[..., ::-1][..., :keep], 0, -1)) / unit[:, None]
    eigenvectors = _unit(np.moveaxis(back, -1, 0))
    rank = np.full(safe.shape, p)
    flat = table.reshape(-1, learners * k, p)
    for i in np.flatnonzero(~safe):
        rounding = ROUNDING * np.abs(flat[i]).max(axis=0)
        rows, shift = (np.where(np.abs(part) <= rounding, 0.0, part) for part in (within[..., i], between[..., i]))
        eigenvalues[i], eigenvectors[i], rank[i] = _singular(rows, shift, error_df, rounding, keep)
    shape = (*batch, keep)
    return eigenvalues.reshape(shape), eigenvectors.reshape(*batch, p, keep), rank.reshape(batch)


def _unit(vectors: Array) -> Array:
    length = np.sqrt(np.square(vectors).sum(axis=-2, keepdims=True))
    return vectors / np.where(length > 0, length, 1.0)


def _singular(rows: Array, shift: Array, error_df: float, rounding: Array, keep: int) -> tuple[Array, Array, int]:
    """One MANOVA whose E is singular or nearly so: reduce to the range of E + H, where θ = λ/(1 + λ)."""
    every = np.concatenate([rows, shift])
    unit = np.sqrt(np.square(every).sum(axis=0))
    unit = np.where(unit > 0, unit, 1.0)
    _, singular, axes = np.linalg.svd(every / unit, full_matrices=False)
    noise = 10.0 * float((rounding / unit).max()) * np.sqrt(len(every))
    rank = int((singular > 1e-9 * max(float(singular[0]), 1.0) + noise).sum())
    if rank > error_df:
        raise TooFewUnits(
            f"the folds ({len(rows)} in all) cannot carry {len(unit)} measures.",
            "manova, axes of folds and measures",
            "collect more folds, or compare fewer measures.",
        )
    values, vectors = np.zeros(keep), np.zeros((len(unit), keep))
    if rank:
        back = axes[:rank].T / singular[:rank]
        reduced = shift / unit @ back
        theta, inner = np.linalg.eigh(reduced.T @ reduced)
        order = np.argsort(theta)[::-1][:keep]
        theta = np.clip(theta[order], 0.0, 1.0)
        certain = theta > 1.0 - 1e-9
        values[: len(order)] = np.where(certain, np.inf, theta / np.where(certain, 1.0, 1.0 - theta))
        vectors[:, : len(order)] = _unit((back @ inner)[:, order] / unit[:, None])
    return values, vectors, max(rank, 1)


# The four criteria of a MANOVA from the eigenvalues of E⁻¹H, each with its F.


class Criterion(Record):
    """One of the four multivariate criteria with its F approximation."""

    statistic: Numeric
    f_statistic: Numeric
    df: tuple[Numeric, Numeric]
    pvalue: Numeric


def settled_df(value: Array) -> Any:
    """A df that is the same in the whole batch is one number."""
    value = np.asarray(value)
    return float(value.flat[0]) if value.size and not np.ptp(value) else value


def _criterion(statistic: Array, f: Array, df1: Any, df2: Any) -> Criterion:
    pvalue = f_tail(f, df1, df2)
    return Criterion(statistic=statistic, f_statistic=f, df=(settled_df(df1), settled_df(df2)), pvalue=pvalue)


def rao(wilks: Array, p: Array, q: float, v: float) -> tuple[Array, tuple[Any, Any], Array]:
    """Rao's F of Wilks' Λ for p measures, q and v degrees of freedom: F, its two df and p."""
    below = p * p + q * q - 5.0
    s = np.where(below > 0, np.sqrt(np.maximum(p * p * q * q - 4.0, 0.0) / np.where(below > 0, below, 1.0)), 1.0)
    df1 = p * q
    df2 = (v - (p - q + 1.0) / 2.0) * s - (p * q - 2.0) / 2.0
    root = wilks ** (1.0 / s)
    with np.errstate(divide="ignore"):
        f = (1.0 - root) / root * df2 / df1
    return f, (settled_df(df1), settled_df(df2)), f_tail(f, df1, df2)


def pillai(eigenvalues: Array, p: Array, q: float, v: float) -> Criterion:
    """Pillai's trace."""
    with np.errstate(invalid="ignore"):
        share = np.where(np.isinf(eigenvalues), 1.0, eigenvalues / (1.0 + eigenvalues))
    trace = share.sum(axis=-1)
    s = np.minimum(p, q)
    a, b = np.abs(p - q) + s, v - p + s
    with np.errstate(divide="ignore"):
        f = b / a * trace / (s - trace)
    return _criterion(trace, f, s * a, s * b)


def hotelling_lawley(trace: Array, p: Array, q: float, v: float, wilks_pvalue: Array) -> Criterion:
    """Hotelling–Lawley's trace, with McKeon's F where there are several roots."""
    s, m, n = np.minimum(p, q), (np.abs(p - q) - 1.0) / 2.0, (v - p - 1.0) / 2.0
    plain_df = s * (2.0 * m + s + 1.0), 2.0 * (s * n + 1.0)
    plain = plain_df[1] * trace / (s * plain_df[0])  # exact for one root
    mckeon = (s > 1) & (n > 0)
    safe = np.where(mckeon, n, 2.0)
    half = 2.0 * (2.0 * safe + 1.0) * (safe - 1.0)
    df2 = 4.0 + (p * q + 2.0) * half / ((p + 2.0 * safe) * (q + 2.0 * safe) - half)
    f = np.where(mckeon, df2 / (p * q) * trace * 2.0 * safe / np.where(mckeon, df2 - 2.0, 1.0), plain)
    found = _criterion(
        trace, f, np.where(mckeon, p * q, plain_df[0]), np.where(mckeon, df2, np.maximum(plain_df[1], 1.0))
    )
    # With hardly more folds than measures the trace of several roots has no F: Wilks' p stands in for it.
    none = (s > 1) & (n <= 0)
    return replace(found, pvalue=np.where(none, wilks_pvalue, found.pvalue)) if none.any() else found


def roy(largest: Array, p: Array, q: float, v: float) -> Criterion:
    """Roy's largest root, with the upper bound of F."""
    r = np.maximum(p, q)
    return _criterion(largest, largest * (v - r + q) / r, r, v - r + q)
