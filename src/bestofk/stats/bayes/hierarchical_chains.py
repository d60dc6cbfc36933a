"""Markov chains for the hierarchical model of fold differences: all pairs and chains move at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from bestofk.core.arrays import Array, Flags

#: Hyperpriors of the degrees of freedom ν: ν − 1 ~ Gamma(shape, rate), both uniform in these bounds.
SHAPE, RATE = (0.5, 5.0), (0.05, 0.15)
#: Standard deviations are uniform up to so many times their size in the data, and from this part of it up.
WIDEST, NARROWEST = 1000.0, 1e-3


@dataclass(frozen=True, eq=False)
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
