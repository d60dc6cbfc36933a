"""Chances that noncentral t and F pass their critical values."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from bestofk.core.arrays import Array
from bestofk.stats.distributions import t_upper

#: Beyond this noncentrality t is normal around it to all digits that matter, and its series would not end.
_FAR = 37.0


def t_power(noncentrality: Any, df: Any, alpha: float, alternative: str) -> Array:
    """Return P[t rejects] for a t statistic around ``noncentrality`` with ``df`` degrees of freedom.

    Examples
    --------
    >>> round(float(t_power(0.5 * 20**0.5, 19.0, 0.05, "two-sided")), 6)
    0.564504
    """
    centre, df = np.broadcast_arrays(np.asarray(noncentrality, dtype=float), np.asarray(df, dtype=float))
    if alternative == "two-sided":
        critical = t_upper(alpha / 2.0, df)
        return _above(critical, df, centre) + _above(critical, df, -centre)
    critical = t_upper(alpha, df)
    return _above(critical, df, centre if alternative == "greater" else -centre)


def _above(critical: Array, df: Array, centre: Array) -> Array:
    """P[t > critical]; far from 0 the outcome is certain on one side."""
    near = np.abs(centre) < _FAR
    inside = 1.0 - special.nctdtr(df, np.where(near, centre, 0.0), critical)
    far = special.ndtr(centre - critical)
    return np.asarray(np.where(near, inside, far))


def f_power(noncentrality: Any, df1: Any, df2: Any, alpha: float) -> Array:
    """Return P[F rejects] for an F statistic with the given noncentrality λ.

    Examples
    --------
    >>> round(float(f_power(0.25**2 * 3 * 40, 2.0, 117.0, 0.05)), 6)
    0.675674
    """
    df1, df2 = np.asarray(df1, dtype=float), np.asarray(df2, dtype=float)
    critical = special.fdtri(df1, df2, 1.0 - alpha)
    spread = np.asarray(noncentrality, dtype=float)
    inside = special.ncfdtr(df1, df2, np.maximum(spread, 1e-300), critical)
    return np.asarray(np.where(spread > 0, 1.0 - inside, alpha))
