"""Bayesian signed-rank test."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.rng import Seed, generator
from bestofk.stats.arrays import Array
from bestofk.stats.bayes.posterior import Posterior, rope_of, winners
from bestofk.stats.options import count_of
from bestofk.stats.pair import paired

_CHUNK = 1 << 17  # weights held at once: they stay in cache


def signed_rank(first: Any, second: Any, *, rope: float, samples: int = 50_000, rng: Seed = None) -> Posterior:
    r"""Bayesian signed-rank test over data sets, with a Dirichlet process prior of strength 1 in the rope.

    With weights w on the differences and on one pseudo-difference 0 (a Dirichlet sample), the mass of a region is

    .. math:: \theta = \sum_i \sum_j w_i w_j \, I[(d_i + d_j)/2 \in \text{region}]

    ``probabilities`` are the shares of posterior samples in which each region has most mass. Sorting the
    differences turns the double sum into cumulative sums, so a sample costs O(n) rather than O(n²).

    Parameters
    ----------
    first, second : array_like, (..., N)
        Losses on N data sets.
    rope : float
        Averages of two differences between −rope and rope (ends included) are practically nothing.
    samples : int
    rng : int, Generator or None

    References
    ----------
    Benavoli, Mangili, Corani, Zaffalon and Ruggeri 2014. Benavoli, Corani, Demšar and Zaffalon 2017, section 4.3.

    Examples
    --------
    >>> signed_rank([3, 4, 5, 6, 4, 5], [1, 2, 3, 4, 2, 6], rope=0.5, samples=20_000, rng=0).probabilities.argmax()
    np.int64(2)
    """
    where = "bayes signed-rank"
    rope = rope_of(rope, where=where)
    samples = count_of(samples, name="samples", where=where)
    random = generator(rng, where=where)
    pair = paired(first, second, where=where, at_least=1)
    rows = pair.difference.reshape(-1, pair.difference.shape[-1])
    rounding = np.broadcast_to(pair.rounding[..., 0], pair.difference.shape[:-1]).reshape(-1)
    found = [_probabilities(d, rope, r, samples, random) for d, r in zip(rows, rounding, strict=True)]
    return Posterior(
        test=where,
        probabilities=np.array(found).reshape(*pair.difference.shape[:-1], 3),
        rope=rope,
        estimate=pair.difference.mean(axis=-1),
    )


def _probabilities(difference: Array, rope: float, rounding: float, samples: int, random: np.random.Generator) -> Array:
    d = np.sort(np.append(difference, 0.0))  # 0: the prior's pseudo-difference, of weight 1 like every other
    n = len(d)
    edge = 2.0 * (rope + rounding)
    below = np.searchsorted(d, -edge - d, side="left")  # how many d_j make d_i + d_j < −2·rope
    above = np.searchsorted(d, edge - d, side="right")  # from here on d_i + d_j > 2·rope
    lower, upper = np.flatnonzero(below > 0), np.flatnonzero(above < n)
    total = np.zeros(3)
    step = max(1, _CHUNK // n)
    cumulative = np.empty((min(step, samples), n))
    for start in range(0, samples, step):
        count = min(step, samples - start)
        weights = random.standard_exponential((count, n))  # Dirichlet(1, …, 1), before division by the sum
        sums = np.cumsum(weights, axis=1, out=cumulative[:count])
        whole = sums[:, -1]
        first = np.einsum("ij,ij->i", weights[:, lower], sums[:, below[lower] - 1])
        # Σ wᵢ(whole − sums before `above`); `above` may be 0, then nothing is taken off.
        taken = np.where(above[upper] > 0, sums[:, above[upper] - 1], 0.0)
        second = weights[:, upper].sum(axis=1) * whole - np.einsum("ij,ij->i", weights[:, upper], taken)
        square = np.square(whole)
        total += count * winners(first / square, second / square)
    return total / samples
