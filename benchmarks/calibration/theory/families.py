"""Family-wise errors of adjustments on independent uniform p values."""

from __future__ import annotations

from scipy import integrate

from benchmarks.calibration.claims import ALPHA


def smallest_below(level: float, m: int) -> float:
    """Chance that the smallest of m uniform p values is at most ``level``."""
    return 1 - (1 - level) ** m


def li_error(m: int) -> float:
    """Li rejects something when the smallest p is at most α(1 − largest)/(1 − α), or the largest at most α."""
    ratio = ALPHA / (1 - ALPHA)

    def density(largest: float) -> float:
        limit = min(ratio * (1 - largest) / largest, 1.0)
        return m * largest ** (m - 1) * (1 - (1 - limit) ** (m - 1))

    error, _ = integrate.quad(density, 0, 1, points=[ALPHA])
    return float(error)


def finner_error(m: int, true_nulls: int) -> float:
    """The smallest true null comes after all m − m₀ false ones, and its level is 1 − (1 − α)^((m − m₀ + 1)/m)."""
    return smallest_below(1 - (1 - ALPHA) ** ((m - true_nulls + 1) / m), true_nulls)
