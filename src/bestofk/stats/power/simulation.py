"""Power by simulation: experiments drawn from a model, or again from results that exist, and the share rejected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from scipy import special

from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError
from bestofk.core.options import count_of, one_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.method import method_of
from bestofk.stats.pairwise import PAIRWISE, PairwiseTest
from bestofk.stats.power.question import Asked, Power, asked
from bestofk.stats.shapes import wrong_shape

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

#: From a number of experiments and their size to the experiments.
Draw = Callable[[int, int, np.random.Generator], Array]
#: From experiments to which of them the test rejects.
Rejects = Callable[[Array], Any]


def standardized(model: Model, *, where: str) -> str | Array:
    """A known name, or pilot differences with mean 0 and standard deviation 1."""
    if isinstance(model, str):
        return one_of(model, _MODELS, name="model", where=where)
    values = numbers(model, name="model", where=where)
    if values.ndim != 1 or len(values) < 3:
        raise wrong_shape(values, "model", where, "give at least three differences.")
    spread = float(values.std(ddof=1))
    if spread <= 1e-12 * float(np.abs(values).max()):
        raise InputError("the differences do not vary.", f"{where}, argument model", "give results that vary.")
    return np.asarray((values - values.mean()) / spread)


def drawing(model: Model, *each: int, where: str) -> Draw:
    """How to draw experiments of n standardised differences, or of n times ``each`` of them."""
    known = standardized(model, where=where)

    def draw(rows: int, n: int, random: np.random.Generator) -> Array:
        shape = (rows, n, *each)
        if isinstance(known, str):
            return np.asarray(_MODELS[known](random, shape))
        return np.asarray(random.choice(known, size=shape) + _JITTER * random.standard_normal(shape))

    return draw


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
    question: Asked,
    draw: Draw,
    rejects: Rejects,
    *,
    unit: str,
    scale: str,
    runs: int,
    rng: Seed,
    shift: Any = 1.0,
    held: int = 1,
    up_to: float = np.inf,
    beyond: Callable[[Array, Array], Any] | None = None,
    way: str = "",
) -> Power:
    """Answer with the share of ``runs`` simulated experiments that are rejected, and its standard error.

    All effects of one size see the same draws, moved by ``shift`` times the effect, so power grows with the effect as
    smoothly as it does in truth. ``held`` is how many numbers the test holds for each of the n that it is given. Sizes
    larger than ``up_to`` are answered by ``beyond``, from effects and sizes, which is called ``way``.
    """
    where = f"power of {question.test}"
    runs = count_of(runs, name="runs", where=where, at_least=100)
    seed = int(generator(rng, where=where).integers(2**63))
    far = question.n > up_to
    power, error = np.zeros(far.shape), np.zeros(far.shape)
    for size in np.unique(question.n[~far]):
        here, n = question.n == size, int(size)
        random, step = np.random.default_rng([seed, n]), max(1, _MOST_VALUES // (n * held))
        counted = np.zeros(int(here.sum()))
        for start in range(0, runs, step):
            noise = draw(min(step, runs - start), n, random)
            counted += [np.asarray(rejects(noise + effect * shift)).sum() for effect in question.effect[here]]
        power[here] = counted / runs
    error[~far] = np.sqrt(np.maximum(power * (1.0 - power), 1.0 / runs) / runs)[~far]
    if beyond is not None:
        power[far] = beyond(question.effect[far], question.n[far])
    return question.answer(power, unit=unit, scale=scale, way=way if far.all() else "simulation", error=error)


def fewest_values(test: PairwiseTest, most: int = 100) -> int:
    """The fewest values that a pairwise test of values takes."""
    for number in range(2, most):
        try:
            test(np.arange(1.0, number + 1.0), np.zeros(number))
        except InputError:
            continue
        return number
    return most


def any_test(
    test: str,
    effect: Any,
    n: Any,
    *,
    model: Model = "normal",
    alpha: float = 0.05,
    alternative: str = "two-sided",
    runs: int = 1_000,
    rng: Seed = 0,
) -> Power:
    """Power of any pairwise test of values by simulation; ``effect`` is d = δ/σ, above 0 where the first loses more."""
    run = PAIRWISE[test]
    question = asked(test, effect, n, alpha, alternative, at_least=fewest_values(run))
    options: dict[str, Any] = {"rng": 0} if method_of(run).seeded else {}
    options |= {} if alternative == "two-sided" else {"alternative": alternative}

    def rejects(differences: Array) -> Any:
        return np.asarray(run(differences, np.zeros(differences.shape), **options).pvalue) <= question.alpha

    draw = drawing(model, where=f"power of {test}")
    return simulated(question, draw, rejects, unit="results", scale="standard deviations", runs=runs, rng=rng)
