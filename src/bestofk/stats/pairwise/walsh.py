"""Walsh averages: the typical difference that goes with Wilcoxon's test, and its interval."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import special

from bestofk.core.arrays import Array
from bestofk.stats.pairwise.signed_rank_null import lower_chances

#: More values than these have their critical rank from the normal approximation.
COUNTED_UP_TO = 200


def walsh_interval(differences: Array, alpha: Array) -> tuple[Array, Array, Array]:
    """Median of the Walsh averages of every row (tests, N), and the two ends of its interval at 1 − alpha (tests,).

    A Walsh average is the mean of two differences, or of one with itself. W⁺ counts those above 0, so the interval
    between the k-th smallest and the k-th largest excludes 0 where the two-sided test rejects; ends are infinite where
    no sum of ranks is small enough to reject.

    References
    ----------
    Hodges and Lehmann 1963. Hollander, Wolfe and Chicken, *Nonparametric Statistical Methods*, section 3.3.

    Examples
    --------
    >>> [float(each[0]) for each in walsh_interval(np.array([[1.0, 2.0, 3.0, 4.0, 5.0, 7.0]]), np.array([0.05]))]
    [3.5, 1.0, 7.0]
    """
    n = differences.shape[-1]
    one, two = np.triu_indices(n)
    middle, low, high = (np.empty(len(differences)) for _ in range(3))
    for i, row in enumerate(differences):
        averages = np.sort(0.5 * (row[one] + row[two]))
        place = rejected_ranks(n, float(alpha[i]) / 2.0)
        middle[i] = np.median(averages)
        low[i], high[i] = (averages[place - 1], averages[-place]) if place else (-np.inf, np.inf)
    return middle, low, high


@lru_cache(maxsize=1024)
def rejected_ranks(n: int, alpha: float) -> int:
    """How many of the sums 0, 1, 2, … of n ranks one side rejects at alpha.

    Examples
    --------
    >>> rejected_ranks(6, 0.025), rejected_ranks(5, 0.025)
    (1, 0)
    """
    if n <= COUNTED_UP_TO:
        return int(np.searchsorted(_lower_tail(n), alpha * (1.0 + 1e-12), side="right"))
    mean, spread = n * (n + 1) / 4.0, np.sqrt(n * (n + 1) * (2 * n + 1) / 24.0)
    return max(0, int(np.floor(mean + special.ndtri(alpha) * spread)) + 1)


@lru_cache(maxsize=256)
def _lower_tail(n: int) -> Array:
    """P[W ≤ w] for the lower half of the sums of the ranks 1 … n."""
    return np.asarray(np.cumsum(lower_chances(np.arange(1, n + 1), n * (n + 1) // 4)))
