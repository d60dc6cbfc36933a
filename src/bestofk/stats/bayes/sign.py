"""Bayesian sign test."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.options import count_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.bayes.posterior import Posterior, rope_of, winners
from bestofk.stats.pair import paired


def sign(first: Any, second: Any, *, rope: float, samples: int = 50_000, rng: Seed = None) -> Posterior:
    """Bayesian sign test over data sets: where will the next difference fall?

    The three shares (first better, rope, second better) have a Dirichlet posterior: the counts, plus a prior of
    strength 1 in the rope. ``probabilities`` are the shares of posterior samples in which each region is the most
    probable.

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
    >>> sign([3, 4, 5, 6, 4, 5], [1, 2, 3, 4, 2, 6], rope=0.5, samples=20_000, rng=0).probabilities.argmax()
    np.int64(2)
    """
    where = "bayes sign"
    rope = rope_of(rope, where=where)
    samples = count_of(samples, name="samples", where=where)
    random = generator(rng, where=where)
    pair = paired(first, second, where=where, at_least=1)
    edge = rope + pair.rounding
    better = (pair.difference < -edge).sum(axis=-1)
    worse = (pair.difference > edge).sum(axis=-1)
    inside = pair.difference.shape[-1] - better - worse
    strength = np.stack([better, inside + 1.0, worse], axis=-1)
    # A Dirichlet sample is a set of gamma samples over their sum; a region without counts has no mass.
    draws = random.standard_gamma(strength[..., None, :], size=(*strength.shape[:-1], samples, 3))
    shares = draws / draws.sum(axis=-1, keepdims=True)
    return Posterior(
        test=where,
        probabilities=winners(shares[..., 0], shares[..., 2]),
        rope=rope,
        estimate=pair.difference.mean(axis=-1),
    )
