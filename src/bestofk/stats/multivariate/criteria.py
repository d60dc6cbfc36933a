"""The four criteria of a MANOVA from the eigenvalues of E⁻¹H, each with its F."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.record import Record
from bestofk.stats.distributions import f_tail
from bestofk.stats.results import Numeric


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
