"""Power of Friedman's test, and of Nemenyi's for one pair."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.options import count_of, one_of
from bestofk.core.rng import Seed, generator
from bestofk.stats.omnibus.friedman import friedman as ranks_test
from bestofk.stats.omnibus.nemenyi import nemenyi as mean_ranks_test
from bestofk.stats.power.outcome import Power
from bestofk.stats.power.question import Asked, asked, two_sided_only
from bestofk.stats.power.simulation import Model, draw, standardized

SCALE = "standard deviation of the learners' means over that of one result within a data set"
_MOST_VALUES = 2_000_000


def friedman(
    effect: Any,
    n: Any,
    *,
    learners: int,
    pattern: str = "spread",
    model: Model = "normal",
    alpha: float = 0.05,
    alternative: str = "two-sided",
    runs: int = 4_000,
    rng: Seed = 0,
) -> Power:
    """Power of Friedman's test (Iman and Davenport's form) by simulation.

    Parameters
    ----------
    effect : array_like
        f: the standard deviation of the K expected losses (divisor K) over that of one loss within a data set.
    n : array_like of whole numbers
        Data sets.
    learners : int
        K.
    pattern : {"spread", "one"}
        Expected losses equally far apart, or one learner apart from the others.
    model : {"normal", "laplace", "uniform"} or array_like
    alpha : float
    runs : int
    rng : int, Generator or None

    Examples
    --------
    >>> bool(friedman(0.5, 15, learners=4, runs=1000).power > friedman(0.5, 8, learners=4, runs=1000).power)
    True
    """
    k = count_of(learners, name="learners", where="power of friedman", at_least=3)
    question = asked("friedman", effect, n, alpha, two_sided_only(alternative, "friedman"), signed=False)
    means = _pattern(one_of(pattern, ("spread", "one"), name="pattern", where="power of friedman"), k)

    def rejects(losses: Array) -> Any:
        return np.asarray(ranks_test(losses).f_pvalue) <= question.alpha

    power, error = _simulated(question, means, rejects, model, runs, rng)
    return question.answer(power, unit="data sets", scale=SCALE, way="simulation", error=error)


def nemenyi(
    effect: Any,
    n: Any,
    *,
    learners: int,
    control: bool = False,
    model: Model = "normal",
    alpha: float = 0.05,
    alternative: str = "two-sided",
    runs: int = 4_000,
    rng: Seed = 0,
) -> Power:
    """Power of Nemenyi's test for one pair, by simulation: its two learners lie on both sides of K − 2 equal ones.

    Parameters
    ----------
    effect : array_like
        d: difference of the pair's expected losses over the standard deviation of their difference on a data set, √2
        times that of one loss, as for the paired t test.
    n : array_like of whole numbers
        Data sets.
    learners : int
        K.
    control : bool
        One of the two is a control, compared with every other alone (Bonferroni–Dunn).
    model, alpha, runs, rng
        As for ``friedman``.

    Examples
    --------
    >>> bool(nemenyi(1.0, 20, learners=5, runs=1000).power > 0.5)
    True
    """
    k = count_of(learners, name="learners", where="power of nemenyi", at_least=2)
    question = asked("nemenyi", effect, n, alpha, two_sided_only(alternative, "nemenyi"))
    means = np.zeros(k)
    means[0], means[-1] = np.sqrt(0.5), -np.sqrt(0.5)

    def rejects(losses: Array) -> Any:
        found = mean_ranks_test(losses, control=0 if control else None).pvalue
        return np.asarray(found)[(..., -1) if control else (..., 0, -1)] <= question.alpha

    power, error = _simulated(question, means, rejects, model, runs, rng)
    scale = "mean difference over the standard deviation of the differences"
    return question.answer(power, unit="data sets", scale=scale, way="simulation", error=error)


def _pattern(pattern: str, k: int) -> Array:
    """Expected losses with standard deviation 1."""
    means = np.arange(k, dtype=float) if pattern == "spread" else np.eye(k)[0]
    return np.asarray((means - means.mean()) / means.std())


def _simulated(question: Asked, means: Array, rejects: Any, model: Model, runs: int, rng: Seed) -> tuple[Array, Array]:
    where = f"power of {question.test}"
    runs = count_of(runs, name="runs", where=where, at_least=100)
    known = standardized(model, where=where)
    seed = int(generator(rng, where=where).integers(2**63))
    power = np.empty(question.n.shape)
    for size in np.unique(question.n):
        random = np.random.default_rng([seed, int(size)])
        step = max(1, _MOST_VALUES // (int(size) * len(means)))
        here = question.n == size
        counted = np.zeros(int(here.sum()))
        for start in range(0, runs, step):
            noise = draw(known, (min(step, runs - start), int(size), len(means)), random)
            counted += [np.asarray(rejects(noise + effect * means)).sum() for effect in question.effect[here]]
        power[here] = counted / runs
    return power, np.sqrt(np.maximum(power * (1.0 - power), 1.0 / runs) / runs)
