"""The studentized range distribution: tail and critical value, fast enough for 30,000 runs at once.

With Q the range of k standard normals over an independent √(χ²_v/v),

    P[Q > q] = ∫ f_v(s) · P[range > q·s] ds,
    P[range > w] = k ∫ φ(z) Φ(z)^(k−1) (1 − (1 − Φ(z−w)/Φ(z))^(k−1)) dz.

Both integrands are positive and smooth, so the trapezoidal rule converges geometrically and the tail keeps its
relative precision however small it is (1 − cdf would not). The logarithm of the inner tail is tabulated once per k
by piecewise Chebyshev polynomials, that of the outer one once per (k, v): many values then cost microseconds.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core import special
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import level_inside

_TABLE_FROM = 64  # this many values or more are read from the table of (k, df)
_TABLE_END = 60.0  # the tables cover 0 < q < 60; the range of normals is never beyond, a studentized one may be
_DEGREE = 26
_EDGES = np.concatenate([np.arange(0.0, 8.0, 0.5), np.arange(8.0, 16.0, 1.0), np.geomspace(16.0, _TABLE_END, 12)])
_CHUNK = 1 << 14  # values per pass: the working arrays stay in cache


def sf(q: Any, k: int, df: float) -> Any:
    """Return P[Q > q] for the studentized range of k means with df degrees of freedom (df may be infinite).

    Examples
    --------
    >>> round(sf(3.5, 3, 10), 6)
    0.077103
    """
    k, df = _checked(k, df)
    try:
        values = np.asarray(q, dtype=float)
    except (TypeError, ValueError):
        values = np.array(np.nan)
    if np.isnan(values).any():
        raise InputError(f"q is {q!r}.", "studentized range, argument q", "give numbers.")
    flat = values.reshape(-1)
    positive = np.clip(flat, 0.0, 1e100)  # beyond it the tail is below the smallest number
    tail = _from_table(positive, k, df) if flat.size >= _TABLE_FROM else _integral(positive, k, df)
    result = np.where(flat <= 0, 1.0, np.where(np.isposinf(flat), 0.0, tail)).reshape(values.shape)
    return result if result.ndim else float(result)


@lru_cache(maxsize=1024)
def critical(alpha: float, k: int, df: float) -> float:
    """Return the q that is exceeded with probability alpha.

    Examples
    --------
    >>> round(critical(0.05, 5, 45.0), 3)
    4.018
    """
    level_inside(alpha, name="alpha", where="studentized range")
    k, df = _checked(k, df)
    low, high = 0.0, 4.0
    while float(_integral(np.array([high]), k, df)[0]) > alpha:
        low, high = high, 2.0 * high
    for _ in range(60):
        middle = 0.5 * (low + high)
        if high - low <= 4e-16 * high:
            break
        if float(_integral(np.array([middle]), k, df)[0]) > alpha:
            low = middle
        else:
            high = middle
    return high


def _checked(k: int, df: float) -> tuple[int, float]:
    if k != int(k) or k < 2 or not df >= 1:
        raise InputError(
            f"the studentized range of k = {k} means with df = {df} is not defined.",
            "studentized range",
            "give at least 2 means and at least 1 degree of freedom.",
        )
    return int(k), float(df)


def _range_tail(w: Array, k: int) -> Array:
    """P[range of k standard normals > w] by the trapezoidal rule over the largest of them."""
    step = 0.125
    z = np.arange(-8.5, 12.5, step)
    weight = step * k * np.exp(-0.5 * z * z) / np.sqrt(2.0 * np.pi) * special.ndtr(z) ** (k - 1)
    share = np.minimum(special.ndtr(z - w[..., None]) / special.ndtr(z), 1.0)
    with np.errstate(divide="ignore"):
        inside = -np.expm1((k - 1) * np.log1p(-share))
    return np.asarray(np.minimum(inside @ weight, 1.0))


@lru_cache(maxsize=256)
def _chi_nodes(df: float, reach: int) -> tuple[Array, Array]:
    """Nodes and weights for s = √(χ²/df) on a logarithmic scale, where the density falls off on both sides.

    Far out, at q up to exp(reach), what counts is s near 1/q: the nodes go down to there.
    """
    sd = 1.0 / np.sqrt(2.0 * df)
    left = -38.0 / df - max(9.0 * sd, float(reach))
    if 40.0 * sd < 0.9:
        left = max(left, float(np.log1p(-40.0 * sd)))  # forty deviations down there is nothing left to weigh
    right = np.log1p(9.5 * sd + 3.0 / df)
    x = np.linspace(left, right, int(np.ceil((right - left) / min(0.04, 0.1 * sd))))
    # log of 2·(df/2)^(df/2)/Γ(df/2)·s^df·exp(−df·s²/2), arranged so that nothing large is subtracted.
    half = 0.5 * df
    log_density = np.log(2.0) + _stirling_rest(half) - half * (np.expm1(2.0 * x) - 2.0 * x)
    return np.exp(x), (x[1] - x[0]) * np.exp(log_density)


def _stirling_rest(a: float) -> float:
    """a·log(a) − a − log Γ(a)."""
    if a < 50.0:
        return float(a * np.log(a) - a - special.gammaln(a))
    return float(0.5 * np.log(a / (2.0 * np.pi)) - 1.0 / (12.0 * a) + 1.0 / (360.0 * a**3) - 1.0 / (1260.0 * a**5))


def _integral(q: Array, k: int, df: float) -> Array:
    """P[Q > q] by the trapezoidal rule over s."""
    if np.isinf(df):
        return _evaluate(_range_table(k), q)
    s, weight = _chi_nodes(df, int(np.ceil(np.log(max(float(q.max(initial=1.0)), 1.0)))))
    return np.minimum(_evaluate(_range_table(k), q[:, None] * s) @ weight, 1.0)


@lru_cache(maxsize=64)
def _range_table(k: int) -> Array:
    return _fitted(lambda w: _range_tail(w, k))


@lru_cache(maxsize=128)
def _table(k: int, df: float) -> Array:
    return _fitted(lambda q: _integral(q, k, df))


def _from_table(q: Array, k: int, df: float) -> Array:
    tail = _evaluate(_table(k, df), q)
    beyond = q >= _TABLE_END
    if beyond.any():
        tail[beyond] = _integral(q[beyond], k, df)
    return tail


def _fitted(tail: Callable[[Array], Array]) -> Array:
    """Chebyshev coefficients of the logarithm of a tail on each piece: (degree + 1, pieces)."""
    x = np.polynomial.chebyshev.chebpts1(_DEGREE + 1)
    low, high = _EDGES[:-1, None], _EDGES[1:, None]
    q = 0.5 * (low + high) + 0.5 * (high - low) * x
    with np.errstate(divide="ignore"):
        log_tail = np.maximum(np.log(tail(q.reshape(-1))), -745.0).reshape(q.shape)
    return np.asarray(np.polynomial.chebyshev.chebfit(x, log_tail.T, _DEGREE))


def _evaluate(coefficients: Array, q: Array) -> Array:
    """The tail at q from its table; 0 beyond the table's end."""
    tail = np.empty(q.size)
    flat = q.reshape(-1)
    for start in range(0, flat.size, _CHUNK):
        values = flat[start : start + _CHUNK]
        piece = np.minimum(np.searchsorted(_EDGES, values, side="right"), len(_EDGES) - 1) - 1
        low, high = _EDGES[piece], _EDGES[piece + 1]
        x = np.minimum((2.0 * values - low - high) / (high - low), 1.0)
        log_tail = np.minimum(_clenshaw(x, coefficients, piece), 0.0)
        tail[start : start + _CHUNK] = np.where(values >= _TABLE_END, 0.0, np.exp(log_tail))
    return tail.reshape(q.shape)


def _clenshaw(x: Array, coefficients: Array, piece: npt.NDArray[np.intp]) -> Array:
    """Evaluate for each value the Chebyshev series of its piece."""
    later = np.zeros_like(x)
    last = np.zeros_like(x)
    for row in coefficients[:0:-1]:
        later, last = 2.0 * x * later - last + row[piece], later
    return np.asarray(x * later - last + coefficients[0][piece])
