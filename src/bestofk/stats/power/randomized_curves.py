"""Power of the randomized tests of curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError
from bestofk.core.options import count_of, number_inside
from bestofk.core.rng import Seed, generator
from bestofk.stats.curves.randomized_anova import randomized_anova as dealt_anova
from bestofk.stats.curves.randomized_t import randomized_t as dealt_curves
from bestofk.stats.power.outcome import Power
from bestofk.stats.power.question import Asked, asked, two_sided_only

SCALE = "difference of level over the standard deviation of one point between curves"
_MOST_VALUES = 400_000


def randomized_t(
    effect: Any,
    n: Any,
    *,
    points: int = 10,
    correlation: float = 0.8,
    pilot: Any = None,
    shuffles: int = 499,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    runs: int = 1_000,
    rng: Seed = 0,
) -> Power:
    """Power of the randomized t test of two sets of curves, by simulation.

    Parameters
    ----------
    effect : array_like
        Difference of level, the same at every point, over the standard deviation of one point between curves.
    n : array_like of whole numbers
        Curves per learner.
    points : int
        Points of a curve.
    correlation : float
        Correlation of any two points of one curve.
    pilot : sequence of array_like (lᵢ, k), optional
        Curves of an experiment that exists, one array per learner: whole curves less their learner's mean curve are
        drawn again, in place of ``points`` and ``correlation``.
    shuffles : int
        Dealings of one test where not all are enumerated.
    alpha : float
    alternative : {"two-sided", "greater", "less"}
    runs : int
    rng : int, Generator or None

    Examples
    --------
    >>> randomized_t(9.0, 3, runs=100).power  # three curves each: 20 dealings, and no two-sided p below 0.1
    0.0
    """
    question = asked("randomized-t", effect, n, alpha, alternative)
    source = _Source("randomized-t", points, correlation, pilot)

    def rejects(curves: Array) -> Any:
        first, second = curves[:, 0], curves[:, 1]
        found = dealt_curves(first, second, alternative=question.alternative, shuffles=shuffles, rng=0)
        return np.asarray(found.pvalue) <= question.alpha

    power, error = _simulated(question, 2, source, rejects, runs, rng)
    return question.answer(power, unit="curves per learner", scale=SCALE, way="simulation", error=error)


def randomized_anova(
    effect: Any,
    n: Any,
    *,
    learners: int = 2,
    points: int = 10,
    correlation: float = 0.8,
    pilot: Any = None,
    shuffles: int = 199,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    runs: int = 500,
    rng: Seed = 0,
) -> Power:
    """Power of the randomized ANOVA's algorithm effect, by simulation: levels equally far apart.

    Parameters
    ----------
    effect : array_like
        Difference of level between the two learners farthest apart, over the standard deviation of one point.
    learners : int
        Number of sets of curves.
    n, points, correlation, pilot, shuffles, alpha, runs, rng
        As for ``randomized_t``.

    Examples
    --------
    >>> randomized_anova(0.0, 3, runs=100, rng=1).power <= 0.1
    True
    """
    k = count_of(learners, name="learners", where="power of randomized-anova", at_least=2)
    question = asked("randomized-anova", effect, n, alpha, two_sided_only(alternative, "randomized-anova"))
    source = _Source("randomized-anova", points, correlation, pilot)

    def rejects(curves: Array) -> Any:
        found = dealt_anova(*(curves[:, i] for i in range(k)), shuffles=shuffles, rng=0)
        return np.asarray(found.p_alg) <= question.alpha

    power, error = _simulated(question, k, source, rejects, runs, rng)
    return question.answer(power, unit="curves per learner", scale=SCALE, way="simulation", error=error)


class _Source:
    """Where curves come from: equally correlated normal points, or pilot curves drawn again."""

    def __init__(self, test: str, points: Any, correlation: Any, pilot: Any) -> None:
        where = f"power of {test}"
        self.points = count_of(points, name="points", where=where, at_least=2)
        self.correlation = number_inside(correlation, name="correlation", where=where, low=-1e-12, high=1.0)
        self.rest = None if pilot is None else _residuals(pilot, where)
        if self.rest is not None:
            self.points = self.rest.shape[1]

    def draw(self, shape: tuple[int, ...], random: np.random.Generator) -> Array:
        """Curves of the given shape with the points as one more axis."""
        if self.rest is not None:
            return np.asarray(self.rest[random.integers(0, len(self.rest), size=shape)])
        own, shared = random.standard_normal((*shape, self.points)), random.standard_normal((*shape, 1))
        rho = max(self.correlation, 0.0)
        return np.asarray(np.sqrt(rho) * shared + np.sqrt(1.0 - rho) * own)


def _residuals(pilot: Any, where: str) -> Array:
    """Pilot curves less their learner's mean curve, in units of the standard deviation of one point."""
    sets = [numbers(each, name=f"pilot[{i}]", where=where) for i, each in enumerate(pilot)]
    if not sets or any(each.ndim != 2 or len(each) < 2 for each in sets) or len({s.shape[1] for s in sets}) > 1:
        raise InputError(
            f"pilot has the shapes {', '.join(str(each.shape) for each in sets)}.",
            f"{where}, argument pilot",
            "give (curves, points) for every learner, at least two curves each, with the same points.",
        )
    rest = np.concatenate([(each - each.mean(axis=0)) * np.sqrt(len(each) / (len(each) - 1.0)) for each in sets])
    spread = float(np.sqrt(np.square(rest).mean()))
    if spread == 0.0:
        raise InputError("the pilot's curves do not vary.", f"{where}, argument pilot", "give curves that vary.")
    return np.asarray(rest / spread)


def _simulated(question: Asked, k: int, source: _Source, rejects: Any, runs: int, rng: Seed) -> tuple[Array, Array]:
    where = f"power of {question.test}"
    runs = count_of(runs, name="runs", where=where, at_least=100)
    seed = int(generator(rng, where=where).integers(2**63))
    level = np.linspace(1.0, 0.0, k)[:, None, None]
    power = np.empty(question.n.shape)
    for size in np.unique(question.n):
        random = np.random.default_rng([seed, int(size)])
        step = max(1, _MOST_VALUES // (k * int(size) * source.points))
        here = question.n == size
        counted = np.zeros(int(here.sum()))
        for start in range(0, runs, step):
            noise = source.draw((min(step, runs - start), k, int(size)), random)
            counted += [np.asarray(rejects(noise + effect * level)).sum() for effect in question.effect[here]]
        power[here] = counted / runs
    return power, np.sqrt(np.maximum(power * (1.0 - power), 1.0 / runs) / runs)
