"""Rank tests: their exact null distributions, by counting."""

from __future__ import annotations

from itertools import permutations

import numpy as np
from scipy import stats

from benchmarks.calibration.claims import ALPHA


def wilcoxon_size(n: int, method: str) -> float:
    """Size of the two-sided signed-rank test of n values without ties."""
    chance = np.ones(1)
    for rank in range(1, n + 1):
        chance = (np.pad(chance, (0, rank)) + np.pad(chance, (rank, 0))) / 2
    w = np.arange(len(chance))
    if method == "exact":
        lower = np.cumsum(chance)
        p = np.minimum(1.0, 2 * np.minimum(lower, lower[::-1]))
    else:
        p = 2 * stats.norm.sf(np.abs(w - n * (n + 1) / 4) / np.sqrt(n * (n + 1) * (2 * n + 1) / 24))
    return float(chance[p <= ALPHA + 1e-12].sum())


def rank_sums(n: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    """All vectors of k rank sums over n data sets, with their chances when every order is equally likely."""
    length = n * k + 1
    chance = np.zeros((length,) * (k - 1))  # the last sum follows from the others
    chance[(0,) * (k - 1)] = 1.0
    orders = list(permutations(range(1, k + 1)))
    for _ in range(n):
        chance = sum(np.roll(chance, order[:-1], axis=tuple(range(k - 1))) for order in orders) / len(orders)
    found = np.argwhere(chance > 0)
    last = n * k * (k + 1) // 2 - found.sum(axis=1)
    return np.column_stack([found, last]), chance[tuple(found.T)]


def friedman_sizes(n: int, k: int) -> dict[str, float]:
    """Exact sizes of the tests on Friedman's ranks, without ties."""
    sums, chance = rank_sums(n, k)
    chi2 = 12 * np.square(sums - n * (k + 1) / 2).sum(axis=1) / (n * k * (k + 1))
    left = n * (k - 1) - chi2
    f = np.where(left > 1e-9, (n - 1) * chi2 / np.where(left > 1e-9, left, 1.0), np.inf)
    error = np.sqrt(n * k * (k + 1) / 6)
    widest = (sums.max(axis=1) - sums.min(axis=1)) / error
    from_control = np.abs(sums[:, 1:] - sums[:, :1]).max(axis=1) / error
    rejected = {
        "chi2": stats.chi2.sf(chi2, k - 1) <= ALPHA,
        "iman-davenport": stats.f.sf(f, k - 1, (k - 1) * (n - 1)) <= ALPHA,
        "nemenyi": stats.studentized_range.isf(ALPHA, k, np.inf) / np.sqrt(2) <= widest,
        "bonferroni-dunn": stats.norm.isf(ALPHA / (2 * (k - 1))) <= from_control,
    }
    return {name: float(chance[which].sum()) for name, which in rejected.items()}


def kruskal_wallis_size(sizes: tuple[int, int, int]) -> float:
    """Exact size for three groups without ties: ranks dealt one after the other."""
    total = sum(sizes)
    most = total * (total + 1) // 2
    ways = np.zeros((sizes[0] + 1, sizes[1] + 1, most + 1, most + 1))  # places filled and rank sums of two groups
    ways[0, 0, 0, 0] = 1.0
    filled = np.add.outer(np.arange(sizes[0] + 1), np.arange(sizes[1] + 1))
    for rank in range(1, total + 1):
        dealt = ways.copy()
        dealt[1:, :, rank:, :] += ways[:-1, :, :-rank, :]
        dealt[:, 1:, :, rank:] += ways[:, :-1, :, :-rank]
        dealt[rank - filled > sizes[2]] = 0.0  # the third group has no more places either
        ways = dealt
    final = ways[-1, -1]
    one, two = np.nonzero(final)
    sums = np.stack([one, two, most - one - two]).astype(float)
    h = 12 / (total * (total + 1)) * (np.square(sums) / np.array(sizes)[:, None]).sum(axis=0) - 3 * (total + 1)
    return float(final[one, two][stats.chi2.sf(h, 2) <= ALPHA].sum() / final.sum())
