"""Power of the paired permutation test."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.options import count_of
from bestofk.core.rng import Seed
from bestofk.stats.pairwise.permutation_t import permutation_t as flipped_signs
from bestofk.stats.power.noncentral import t_power
from bestofk.stats.power.outcome import Power
from bestofk.stats.power.paired_t import SCALE
from bestofk.stats.power.question import asked
from bestofk.stats.power.simulation import Model, simulated

#: Sign patterns of one test: of a simulation, and of the test itself where the first are too few for the level.
FEW, ALL = 999, 10_000
#: With so many values the distribution of flipped signs is that of t.
AS_T_BEYOND = 500


def permutation_t(
    effect: Any,
    n: Any,
    *,
    model: Model = "normal",
    shuffles: int | None = None,
    alpha: float = 0.05,
    alternative: str = "two-sided",
    runs: int = 1_000,
    rng: Seed = 0,
) -> Power:
    """Power of the permutation test by simulation, exact p values up to 16 values; beyond 500 that of the t test.

    Parameters
    ----------
    effect : array_like
        d = δ/σ; positive where the first loses more.
    n : array_like of whole numbers
        Data sets or items.
    model : {"normal", "laplace", "uniform"} or array_like
        A distribution, or differences of a pilot experiment.
    shuffles : int, optional
        Sign patterns of one test beyond 16 values: 999, as more of them change the power little, and for a level that
        these cannot reach the 10,000 of the test itself. The power is 0 where no p is as small as alpha.
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
    patterns = _patterns(shuffles, question.alpha)

    def rejects(differences: Array) -> Any:
        zeros = np.zeros(differences.shape[-1:])
        side = question.alternative
        found = flipped_signs(differences, zeros, shuffles=patterns, alternative=side, rng=0)
        return np.asarray(found.pvalue) <= question.alpha

    far = question.n > AS_T_BEYOND
    power, error = np.zeros(far.shape), np.zeros(far.shape)
    if not far.all():
        near = replace(question, effect=question.effect[~far], n=question.n[~far])
        power[~far], error[~far] = simulated(near, rejects, model=model, runs=runs, rng=rng)
    center = question.effect[far] * np.sqrt(question.n[far])
    if reaches(question.alpha, patterns):
        power[far] = t_power(center, question.n[far] - 1.0, question.alpha, question.alternative)
    way = "formula of the t test" if far.all() else "simulation"
    return question.answer(power, unit="data sets", scale=SCALE, way=way, error=error)


def reaches(alpha: float, shuffles: int | None) -> bool:
    """Whether so many sign patterns can give a p as small as the level, with too many values to try all."""
    return alpha >= 1.0 / (_patterns(shuffles, alpha) + 1.0)


def _patterns(shuffles: int | None, alpha: float) -> int:
    if shuffles is not None:
        return count_of(shuffles, name="shuffles", where="power of permutation-t")
    return FEW if alpha >= 1.0 / (FEW + 1.0) else ALL
