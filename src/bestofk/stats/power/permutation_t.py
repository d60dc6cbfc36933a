"""Power of the paired permutation test."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.core.rng import Seed
from bestofk.stats.arrays import Array
from bestofk.stats.pairwise.permutation_t import permutation_t as flipped_signs
from bestofk.stats.power.asking import asked
from bestofk.stats.power.drawing import Model, simulated
from bestofk.stats.power.noncentral import t_power
from bestofk.stats.power.outcome import Power
from bestofk.stats.power.paired_t import SCALE

#: With so many values the distribution of flipped signs is that of t.
AS_T_BEYOND = 500


def permutation_t(
    effect: Any,
    n: Any,
    *,
    model: Model = "normal",
    shuffles: int = 999,
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
    shuffles : int
        Sign patterns of one test beyond 16 values; more of them change the power little.
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

    def rejects(differences: Array) -> Any:
        zeros = np.zeros(differences.shape[-1:])
        side = question.alternative
        found = flipped_signs(differences, zeros, shuffles=shuffles, alternative=side, rng=0)
        return np.asarray(found.pvalue) <= question.alpha

    far = question.n > AS_T_BEYOND
    power, error = np.zeros(far.shape), np.zeros(far.shape)
    if not far.all():
        near = replace(question, effect=question.effect[~far], n=question.n[~far])
        power[~far], error[~far] = simulated(near, rejects, model=model, runs=runs, rng=rng)
    center = question.effect[far] * np.sqrt(question.n[far])
    power[far] = t_power(center, question.n[far] - 1.0, question.alpha, question.alternative)
    way = "formula of the t test" if far.all() else "simulation"
    return question.answer(power, unit="data sets", scale=SCALE, way=way, error=error)
