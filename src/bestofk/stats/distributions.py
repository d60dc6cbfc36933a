"""Tails and quantiles of reference distributions from ``scipy.special`` alone: ``scipy.stats`` is slow to load."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from bestofk.stats.intake import Array, level_inside


def t_tail(t: Any, df: Any, alternative: str) -> Array:
    """Return the p value of Student's t.

    Examples
    --------
    >>> round(float(t_tail(1.833, 9, "two-sided")), 4)
    0.1
    """
    return _symmetric_tail(lambda x: special.stdtr(df, x), t, alternative)


def normal_tail(z: Any, alternative: str) -> Array:
    """Return the p value of a standard normal z."""
    return _symmetric_tail(special.ndtr, z, alternative)


def _symmetric_tail(cdf: Any, x: Any, alternative: str) -> Array:
    x = np.asarray(x, dtype=float)
    if alternative == "two-sided":
        return np.minimum(1.0, 2.0 * np.asarray(cdf(-np.abs(x))))
    return np.asarray(cdf(-x if alternative == "greater" else x))


def f_tail(f: Any, df1: Any, df2: Any) -> Array:
    """Return the upper tail of Fisher's F."""
    return np.asarray(special.fdtrc(df1, df2, f))


def chi2_tail(x: Any, df: Any) -> Array:
    """Return the upper tail of the chi-square distribution."""
    return np.asarray(special.chdtrc(df, x))


def binomial_half_tail(wins: Any, n: Any, alternative: str) -> Array:
    """Return the exact p value of ``wins`` out of ``n`` fair coin tosses (n = 0: p is 1).

    Examples
    --------
    >>> float(binomial_half_tail(4, 4, "greater"))
    0.0625
    """
    wins, n = np.asarray(wins, dtype=float), np.asarray(n, dtype=np.int64)
    # P[X >= w] = P[X <= n - w]: the coin is fair, so one lower tail serves both sides.
    at_least, at_most = special.bdtr(n - wins, n, 0.5), special.bdtr(wins, n, 0.5)
    if alternative == "greater":
        return np.asarray(at_least)
    if alternative == "less":
        return np.asarray(at_most)
    return np.asarray(np.minimum(1.0, 2.0 * np.minimum(at_least, at_most)))


def binomial_half_point(wins: Any, n: Any) -> Array:
    """Return the probability of exactly ``wins`` heads in ``n`` tosses of a fair coin."""
    wins, n = np.asarray(wins, dtype=float), np.asarray(n, dtype=float)
    log_choose = special.gammaln(n + 1) - special.gammaln(wins + 1) - special.gammaln(n - wins + 1)
    return np.asarray(np.exp(log_choose - n * np.log(2.0)))


def t_upper(tail: float, df: Any) -> Array:
    """Return the t value that is exceeded, on the upper side alone, with the given probability."""
    return -np.asarray(special.stdtrit(np.asarray(df, dtype=float), tail))


def t_critical(probability: float, df: Any) -> Any:
    """Return the t value that is exceeded in size with the given two-sided probability (Bramer, Fig. 15.4).

    Examples
    --------
    >>> round(t_critical(0.05, 7), 3)
    2.365
    """
    value = t_upper(level_inside(probability, name="probability", where="t_critical") / 2.0, df)
    return value if value.ndim else float(value)


def normal_critical(probability: float) -> float:
    """Return the z value that is exceeded (one side) with the given probability."""
    return float(-special.ndtri(probability))
