"""t and F tests: sizes and powers under normal data."""

from __future__ import annotations

import numpy as np
from scipy import stats

from benchmarks.calibration.claims import ALPHA


def scaled_t_size(scale: float, df: float, reference_df: float | None = None) -> float:
    """Size of a test that takes ``scale`` times a t of ``df`` for a t of ``reference_df``."""
    critical = stats.t.isf(ALPHA / 2, reference_df or df)
    return float(2 * stats.t.sf(critical / scale, df))


def t_power(noncentrality: float, df: float) -> float:
    critical = stats.t.isf(ALPHA / 2, df)
    return float(stats.nct.sf(critical, df, noncentrality) + stats.nct.cdf(-critical, df, noncentrality))


def f_power(noncentrality: float, df1: float, df2: float) -> float:
    return float(stats.ncf.sf(stats.f.isf(ALPHA, df1, df2), df1, df2, noncentrality))


def variance_of_mean(correlation: float, count: int) -> float:
    """Variance of the mean of equally correlated values of variance 1."""
    return (1 - correlation) / count + correlation


def box_epsilon(spreads: np.ndarray) -> float:
    """Box's epsilon of independent measurements with these standard deviations: 1 under sphericity."""
    k = len(spreads)
    centring = np.eye(k) - 1 / k
    contrasts = centring @ np.diag(np.square(spreads)) @ centring
    return float(np.trace(contrasts) ** 2 / ((k - 1) * np.square(contrasts).sum()))


def five_by_two_f_size() -> float:
    """Under independent normal differences the F is ½ + ½·F(5, 5), not F(10, 5).

    Σp² = Σs² + 2Σp̄² and the two parts are independent χ² of 5 degrees of freedom each.
    """
    return float(stats.f.sf(2 * stats.f.isf(ALPHA, 10, 5) - 1, 5, 5))


def five_by_two_t_size(nodes: int = 80) -> float:
    """Size under independent normal differences, where the numerator is not independent of the first s².

    With u = (p₁ − p₂)/√2 and v = (p₁ + p₂)/√2 of the first replication, and w = χ²₄ of the other four:
    t² = 5(u + v)²/2 / (u² + w). Quadrature over u and w, closed form over v.
    """
    u, u_weight = np.polynomial.hermite_e.hermegauss(nodes)
    x, x_weight = _gamma_rule(nodes)
    radius = np.sqrt(0.4 * stats.t.isf(ALPHA / 2, 5) ** 2 * (u[:, None] ** 2 + 2 * x))
    tail = stats.norm.sf(radius - u[:, None]) + stats.norm.cdf(-radius - u[:, None])
    return float(u_weight @ tail @ x_weight / (u_weight.sum() * x_weight.sum()))


def _gamma_rule(nodes: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights for χ²₄/2, whose density is x·exp(−x)."""
    x, weight = np.polynomial.laguerre.laggauss(nodes)
    return x, weight * x
