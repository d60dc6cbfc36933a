"""Tests on counts: every table there is, with its probability."""

from __future__ import annotations

from math import comb, floor

import numpy as np
from scipy import special, stats

from benchmarks.calibration.claims import ALPHA


def mcnemar_rate(method: str, items: int, disagreement: float, share_first: float = 0.5) -> float:
    """Rejection rate when an item is in disagreement with a given chance, then wrong by the first with another."""
    total = 0.0
    for n in range(items + 1):
        first = np.arange(n + 1)
        rejected = _mcnemar_p(method, first, n) <= ALPHA
        total += stats.binom.pmf(n, items, disagreement) * stats.binom.pmf(first, n, share_first)[rejected].sum()
    return float(total)


def _mcnemar_p(method: str, first: np.ndarray, n: int) -> np.ndarray:
    if n == 0:
        return np.ones(1)
    second = n - first
    if method.startswith("chi2"):
        gap = np.abs(first - second) - (1 if method == "chi2-corrected" else 0)
        return stats.chi2.sf(np.maximum(gap, 0) ** 2 / n, 1)
    smaller = np.minimum(first, second)
    p = np.minimum(1.0, 2 * stats.binom.cdf(smaller, n, 0.5))
    if method == "exact" or (method == "auto" and n < 25):
        return p
    point = stats.binom.pmf(smaller, n, 0.5)
    return np.where(first == second, 1 - point / 2, p - point)


def sign_rate(n: int, chance: float = 0.5) -> float:
    """Rejection rate of the two-sided sign test of n values."""
    wins = np.arange(n + 1)
    p = np.minimum(1.0, 2 * stats.binom.cdf(np.minimum(wins, n - wins), n, 0.5))
    return float(stats.binom.pmf(wins, n, chance)[p <= ALPHA].sum())


def chance_of_positive(effect: float) -> float:
    """Chance that a normal difference of mean ``effect`` and standard deviation 1 is positive."""
    return float(stats.norm.cdf(effect))


def permutation_size(equally_likely: int) -> float:
    """Size of an exact permutation test with so many distinct, equally likely p values 1/n, 2/n, …, 1."""
    return floor(ALPHA * equally_likely + 1e-9) / equally_likely


def two_group_splits(size: int) -> int:
    """Splits of 2·size curves in two equal groups that differ for a two-sided F: a split and its mirror are one."""
    return comb(2 * size, size) // 2


def equal_chances_size(items: int, k: int = 4) -> float:
    """Size of χ² of equal chances of four classes, over all tables."""
    a, b, c = np.meshgrid(*[np.arange(items + 1)] * (k - 1), indexing="ij")
    d = items - a - b - c
    table = np.stack([a, b, c, d])[:, d >= 0]
    chi2 = np.square(table - items / k).sum(axis=0) / (items / k)
    log_chance = special.gammaln(items + 1) - special.gammaln(table + 1).sum(axis=0) - items * np.log(k)
    return float(np.exp(log_chance)[stats.chi2.sf(chi2, k - 1) <= ALPHA].sum())
