"""Power by simulation: experiments drawn from a model, or again from results that exist, and the share rejected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from bestofk.core import special
from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError
from bestofk.core.options import count_of, one_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.method import fewest_values, method_of
from bestofk.stats.pairwise import PAIRWISE
from bestofk.stats.pairwise.student import untested
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
#: Values drawn twice would be ties, which a population without ties has not: they move by this share of the spread.
_JITTER = 1e-6
#: Differences this close, relative to the largest, are the same: scores with few digits differ by them in many ways.
_SAME = 9
#: Values simulated at once.
_MOST_VALUES = 2_000_000

#: From an effect to experiments; all effects see the same draws, so power grows with the effect as smoothly as it does.
Experiments = Callable[[float], Array]
#: From a number of experiments and their size to the experiments.
Draw = Callable[[int, int, "np.random.Generator"], Experiments]
#: From experiments to which of them the test rejects.
Rejects = Callable[[Array], Any]


class Population(NamedTuple):
    """Differences with their chances, other than 0, and the chance of 0."""

    values: Array
    chances: Array
    zero: float


class Pilot:
    """Differences of a pilot, drawn again. An effect that is not theirs gives them other signs, not other sizes.

    So zeros stay zeros, and ties stay ties: results on items that are right or wrong, or with two digits, have many. A
    smaller effect, down to the opposite one, flips every sign with one chance; a larger one flips the signs against it;
    when all agree with it, differences are moved. The pilot's ``own`` effect is that of the mean unless a test is about
    something else, of which even the sign may differ.
    """

    def __init__(self, differences: Any, *, where: str, own: float | None = None) -> None:
        values = numbers(differences, name="model", where=where)
        if values.ndim != 1 or len(values) < 3:
            raise wrong_shape(values, "model", where, "give at least three differences.")
        largest = float(np.abs(values).max())
        mean, spread = float(values.mean()), float(values.std(ddof=1))
        if spread <= 1e-12 * largest:
            raise InputError("the differences do not vary.", f"{where}, argument model", "give results that vary.")
        self.values = np.round(values / largest, _SAME) * (largest / spread)
        self.mean, self.square = mean / spread, 1.0 + (mean / spread) ** 2
        self.own = self.mean if own is None else own
        self.size = float(np.abs(self.values).mean())
        some = np.abs(self.values[self.values != 0])
        self.tied = len(np.unique(some)) < len(some)

    def at(self, effect: float) -> tuple[Array, float]:
        """The chance of every difference to flip its sign, and how far all are then moved."""
        if self.own != 0 and abs(effect) <= abs(self.own):  # the sizes, and so the mean square, stay
            part = effect / self.own * np.sqrt((1.0 + self.own**2) / (1.0 + effect**2))
            return np.full(len(self.values), 0.5 * (1.0 - part)), 0.0
        wanted = effect * np.sqrt(self.square / (1.0 + effect**2))
        towards, room = self.values * wanted > 0, self.size - abs(self.mean)
        part = min(1.0, (abs(wanted) - abs(self.mean)) / room) if room > 0 else 1.0
        flips = np.where(towards, 0.0, part) if self.mean * wanted >= 0 else np.where(towards, 1.0 - part, 1.0)
        left = abs(effect) * np.sqrt(max(self.square - self.size**2, 0.0)) - self.size
        return flips, float(np.sign(effect) * left) if part >= 1.0 and left > 0 else 0.0

    def population(self, effect: float) -> Population:
        """What the differences and their chances are under an effect."""
        flips, moved = self.at(effect)
        values = np.concatenate([self.values, -self.values]) + moved
        chances = np.concatenate([1.0 - flips, flips]) / len(self.values)
        zero = np.abs(values) <= 1e-12
        return Population(values[~zero], chances[~zero], float(chances[zero].sum()))

    def draw(self, rows: int, n: int, random: np.random.Generator) -> Experiments:
        """Experiments of n differences."""
        chosen, chance = random.integers(0, len(self.values), size=(rows, n)), random.random((rows, n))
        jitter = 0.0 if self.tied else _JITTER * random.standard_normal((rows, n))

        def experiments(effect: float) -> Array:
            flips, moved = self.at(effect)
            own = self.values[chosen]
            found = np.where(chance < flips[chosen], -own, own) + moved
            return np.where(np.abs(found) <= 1e-12, 0.0, found + jitter)

        return experiments


def known_model(model: Model, *, where: str) -> str | Pilot:
    """A known name, or the differences of a pilot."""
    if isinstance(model, Pilot):
        return model
    return one_of(model, _MODELS, name="model", where=where) if isinstance(model, str) else Pilot(model, where=where)


def drawing(model: Model, *, where: str) -> Draw:
    """How to draw experiments of n differences."""
    known = known_model(model, where=where)
    return known.draw if isinstance(known, Pilot) else drawing_losses(known, where=where)


def drawing_losses(model: Model, *each: int, shift: Any = 1.0, where: str) -> Draw:
    """How to draw experiments of n times ``each`` losses, moved by ``shift`` times the effect."""
    known = known_model(model, where=where)

    def draw(rows: int, n: int, random: np.random.Generator) -> Experiments:
        shape = (rows, n, *each)
        if isinstance(known, str):
            noise = _MODELS[known](random, shape)
        else:
            values = known.values - known.values.mean()
            noise = random.choice(values, size=shape) + _JITTER * random.standard_normal(shape)
        return lambda effect: np.asarray(noise + effect * shift)

    return draw


def chance_above(effect: Array, model: str) -> Array:
    """P[a difference is positive] when its mean is ``effect`` standard deviations."""
    if model == "normal":
        return np.asarray(special.ndtr(effect))
    if model == "uniform":
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
    held: int = 1,
    up_to: float = np.inf,
    beyond: Callable[[Array, Array], Any] | None = None,
    way: str = "",
) -> Power:
    """Answer with the share of ``runs`` simulated experiments that are rejected, and its standard error.

    ``held`` is how many numbers the test holds for each of the n that it is given. Sizes larger than ``up_to`` are
    answered by ``beyond``, from effects and sizes, which is called ``way``.
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
            experiments = draw(min(step, runs - start), n, random)
            counted += [np.asarray(rejects(experiments(float(effect)))).sum() for effect in question.effect[here]]
        power[here] = counted / runs
    error[~far] = np.sqrt(np.maximum(power * (1.0 - power), 1.0 / runs) / runs)[~far]
    if beyond is not None:
        power[far] = beyond(question.effect[far], question.n[far])
    return question.answer(power, unit=unit, scale=scale, way=way if far.all() else "simulation", error=error)


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
        found = run(differences, np.zeros(differences.shape), **options)
        return (np.asarray(found.pvalue) <= question.alpha) & ~untested(found)

    draw = drawing(model, where=f"power of {test}")
    return simulated(question, draw, rejects, unit="results", scale="standard deviations", runs=runs, rng=rng)
