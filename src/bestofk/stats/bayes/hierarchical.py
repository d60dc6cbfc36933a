"""Bayesian hierarchical comparison over data sets with folds."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import count_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.bayes.hierarchical_chains import WIDEST, Chains, Facts
from bestofk.stats.bayes.posterior import Posterior, rope_of, winners
from bestofk.stats.pair import paired
from bestofk.stats.results import Numeric

#: Chains that run side by side, and sweeps of each before the first that is kept.
CHAINS, WARM_UP = 32, 300


class HierarchicalPosterior(Posterior):
    """Posterior of ``hierarchical``.

    ``estimate`` is the posterior mean of δ₀, ``scale`` of σ₀, ``df`` of ν; ``datasets`` (..., D) the posterior mean
    difference on every data set, shrunk towards δ₀. ``rhat`` compares the chains: above 1.05 draw more samples.
    """

    scale: Numeric
    df: Numeric
    datasets: Numeric
    rhat: Numeric


def hierarchical(
    first: Any, second: Any, *, rope: float, correlation: float | None = None, samples: int = 16_000, rng: Seed = None
) -> HierarchicalPosterior:
    r"""Compare two learners over data sets from the folds of each, allowing for what the folds do not tell.

    Differences x on the L folds of data set i are normal around δᵢ with variance σᵢ² and correlation ρ between folds;
    the data sets differ from one another as a t distribution says:

    .. math:: x_i \sim N(1\delta_i, \Sigma_i), \qquad \delta_i \sim t(\delta_0, \sigma_0, \nu)

    ``probabilities`` are the shares of posterior samples in which the next data set's difference is most probably
    below −rope (first better), inside the rope, above it. Priors as in the paper, after division by the mean standard
    deviation: σᵢ and σ₀ uniform up to 1,000 times their size in the data, δ₀ uniform within the largest difference,
    ν − 1 gamma with shape in (0.5, 5) and rate in (0.05, 0.15).

    Parameters
    ----------
    first, second : array_like, (..., D, L)
        Losses on L folds of D data sets.
    rope : float
        Differences between −rope and rope are practically nothing.
    correlation : float, optional
        ρ of two folds: the share of data used for testing, 1/k for k folds. Without it 1/L.
    samples : int
        Posterior samples of each pair, over 32 chains.
    rng : int, Generator or None

    Notes
    -----
    A data set whose folds all differ by the same amount has no spread; σᵢ is bounded below by a thousandth of the mean
    standard deviation. When no data set has any spread, the differences themselves are taken for the δᵢ, with that
    bound relative to their own size; when all differences are zero, everything is in the rope.

    References
    ----------
    Corani, Benavoli, Demšar, Mangili and Zaffalon 2017.

    Examples
    --------
    >>> noise = np.random.default_rng(1).normal(0, .01, (20, 10))
    >>> result = hierarchical(.30 + noise, np.full((20, 10), .25), rope=.01, correlation=.1, samples=3200, rng=0)
    >>> np.round(result.probabilities, 2)
    array([0., 0., 1.])
    """
    where = "bayes hierarchical"
    rope = rope_of(rope, where=where)
    samples = count_of(samples, name="samples", where=where)
    random = generator(rng, where=where)
    pair = paired(first, second, where=where, axes=2, at_least=2)
    batch, (datasets, folds) = pair.difference.shape[:-2], pair.difference.shape[-2:]
    rho = _correlation(correlation, folds, where)
    if folds < 2 or datasets < 2:
        raise InputError(
            f"the losses have {datasets} data set(s) of {folds} fold(s).",
            f"{where}, arguments first and second",
            "give at least two data sets with two folds each; bayes signed-rank takes one value per data set.",
        )
    difference = np.where(pair.is_zero(pair.difference), 0.0, pair.difference).reshape(-1, datasets, folds)
    drawn = [_drawn(part, rope, rho, samples, random) for part in _parts(difference)]
    fields = {name: np.concatenate([part[name] for part in drawn]) for name in drawn[0]}
    shaped = {name: values.reshape((*batch, *values.shape[1:])) for name, values in fields.items()}
    return HierarchicalPosterior(test=where, rope=rope, **shaped)


def _correlation(correlation: Any, folds: int, where: str) -> float:
    if correlation is None:
        return 1.0 / folds
    if isinstance(correlation, int | float | np.number) and 0 <= correlation < 1:
        return float(correlation)
    raise InputError(
        f"correlation is {correlation!r}.", f"{where}, argument correlation", "give 1/k for k folds: from 0, below 1."
    )


#: Differences of all chains held at once: several pairs move together, many are taken part by part.
_MOST_VALUES = 200_000


def _parts(difference: Array) -> list[Array]:
    step = max(1, _MOST_VALUES // (CHAINS * difference.shape[1]))
    return [difference[start : start + step] for start in range(0, len(difference), step)]


def _drawn(difference: Array, rope: float, rho: float, samples: int, random: np.random.Generator) -> dict[str, Array]:
    unit = _unit(difference)
    facts = _facts(difference / unit[:, None, None], rho)
    chains = Chains(facts, CHAINS, random)
    for _ in range(WARM_UP):
        chains.sweep(adapt=True)
    kept = [_kept(chains) for _ in range(-(-samples // CHAINS))]
    centre, scale, tail = (np.stack([each[i] for each in kept], axis=1) for i in range(3))
    shares = _shares(centre * unit[:, None, None], scale * unit[:, None, None], tail, rope)
    found = {
        "probabilities": shares,
        "estimate": unit * centre.mean(axis=(1, 2)),
        "scale": unit * scale.mean(axis=(1, 2)),
        "df": tail.mean(axis=(1, 2)),
        "datasets": unit[:, None] * np.mean([each[3] for each in kept], axis=0),
        "rhat": np.maximum(_rhat(centre), _rhat(np.log(scale))),
    }
    return _without_difference(difference, found)


def _unit(difference: Array) -> Array:
    """Mean standard deviation within data sets; without any, the size of the differences; 1 when all are zero."""
    within = difference.std(axis=-1, ddof=1).mean(axis=-1)
    size = np.abs(difference).mean(axis=(-2, -1))
    return np.where(within > 1e-12 * size, within, np.where(size > 0, size, 1.0))


def _facts(scaled: Array, rho: float) -> Facts:
    mean = scaled.mean(axis=-1)
    between = np.maximum(mean.std(axis=-1, ddof=1), 1e-3)
    return Facts(
        mean=mean[:, None, :],
        within=np.square(scaled - mean[..., None]).sum(axis=-1)[:, None, :],
        folds=scaled.shape[-1],
        correlation=rho,
        reach=np.maximum(np.abs(scaled).max(axis=(1, 2)), 1e-3)[:, None],
        widest=WIDEST * between[:, None],
    )


def _kept(chains: Chains) -> tuple[Array, Array, Array, Array]:
    chains.sweep(adapt=False)
    return chains.centre, chains.scale, chains.tail, chains.delta.mean(axis=1)


def _shares(centre: Array, scale: Array, tail: Array, rope: float) -> Array:
    """Share of samples in which each region has most of the next data set's t distribution."""
    first = special.stdtr(tail, (-rope - centre) / scale)
    second = special.stdtr(tail, (centre - rope) / scale)
    flat = (len(centre), -1)
    return winners(first.reshape(flat), second.reshape(flat))


def _rhat(draws: Array) -> Array:
    """Gelman and Rubin's comparison of chains, (batch, samples, chains)."""
    n = draws.shape[1]
    within = draws.var(axis=1, ddof=1).mean(axis=-1) if n > 1 else np.zeros(len(draws))
    between = draws.mean(axis=1).var(axis=-1, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(within > 0, np.sqrt((n - 1) / n + between / within), np.inf)


def _without_difference(difference: Array, found: dict[str, Array]) -> dict[str, Array]:
    """No fold differs anywhere: that is certain, and lies in the rope."""
    equal = (difference == 0).all(axis=(1, 2))
    if equal.any():
        found["probabilities"][equal] = (0.0, 1.0, 0.0)
        for name in ("estimate", "scale", "datasets"):
            found[name][equal] = 0.0
        found["rhat"][equal] = 1.0
    return found
