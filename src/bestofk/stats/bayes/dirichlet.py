"""Bayesian sign and signed-rank tests: Dirichlet posteriors over data sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.options import count_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.bayes.posterior import NEXT, NEXT_TWO, Posterior, rope_of, winners
from bestofk.stats.pair import Pair, paired


def sign(first: Any, second: Any, *, rope: float, samples: int = 50_000, rng: Seed = None) -> Posterior:
    """Bayesian sign test over data sets: where will the next difference fall?

    The three shares (first better, rope, second better) have a Dirichlet posterior: the counts, plus a prior of
    strength 1 in the rope. ``chances`` are the means of these shares, the chances of the next data set: the counts,
    with 1 more in the rope, over N + 1. ``probabilities`` are the shares of posterior samples in which each region is
    the most probable.

    Parameters
    ----------
    first, second : array_like, (..., N)
        Losses on N data sets.
    rope : float
        Differences between −rope and rope (ends included) are practically nothing.
    samples : int
    rng : int, Generator or None

    References
    ----------
    Benavoli, Corani, Demšar and Zaffalon 2017, section 4.2.

    Examples
    --------
    >>> sign([3, 4, 5, 6, 4, 5], [1, 2, 3, 4, 2, 6], rope=0.5, samples=1_000, rng=0)
    bayes sign, chances of the next data set: first better 0.1429, within ±0.5 0.1429, second better 0.7143
    """
    where = "bayes sign"
    rope = rope_of(rope, where=where)
    samples = count_of(samples, name="samples", where=where)
    random = generator(rng, where=where)
    pair = paired(first, second, where=where, at_least=1)
    strength = _counts(pair, rope)
    shares = _dirichlet(strength, samples, random)
    return Posterior(
        test=where,
        about=NEXT,
        chances=strength / strength.sum(axis=-1, keepdims=True),
        probabilities=winners(shares[..., 0], shares[..., 2]),
        rope=rope,
        estimate=pair.difference.mean(axis=-1),
    )


def sign_shares(first: Any, second: Any, *, rope: float, samples: int = 5_000, rng: Seed = None) -> Array:
    """Posterior samples (..., samples, 3) behind ``sign``: the chances of the next data set in each.

    Examples
    --------
    >>> sign_shares([3, 4, 5], [1, 2, 3], rope=0.5, samples=10, rng=0).shape
    (10, 3)
    """
    where = "bayes sign"
    pair = paired(first, second, where=where, at_least=1)
    samples = count_of(samples, name="samples", where=where)
    return _dirichlet(_counts(pair, rope_of(rope, where=where)), samples, generator(rng, where=where))


def _counts(pair: Pair, rope: float) -> Array:
    """Differences below, inside and above the rope, and one pseudo-difference inside."""
    edge = rope + pair.rounding
    better, worse = (pair.difference < -edge).sum(axis=-1), (pair.difference > edge).sum(axis=-1)
    return np.stack([better, pair.difference.shape[-1] - better - worse + 1.0, worse], axis=-1)


def _dirichlet(strength: Array, samples: int, random: np.random.Generator) -> Array:
    """Samples are gamma samples over their sum; a region without counts has no mass."""
    draws = random.standard_gamma(strength[..., None, :], size=(*strength.shape[:-1], samples, 3))
    return np.asarray(draws / draws.sum(axis=-1, keepdims=True))


_CHUNK = 1 << 17  # weights held at once: they stay in cache


def signed_rank(first: Any, second: Any, *, rope: float, samples: int = 50_000, rng: Seed = None) -> Posterior:
    r"""Bayesian signed-rank test over data sets, with a Dirichlet process prior of strength 1 in the rope.

    With weights w on the differences and on one pseudo-difference 0 (a Dirichlet sample), the mass of a region is

    .. math:: \theta = \sum_i \sum_j w_i w_j \, I[(d_i + d_j)/2 \in \text{region}]

    ``chances`` are the means of these masses over the posterior, which have a formula: the chances of the mean of the
    next two data sets, for the test looks at averages of two (``sign`` has the chances of the next one).
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
    >>> signed_rank([3, 4, 5, 6, 4, 5], [1, 2, 3, 4, 2, 6], rope=0.5, samples=1_000, rng=0).chances.round(3).tolist()
    [0.036, 0.25, 0.714]
    """
    where = "bayes signed-rank"
    rope = rope_of(rope, where=where)
    samples = count_of(samples, name="samples", where=where)
    random = generator(rng, where=where)
    pair = paired(first, second, where=where, at_least=1)
    rows = pair.difference.reshape(-1, pair.difference.shape[-1])
    rounding = np.broadcast_to(pair.rounding[..., 0], pair.difference.shape[:-1]).reshape(-1)
    regions = [_Regions(d, rope, float(r)) for d, r in zip(rows, rounding, strict=True)]
    total = np.zeros((len(regions), 3))
    for weights, sums in _weights(rows.shape[-1] + 1, samples, random):
        for place, region in enumerate(regions):
            first, second = region.masses(weights, sums)
            total[place] += weights.shape[1] * winners(first, second)
    return Posterior(
        test=where,
        about=NEXT_TWO,
        chances=np.array([region.mean_masses() for region in regions]).reshape(*pair.difference.shape[:-1], 3),
        probabilities=(total / samples).reshape(*pair.difference.shape[:-1], 3),
        rope=rope,
        estimate=pair.difference.mean(axis=-1),
    )


def _weights(n: int, samples: int, random: np.random.Generator) -> Iterator[tuple[Array, Array]]:
    """Dirichlet(1, …, 1) weights (n, samples) part by part, and (n + 1, samples) the sums of the first 0 … n of them.

    The weights are exchangeable, so those of the sorted differences of one pair serve every pair: a pair gets the same
    answer alone and among others.
    """
    step = max(1, _CHUNK // n)
    for start in range(0, samples, step):
        weights = random.standard_exponential((n, min(step, samples - start)))
        sums = np.zeros((n + 1, weights.shape[1]))
        np.cumsum(weights, axis=0, out=sums[1:])
        whole = 1.0 / sums[-1]
        weights *= whole
        sums *= whole
        yield weights, sums


class _Regions:
    """Which averages of two differences lie below and above the rope, as places in sorted order."""

    def __init__(self, difference: Array, rope: float, rounding: float) -> None:
        d = np.sort(np.append(difference, 0.0))  # 0: the prior's pseudo-difference, of weight 1 like every other
        edge = 2.0 * (rope + rounding)
        below = np.searchsorted(d, -edge - d, side="left")  # how many d_j make d_i + d_j < −2·rope; falls with i
        above = np.searchsorted(d, edge - d, side="right")  # from here on d_i + d_j > 2·rope; falls with i
        self.below = below[: np.count_nonzero(below)]
        self.first_above = len(d) - np.count_nonzero(above < len(d))
        self.above = above[self.first_above :]
        self.n = len(d)
        self.twice = (int((2.0 * d < -edge).sum()), int((2.0 * d > edge).sum()))

    def mean_masses(self) -> tuple[float, float, float]:
        """Means of the masses over all weights: E[wᵢwⱼ] = 1/(n(n + 1)) of two, and twice that where i = j."""
        whole = self.n * (self.n + 1.0)
        first = (int(self.below.sum()) + self.twice[0]) / whole
        second = (int((self.n - self.above).sum()) + self.twice[1]) / whole
        return first, 1.0 - first - second, second

    def masses(self, weights: Array, sums: Array) -> tuple[Array, Array]:
        """Mass of either region for every sample: the weight of each difference times that of its partners."""
        first = _products(weights[: len(self.below)], sums[self.below])
        own = weights[self.first_above :]
        second = sums[-1] - sums[self.first_above] - _products(own, sums[self.above])
        return first, second


def _products(weights: Array, partners: Array) -> Array:
    return np.asarray(np.einsum("ij,ij->j", weights, partners))
