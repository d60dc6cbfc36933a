"""Power of permutation tests by simulation: of paired values, and of whole curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core import special
from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError
from bestofk.core.options import count_of, number_inside
from bestofk.core.rng import Seed
from bestofk.stats.flip_tail import flip_tail
from bestofk.stats.pairwise.permutation_t import permutation_t as flipped_signs
from bestofk.stats.pairwise.welch import welch_permutation as dealt_runs
from bestofk.stats.power.formulas import runs_power, t_power, two_of_runs
from bestofk.stats.power.question import OF_PAIRS, OF_RUNS, Asked, Power, asked, two_sided_only
from bestofk.stats.power.simulation import Draw, Experiments, Model, Rejects, drawing, simulated

#: Up to so many values all sign patterns are counted; beyond, the tail formula of the test says what they would.
COUNTED_UP_TO = 12
#: Up to so many ways to deal runs anew their test is simulated.
DEALT_UP_TO = 1_000
#: With so many values the distribution of flipped signs is that of t.
AS_T_BEYOND = 100


def permutation_t(
    effect: Any,
    n: Any,
    *,
    model: Model = "normal",
    alpha: float = 0.05,
    alternative: str = "two-sided",
    runs: int = 1_000,
    rng: Seed = 0,
) -> Power:
    """Power of the permutation test by simulation; beyond 100 values that of the t test.

    Parameters
    ----------
    effect : array_like
        d = δ/σ; positive where the first loses more.
    n : array_like of whole numbers
        Data sets or items.
    model : {"normal", "laplace", "uniform"} or array_like
        A distribution, or differences of a pilot experiment.
    alpha : float
    alternative : {"two-sided", "greater", "less"}
    runs : int
    rng : int, Generator or None

    Examples
    --------
    >>> permutation_t(3.0, 5, runs=200).power  # with five values no p is below 1/16
    0.0
    """
    question = asked("permutation-t", effect, n, alpha, alternative)
    level, side = question.alpha, question.alternative

    def rejects(differences: Array) -> Any:
        if differences.shape[-1] <= COUNTED_UP_TO:
            zeros = np.zeros(differences.shape[-1:])
            return np.asarray(flipped_signs(differences, zeros, alternative=side).pvalue) <= level
        sums = differences.sum(axis=-1)
        towards = np.abs(sums) if side == "two-sided" else sums if side == "greater" else -sums
        return flip_tail(differences, towards) <= (0.5 * level if side == "two-sided" else level)

    return simulated(
        question,
        drawing(model, where="power of permutation-t"),
        rejects,
        unit="data sets",
        scale=OF_PAIRS,
        runs=runs,
        rng=rng,
        up_to=AS_T_BEYOND,
        beyond=lambda effects, sizes: t_power(effects * np.sqrt(sizes), sizes - 1.0, level, side),
        way="formula of the t test",
    )


def welch_permutation(
    effect: Any,
    n: Any,
    *,
    other: int | None = None,
    spreads: Any = (1.0, 1.0),
    alpha: float = 0.05,
    alternative: str = "two-sided",
    runs: int = 1_000,
    rng: Seed = 0,
) -> Power:
    """Power of Welch's statistic with runs dealt anew: by simulation where there are up to 1,000 ways to deal.

    Beyond, it is that of Welch's t test at the largest share of the ways that is within alpha.

    Parameters
    ----------
    effect, n, other, spreads, alpha, alternative
        As for ``welch_t``.
    runs : int
    rng : int, Generator or None

    Examples
    --------
    >>> welch_permutation(9.0, 3, runs=100).power  # 20 ways to deal three and three: no two-sided p is below 0.1
    0.0
    """
    question = asked("welch-permutation", effect, n, alpha, alternative)
    variances, sizes = two_of_runs("welch-permutation", question, other, spreads)
    if variances.shape != (2,) or (other is not None and np.ndim(other)):
        raise InputError(
            "other and spreads are lists.", "power of welch-permutation", "give one number of runs, and two spreads."
        )
    level, side = question.alpha, question.alternative

    def draw(rows: int, n: int, random: np.random.Generator) -> Experiments:
        numbers = n, n if other is None else other
        noise = [np.sqrt(v) * random.standard_normal((rows, each)) for v, each in zip(variances, numbers, strict=True)]
        return lambda effect: np.concatenate([noise[0] + effect, noise[1]], axis=-1)

    def rejects(both: Array) -> Any:
        first = both.shape[-1] // 2 if other is None else both.shape[-1] - other
        found = dealt_runs(both[:, :first], both[:, first:], alternative=side, rng=0)
        return np.asarray(found.pvalue) <= level * (1.0 + 1e-9)

    def beyond(effects: Array, firsts: Array) -> Array:
        both = np.stack([firsts, firsts if other is None else np.full(firsts.shape, float(other))], axis=-1)
        mirrored = (both[..., 0] == both[..., 1]) & (side == "two-sided")
        steps = _ways(both) / np.where(mirrored, 2.0, 1.0)
        attained = np.floor(level * steps * (1.0 + 1e-9)) / steps
        found = [
            runs_power(e, variances, size, a, side) if a > 0 else 0.0
            for e, size, a in zip(effects, both, attained, strict=True)
        ]
        return np.array(found)

    counted = sizes[..., 0][_ways(sizes) <= DEALT_UP_TO]
    return simulated(
        question,
        draw,
        rejects,
        unit="runs per learner",
        scale=OF_RUNS,
        runs=runs,
        rng=rng,
        held=DEALT_UP_TO,
        up_to=float(counted.max()) if counted.size else 0.0,
        beyond=beyond,
        way="formula of the t test",
    )


def _ways(sizes: Array) -> Array:
    """In how many ways runs can be dealt to two learners, a million or more being as good as any number."""
    number = special.gammaln(sizes.sum(axis=-1) + 1.0) - special.gammaln(sizes + 1.0).sum(axis=-1)
    return np.asarray(np.round(np.exp(np.minimum(number, 20.0))))


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
    from bestofk.stats.curves import randomized_t as dealt_curves

    question = asked("randomized-t", effect, n, alpha, alternative)

    def rejects(curves: Array) -> Any:
        first, second = curves[:, 0], curves[:, 1]
        found = dealt_curves(first, second, alternative=question.alternative, shuffles=shuffles, rng=0)
        return np.asarray(found.pvalue) <= question.alpha

    return _of_curves(question, rejects, 2, points, correlation, pilot, runs, rng)


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
    from bestofk.stats.curves import randomized_anova as dealt_anova

    k = count_of(learners, name="learners", where="power of randomized-anova", at_least=2)
    question = asked("randomized-anova", effect, n, alpha, two_sided_only(alternative, "randomized-anova"))

    def rejects(curves: Array) -> Any:
        found = dealt_anova(*(curves[:, i] for i in range(k)), shuffles=shuffles, rng=0)
        return np.asarray(found.p_alg) <= question.alpha

    return _of_curves(question, rejects, k, points, correlation, pilot, runs, rng)


def _of_curves(
    question: Asked, rejects: Rejects, k: int, points: Any, correlation: Any, pilot: Any, runs: int, rng: Seed
) -> Power:
    """Simulate k learners whose levels are equally far apart."""
    draw, points = _curves(f"power of {question.test}", k, points, correlation, pilot)
    return simulated(
        question,
        draw,
        rejects,
        unit="curves per learner",
        scale="difference of level over the standard deviation of one point between curves",
        runs=runs,
        rng=rng,
        held=5 * k * points,
    )


def _curves(where: str, k: int, points: Any, correlation: Any, pilot: Any) -> tuple[Draw, int]:
    """How to draw curves (rows, k, n, points), equally correlated normal points or a pilot's; and their points."""
    points = count_of(points, name="points", where=where, at_least=2)
    rho = max(number_inside(correlation, name="correlation", where=where, low=-1e-12, high=1.0), 0.0)
    shift = np.linspace(1.0, 0.0, k)[:, None, None]
    rest = None if pilot is None else _residuals(pilot, where)

    def draw(rows: int, n: int, random: np.random.Generator) -> Experiments:
        if rest is not None:
            curves = rest[random.integers(0, len(rest), size=(rows, k, n))]
        else:
            own, shared = random.standard_normal((rows, k, n, points)), random.standard_normal((rows, k, n, 1))
            curves = np.sqrt(rho) * shared + np.sqrt(1.0 - rho) * own
        return lambda effect: np.asarray(curves + effect * shift)

    return draw, points if rest is None else rest.shape[1]


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
