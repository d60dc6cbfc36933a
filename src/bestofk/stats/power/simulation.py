"""Differences to simulate with: from a model, or drawn again from results that exist."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from scipy import special

from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError
from bestofk.core.options import count_of, one_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.power.question import Asked

#: The name of a distribution, or an array of differences of a pilot experiment.
Model: TypeAlias = Any

#: All with mean 0 and standard deviation 1.
_MODELS: dict[str, Callable[[np.random.Generator, tuple[int, ...]], Array]] = {
    "normal": lambda random, shape: random.standard_normal(shape),
    "laplace": lambda random, shape: random.laplace(0.0, np.sqrt(0.5), shape),
    "uniform": lambda random, shape: random.uniform(-np.sqrt(3.0), np.sqrt(3.0), shape),
}
#: Values drawn twice would be ties, which the population has not: they are told apart by this share of their spread.
_JITTER = 1e-6
#: Values simulated at once.
_MOST_VALUES = 2_000_000

Rejects = Callable[[Array], Any]


def standardized(model: Model, *, where: str) -> str | Array:
    """A known name, or pilot differences with mean 0 and standard deviation 1."""
    if isinstance(model, str):
        return one_of(model, _MODELS, name="model", where=where)
    values = numbers(model, name="model", where=where)
    if values.ndim != 1 or len(values) < 3:
        raise InputError(
            f"model has the shape {values.shape}.", f"{where}, argument model", "give at least three differences."
        )
    spread = float(values.std(ddof=1))
    if spread <= 1e-12 * float(np.abs(values).max()):
        raise InputError("the differences do not vary.", f"{where}, argument model", "give results that vary.")
    return np.asarray((values - values.mean()) / spread)


def draw(model: str | Array, shape: tuple[int, ...], random: np.random.Generator) -> Array:
    """Standardised differences."""
    if isinstance(model, str):
        return np.asarray(_MODELS[model](random, shape))
    return np.asarray(random.choice(model, size=shape) + _JITTER * random.standard_normal(shape))


def chance_above(effect: Array, model: Model, *, where: str) -> Array:
    """P[a difference is positive] when its mean is ``effect`` standard deviations."""
    known = standardized(model, where=where)
    if not isinstance(known, str):
        above = (effect[..., None] + known > 0).mean(axis=-1)
        return np.asarray(above + 0.5 * (effect[..., None] + known == 0).mean(axis=-1))
    if known == "normal":
        return np.asarray(special.ndtr(effect))
    if known == "uniform":
        return np.asarray(np.clip(0.5 + effect / (2.0 * np.sqrt(3.0)), 0.0, 1.0))
    tail = 0.5 * np.exp(-np.sqrt(2.0) * np.abs(effect))
    return np.asarray(np.where(effect > 0, 1.0 - tail, tail))


def simulated(
    question: Asked, rejects: Rejects, *, model: Model, runs: int, rng: Seed, per_value: int = 1
) -> tuple[Array, Array]:
    """Share of ``runs`` simulated experiments that are rejected, and its standard error.

    All effects of one size see the same draws, so power grows with the effect as smoothly as it does in truth.
    ``per_value`` is how many numbers the test holds for each value that it is given.
    """
    where = f"power of {question.test}"
    runs = count_of(runs, name="runs", where=where, at_least=100)
    known = standardized(model, where=where)
    seed = int(generator(rng, where=where).integers(2**63))
    power = np.empty(question.n.shape)
    for size in np.unique(question.n):
        random = np.random.default_rng([seed, int(size)])
        here = question.n == size
        power[here] = _shares(question.effect[here], int(size), rejects, known, runs, random, per_value)
    return power, np.sqrt(np.maximum(power * (1.0 - power), 1.0 / runs) / runs)


def _shares(
    effects: Array, n: int, rejects: Rejects, model: str | Array, runs: int, random: np.random.Generator, per_value: int
) -> Array:
    step = max(1, _MOST_VALUES // (n * per_value))
    counted = np.zeros(len(effects))
    for start in range(0, runs, step):
        noise = draw(model, (min(step, runs - start), n), random)
        counted += [np.asarray(rejects(noise + effect)).sum() for effect in effects]
    return np.asarray(counted / runs)
