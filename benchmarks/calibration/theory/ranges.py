"""Family-wise errors of range tests when equal learners come in pairs that are far apart."""

from __future__ import annotations

from scipy import integrate, stats

from benchmarks.calibration.claims import ALPHA


def equal_pairs_error(pairs: int, df: float, critical: float) -> float:
    """Chance that any of several equal pairs differs by ``critical`` standard errors, all with one error estimate."""

    def all_accepted(s: float) -> float:
        # The estimate is s times the truth; a difference of two means has √2 of a mean's standard error.
        accepted = 1 - 2 * stats.norm.sf(critical * s / 2**0.5)
        density = 2 * df * s * stats.chi2.pdf(df * s * s, df)
        return float(accepted**pairs * density)

    kept, _ = integrate.quad(all_accepted, 0, 3, points=[1])
    return float(1 - kept)


def newman_keuls_error(pairs: int, df: float) -> float:
    return equal_pairs_error(pairs, df, float(stats.studentized_range.isf(ALPHA, 2, df)))


def tukey_error(pairs: int, df: float) -> float:
    return equal_pairs_error(pairs, df, float(stats.studentized_range.isf(ALPHA, 2 * pairs, df)))


def duncan_complete(k: int) -> float:
    """Duncan's level for the range of all k means: that of k − 1 independent tests."""
    return 1 - (1 - ALPHA) ** (k - 1)
