"""Tails and quantiles of reference distributions from ``scipy.special`` alone: ``scipy.stats`` is slow to load."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bestofk.core import special
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import level_inside

#: Up to this many degrees of freedom t has a short closed form, several times as fast as the incomplete beta function.
_CLOSED_FORM_UP_TO = 30
#: Below this p value the closed form (1 minus something near 1) loses digits, and the beta function takes over.
_CLOSED_FORM_FROM = 1e-3


def t_tail(t: Any, df: Any, alternative: str) -> Array:
    """Return the p value of Student's t.

    Examples
    --------
    >>> round(float(t_tail(1.833, 9, "two-sided")), 4)
    0.1
    """
    t = np.asarray(t, dtype=float)
    two_sided = _t_two_sided(np.abs(t), df)
    if alternative == "two-sided":
        return two_sided
    towards = t > 0 if alternative == "greater" else t < 0
    return np.where(towards, 0.5 * two_sided, 1.0 - 0.5 * two_sided)


def _t_two_sided(size: Array, df: Any) -> Array:
    if np.ndim(df) or df > _CLOSED_FORM_UP_TO or df != int(df):
        return np.asarray(2.0 * special.stdtr(df, -size))
    pvalue = np.asarray(1.0 - _t_inside(np.minimum(size, 1e100), int(df)))
    small = pvalue < _CLOSED_FORM_FROM
    if small.any():
        pvalue[small] = 2.0 * special.stdtr(df, -size[small])
    return pvalue


def _t_inside(size: Array, df: int) -> Array:
    """P[|T| < size] as a finite sum (Abramowitz and Stegun 26.7.3 and 26.7.4)."""
    x = size / np.sqrt(df)
    square = 1.0 / (1.0 + x * x)  # cos² of the angle whose tangent is x
    total, term = np.zeros(size.shape), 1.0
    for j in range(df % 2, df - 1, 2):
        total += term
        term = term * (j + 1) / (j + 2) * square
    if df % 2:
        return np.asarray((np.arctan(x) + x * square * total) * (2.0 / np.pi))
    return np.asarray(x * np.sqrt(square) * total)


def normal_tail(z: Any, alternative: str) -> Array:
    """Return the p value of a standard normal z."""
    z = np.asarray(z, dtype=float)
    if alternative == "two-sided":
        return np.asarray(2.0 * special.ndtr(-np.abs(z)))
    return np.asarray(special.ndtr(-z if alternative == "greater" else z))


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
    wins, n = np.asarray(wins, dtype=float), np.asarray(n, dtype=float)
    # P[X >= w] = P[X <= n - w]: the coin is fair, so one lower tail serves both sides.
    if alternative == "greater":
        return np.asarray(_half_lower(n - wins, n))
    if alternative == "less":
        return np.asarray(_half_lower(wins, n))
    return np.asarray(np.minimum(1.0, 2.0 * np.minimum(_half_lower(n - wins, n), _half_lower(wins, n))))


def _half_lower(wins: Array, n: Array) -> Array:
    """P[X <= wins] as an incomplete beta function: good for any n, where the binomial one ends at 2³¹."""
    inside = wins < n
    return np.where(inside, special.betainc(np.where(inside, n - wins, 1.0), wins + 1.0, 0.5), 1.0)


def binomial_half_point(wins: Any, n: Any) -> Array:
    """Return the probability of exactly ``wins`` heads in ``n`` tosses of a fair coin."""
    wins, n = np.asarray(wins, dtype=float), np.asarray(n, dtype=float)
    log_choose = special.gammaln(n + 1) - special.gammaln(wins + 1) - special.gammaln(n - wins + 1)
    return np.asarray(np.exp(log_choose - n * np.log(2.0)))


def t_upper(tail: Any, df: Any) -> Array:
    """Return the t value that is exceeded, on the upper side alone, with the given probability."""
    return -np.asarray(special.stdtrit(np.asarray(df, dtype=float), tail))


def t_critical(probability: float, df: Any) -> Any:
    """Return the t value that is exceeded in size with the given two-sided probability (Bramer, Fig. 15.4).

    Examples
    --------
    >>> round(t_critical(0.05, 7), 3)
    2.365
    """
    if not np.all(np.asarray(df, dtype=float) > 0):
        raise InputError(f"df is {df!r}.", "t_critical, argument df", "give degrees of freedom above 0.")
    value = t_upper(level_inside(probability, name="probability", where="t_critical") / 2.0, df)
    return value if value.ndim else float(value)


def normal_upper(tail: Any) -> Array:
    """Return the z value that is exceeded, on the upper side alone, with the given probability."""
    return -np.asarray(special.ndtri(tail))


def normal_critical(probability: float) -> float:
    """Return the z value that is exceeded (one side) with the given probability."""
    return float(-special.ndtri(probability))


def ratio(effect: Any, spread: Any, *, no_effect: Callable[[], Any], no_spread: Any) -> Array:
    """Divide effect by spread; where there is no spread: 0 without effect, ±inf with one.

    ``no_effect`` is a function because it is asked only when some spread is missing, which is rare.

    Examples
    --------
    >>> ratio([1.0, 0.0, -2.0], [2.0, 0.0, 0.0], no_effect=lambda: [False, True, False], no_spread=[False, True, True])
    array([ 0.5,  0. , -inf])
    """
    effect, no_spread = np.asarray(effect, dtype=float), np.asarray(no_spread)
    if not no_spread.any():
        return np.asarray(effect / spread)
    certain = np.where(no_effect(), 0.0, np.copysign(np.inf, effect))
    return np.where(no_spread, certain, effect / np.where(no_spread, 1.0, spread))
