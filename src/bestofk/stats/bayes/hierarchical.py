"""Bayesian hierarchical comparison over data sets with folds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bestofk.core import special
from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.options import count_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.bayes.posterior import NEXT, Posterior, correlation_of, rope_of, winners
from bestofk.stats.pair import paired
from bestofk.stats.ranks import average_ranks
from bestofk.stats.results import Numeric

#: Chains that run side by side, and sweeps of each before the first that is kept.
CHAINS, WARM_UP = 8, 300


class HierarchicalPosterior(Posterior):
    """Posterior of ``hierarchical``.

    ``estimate`` is the posterior mean of δ₀, ``scale`` of σ₀, ``df`` of ν; ``datasets`` (..., D) the posterior mean
    difference on every data set, shrunk towards δ₀. ``rhat`` compares the chains and their halves by ranks, the largest
    of δ₀, σ₀ and ν: above 1.01 the numbers are not to be trusted, and more samples are needed.
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

    ``chances`` are those of the next data set: its difference is below −rope (first better), inside the rope, above it.
    ``probabilities`` are the shares of posterior samples in which each of these is the most probable. Priors as in the
    paper, after division by the mean standard deviation: σᵢ and σ₀ uniform up to 1,000 times their size in the data, δ₀
    uniform within the largest difference, ν − 1 gamma with shape in (0.5, 5) and rate in (0.05, 0.15).

    Parameters
    ----------
    first, second : array_like, (..., D, L)
        Losses on L folds of D data sets.
    rope : float
        Differences between −rope and rope are practically nothing.
    correlation : float, optional
        ρ of two folds: the share of data used for testing, 1/k for k folds. Without it 1/L.
    samples : int
        Posterior samples of each pair, over 8 chains.
    rng : int, Generator or None

    Notes
    -----
    A data set whose folds all differ by the same amount has no spread; σᵢ is bounded below by a thousandth of the mean
    standard deviation. When no data set has any spread, the differences themselves are taken for the δᵢ, with that
    bound relative to their own size; when all differences are zero, everything is in the rope.

    References
    ----------
    Corani, Benavoli, Demšar, Mangili and Zaffalon 2017. R-hat: Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021.

    Examples
    --------
    >>> noise = np.random.default_rng(1).normal(0, .01, (20, 10))
    >>> result = hierarchical(.30 + noise, np.full((20, 10), .25), rope=.01, correlation=.1, samples=3200, rng=0)
    >>> np.round(result.chances, 2)
    array([0., 0., 1.])
    """
    where = "bayes hierarchical"
    rope = rope_of(rope, where=where)
    samples = count_of(samples, name="samples", where=where)
    random = generator(rng, where=where)
    pair = paired(first, second, where=where, axes=2, at_least=2)
    batch, (datasets, folds) = pair.difference.shape[:-2], pair.difference.shape[-2:]
    rho = 1.0 / folds if correlation is None else correlation_of(correlation, where=where)
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
    return HierarchicalPosterior(test=where, about=NEXT, rope=rope, **shaped)


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
    first, second = _outside(centre * unit[:, None, None], scale * unit[:, None, None], tail, rope)
    found = {
        "chances": np.stack([first.mean(axis=1), 1.0 - (first + second).mean(axis=1), second.mean(axis=1)], axis=-1),
        "probabilities": winners(first, second),
        "estimate": unit * centre.mean(axis=(1, 2)),
        "scale": unit * scale.mean(axis=(1, 2)),
        "df": tail.mean(axis=(1, 2)),
        "datasets": unit[:, None] * np.mean([each[3] for each in kept], axis=0),
        "rhat": np.max([rhat(draws) for draws in (centre, scale, tail)], axis=0),
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


def _outside(centre: Array, scale: Array, tail: Array, rope: float) -> tuple[Array, Array]:
    """Chances (batch, samples) below and above the rope of the next data set's t distribution, in every sample."""
    first = special.stdtr(tail, (-rope - centre) / scale)
    second = special.stdtr(tail, (centre - rope) / scale)
    flat = (len(centre), -1)
    return first.reshape(flat), second.reshape(flat)


def rhat(draws: Any) -> Array:
    """Compare the halves of chains (batch, samples, chains) by scores of ranks, and of distances from the median.

    Equal chains give 1. The larger of the two, so that a difference in spread is seen like one in place (Vehtari et al.
    2021); infinite for fewer than four samples.

    Examples
    --------
    >>> draws = np.random.default_rng(0).normal(size=(1, 1000, 4))
    >>> rhat(draws).round(2), rhat(draws + [0, 0, 0, 1]).round(2)
    (array([1.]), array([1.11]))
    """
    draws = np.asarray(draws, dtype=float)
    half = draws.shape[1] // 2
    if half < 2:
        return np.full(len(draws), np.inf)
    halves = np.concatenate([draws[:, :half], draws[:, -half:]], axis=-1)
    away = np.abs(halves - np.median(halves, axis=(1, 2), keepdims=True))
    return np.maximum(_scatter(_scores(halves)), _scatter(_scores(away)))


def _scores(draws: Array) -> Array:
    """Normal scores of the ranks of all draws of a batch entry together."""
    flat = draws.reshape(len(draws), -1)
    ranks = average_ranks(flat)
    return np.asarray(special.ndtri((ranks - 0.375) / (flat.shape[1] + 0.25)).reshape(draws.shape))


def _scatter(draws: Array) -> Array:
    """Root of the variance of all draws, as chains estimate it together, over that within chains."""
    n = draws.shape[1]
    within, between = draws.var(axis=1, ddof=1).mean(axis=-1), draws.mean(axis=1).var(axis=-1, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(within > 0, np.sqrt((n - 1) / n + between / within), np.inf)


def _without_difference(difference: Array, found: dict[str, Array]) -> dict[str, Array]:
    """No fold differs anywhere: that is certain, and lies in the rope."""
    equal = (difference == 0).all(axis=(1, 2))
    if equal.any():
        found["chances"][equal] = found["probabilities"][equal] = (0.0, 1.0, 0.0)
        for name in ("estimate", "scale", "datasets"):
            found[name][equal] = 0.0
        found["rhat"][equal] = 1.0
    return found


# Markov chains for the hierarchical model of fold differences: all pairs and chains move at once.


#: Hyperpriors of the degrees of freedom ν: ν − 1 ~ Gamma(shape, rate), both uniform in these bounds.
SHAPE, RATE = (0.5, 5.0), (0.05, 0.15)
#: Standard deviations are uniform up to so many times their size in the data, and from this part of it up.
WIDEST, NARROWEST = 1000.0, 1e-3


@frozen(eq=False)
class Facts:
    """What the data say, in units of the mean standard deviation; axes (batch, 1, data sets) or (batch, 1).

    ``mean`` and ``within`` are mean and sum of squared deviations of every data set, ``factor`` the variance of its
    mean over σ², ``folds`` and ``correlation`` the design, ``reach`` the bound of δ₀, ``widest`` that of σ₀.
    """

    mean: Array
    within: Array
    folds: int
    correlation: float
    reach: Array
    widest: Array

    @property
    def factor(self) -> float:
        """Variance of a mean of correlated folds over the variance of one: (1 + (L − 1)ρ)/L."""
        return (1.0 + (self.folds - 1) * self.correlation) / self.folds


class Chains:
    """State of the chains: (batch, chains) for the top of the model, (batch, chains, data sets) below it."""

    def __init__(self, facts: Facts, chains: int, random: np.random.Generator) -> None:
        self.facts, self.random = facts, random
        batch, _, datasets = facts.mean.shape
        top = (batch, chains)
        spread = np.sqrt(facts.within.mean(axis=-1) / max(1, facts.folds - 1)) + facts.mean.std(axis=-1)
        self.centre = facts.mean.mean(axis=-1) + spread * random.normal(0, 1, top)  # δ₀, scattered on purpose
        self.centre = np.clip(self.centre, -facts.reach, facts.reach)
        self.scale = np.clip(spread * np.exp(random.normal(0, 1, top)), 1e-9, facts.widest)  # σ₀
        self.tail = 1.0 + random.gamma(2.0, 10.0, top)  # ν
        self.shape, self.rate = random.uniform(*SHAPE, top), random.uniform(*RATE, top)
        self.sigma = np.full((*top, datasets), 1.0)
        self.weight = np.ones((*top, datasets))  # λ: δᵢ ~ N(δ₀, σ₀²/λᵢ) makes the t distribution
        self.delta = facts.mean + np.zeros((*top, datasets))
        self.step = {"scale": np.full(top, 0.7), "tail": np.full(top, 1.0)}

    def sweep(self, *, adapt: bool) -> None:
        """Draw every part of the model once, given the rest."""
        self._draw_scale(adapt)
        self._draw_centre()
        self._draw_delta()
        self._draw_sigma()
        self._draw_tail(adapt)
        self._draw_weight()

    def _variance(self, scale: Array) -> Array:
        """Variance of the mean of every data set around δ₀, with δᵢ integrated out."""
        return np.asarray(self.facts.factor * np.square(self.sigma) + np.square(scale)[..., None] / self.weight)

    def _draw_scale(self, adapt: bool) -> None:
        """σ₀ with δᵢ integrated out: no funnel where σ₀ is small."""

        def density(log_scale: Array) -> Array:
            scale = np.exp(log_scale)
            variance = self._variance(scale)
            fit = np.square(self.facts.mean - self.centre[..., None]) / variance + np.log(variance)
            return np.where(scale <= self.facts.widest, log_scale - 0.5 * fit.sum(axis=-1), -np.inf)

        self.scale = np.exp(self._walk("scale", np.log(self.scale), density, adapt))

    def _draw_centre(self) -> None:
        precision = 1.0 / self._variance(self.scale)
        whole = precision.sum(axis=-1)
        mean, sd = (precision * self.facts.mean).sum(axis=-1) / whole, np.sqrt(1.0 / whole)
        low, high = (special.ndtr((edge - mean) / sd) for edge in (-self.facts.reach, self.facts.reach))
        inside = mean + sd * special.ndtri(low + (high - low) * self.random.random(mean.shape))
        self.centre = np.clip(inside, -self.facts.reach, self.facts.reach)

    def _draw_delta(self) -> None:
        of_data = 1.0 / (self.facts.factor * np.square(self.sigma))
        of_model = self.weight / np.square(self.scale)[..., None]
        whole = of_data + of_model
        mean = (of_data * self.facts.mean + of_model * self.centre[..., None]) / whole
        self.delta = mean + self.random.standard_normal(mean.shape) / np.sqrt(whole)

    def _draw_sigma(self) -> None:
        """1/σᵢ² is a gamma variable, cut at the bounds of the uniform prior of σᵢ."""
        facts = self.facts
        around = np.square(facts.mean - self.delta) / facts.factor  # part of the quadratic form that the mean has
        rate = 0.5 * (facts.within / (1.0 - facts.correlation) + around)
        shape, low, high = 0.5 * (facts.folds - 1), WIDEST**-2, NARROWEST**-2
        with np.errstate(divide="ignore", over="ignore"):
            precision = self.random.standard_gamma(shape, rate.shape) / rate
        wild = ~((precision >= low) & (precision <= high))
        if wild.any():
            precision[wild] = self._cut_gamma(shape, rate[wild], low, high)
        self.sigma = 1.0 / np.sqrt(precision)

    def _cut_gamma(self, shape: float, rate: Array, low: float, high: float) -> Array:
        """Gamma variables between two bounds, by their distribution function."""
        bottom, top = special.gammainc(shape, rate * low), special.gammainc(shape, rate * high)
        drawn = special.gammaincinv(shape, bottom + (top - bottom) * self.random.random(rate.shape))
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(np.clip(np.nan_to_num(drawn / rate, nan=high, posinf=high), low, high))

    def _draw_tail(self, adapt: bool) -> None:
        """ν given δ, with λ integrated out; then the two parameters of its prior."""
        square = np.square((self.delta - self.centre[..., None]) / self.scale[..., None])
        datasets = square.shape[-1]

        def density(log_above_one: Array) -> Array:
            tail = 1.0 + np.exp(log_above_one)
            half = 0.5 * (tail + 1.0)
            constant = special.gammaln(half) - special.gammaln(0.5 * tail) - 0.5 * np.log(tail)
            fit = half * np.log1p(square / tail[..., None]).sum(axis=-1)
            prior = self.shape * log_above_one - self.rate * np.exp(log_above_one)
            return np.asarray(datasets * constant - fit + prior)

        self.tail = 1.0 + np.exp(self._walk("tail", np.log(self.tail - 1.0), density, adapt))
        self._draw_prior_of_tail()

    def _draw_prior_of_tail(self) -> None:
        above = self.tail - 1.0

        def density(shape: Array, rate: Array) -> Array:
            return np.asarray(shape * np.log(rate) - special.gammaln(shape) + shape * np.log(above) - rate * above)

        shape, rate = self.random.uniform(*SHAPE, above.shape), self.random.uniform(*RATE, above.shape)
        taken = self._accepts(density(shape, self.rate) - density(self.shape, self.rate))
        self.shape = np.where(taken, shape, self.shape)
        taken = self._accepts(density(self.shape, rate) - density(self.shape, self.rate))
        self.rate = np.where(taken, rate, self.rate)

    def _draw_weight(self) -> None:
        square = np.square((self.delta - self.centre[..., None]) / self.scale[..., None])
        shape = 0.5 * (self.tail[..., None] + 1.0)
        rate = 0.5 * (self.tail[..., None] + square)
        drawn = self.random.standard_gamma(np.broadcast_to(shape, square.shape)) / rate
        self.weight = np.maximum(drawn, 1e-12)

    def _walk(self, name: str, now: Array, density: Callable[[Array], Array], adapt: bool) -> Array:
        """One step of a random walk whose length is tuned during the warm-up."""
        proposed = now + self.step[name] * self.random.standard_normal(now.shape)
        taken = self._accepts(density(proposed) - density(now))
        if adapt:
            self.step[name] = np.clip(self.step[name] * np.where(taken, 1.1, 0.92), 0.02, 5.0)
        return np.where(taken, proposed, now)

    def _accepts(self, gain: Array) -> Flags:
        return np.asarray(np.log(self.random.random(gain.shape)) < gain)
