"""Power of the sign test."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from bestofk.core.arrays import Array
from bestofk.stats.distributions import binomial_half_tail, normal_critical
from bestofk.stats.power.outcome import Power
from bestofk.stats.power.paired_t import SCALE
from bestofk.stats.power.question import asked
from bestofk.stats.power.simulation import Model, chance_above

#: How near a count of wins is first looked for on both sides of where the normal distribution has it.
_NEAR = 3.0


def sign(effect: Any, n: Any, *, model: Model = "normal", alpha: float = 0.05, alternative: str = "two-sided") -> Power:
    """Power of the sign test, by enumeration of all numbers of wins.

    The chance that the first loses more is that of a positive difference: Φ(d) for normal differences; with an array of
    differences as the ``model`` the share of them that are positive once their mean is moved to d. Power rises in steps
    and can fall between them, since p values of counts are discrete.

    Parameters
    ----------
    effect : array_like
        d = δ/σ; positive where the first loses more.
    n : array_like of whole numbers
        Data sets without ties.
    model : {"normal", "laplace", "uniform"} or array_like
    alpha : float
    alternative : {"two-sided", "greater", "less"}

    Examples
    --------
    >>> round(sign(0.5, 49).power, 4)
    0.772
    """
    question = asked("sign", effect, n, alpha, alternative, at_least=1)
    chance = chance_above(question.effect, model, where="power of sign")
    power = count_power(question.n, chance, question.alpha, question.alternative)
    return question.answer(power, unit="data sets", scale=SCALE, way="enumeration")


def count_power(n: Array, chance: Array, alpha: float, alternative: str) -> Array:
    """P[a binomial count with this chance is rejected as a fair coin's]."""
    n, chance = np.broadcast_arrays(np.asarray(n, dtype=float), np.asarray(chance, dtype=float))
    tail = alpha / 2.0 if alternative == "two-sided" else alpha
    low = largest_rejected(n, lambda wins, of: binomial_half_tail(wins, of, "less"), tail)
    power = np.zeros(n.shape)
    if alternative != "greater":
        power = power + at_most(low, n, chance)
    if alternative != "less":  # P[X ≥ n − low] = P[n − X ≤ low]
        power = power + at_most(low, n, 1.0 - chance)
    return np.asarray(power)


def largest_rejected(n: Array, lower_tail: Any, level: float) -> Array:
    """The largest count up to n/2 whose lower tail is at most ``level``; −1 where there is none. Tails grow with it."""
    low, high = np.full(n.shape, -1.0), np.floor(n / 2.0)
    normal = np.floor(n / 2.0 - normal_critical(level) * np.sqrt(n) / 2.0)  # nearly always within a few counts
    for step in range(64):
        if (low >= high).all():
            break
        middle = np.ceil((low + high) / 2.0)
        if step < 2:
            middle = np.clip(normal + (-_NEAR, _NEAR)[step], low + 1.0, high)
        rejected = np.asarray(lower_tail(np.maximum(middle, 0.0), n)) <= level
        low, high = np.where(rejected, middle, low), np.where(rejected, high, middle - 1.0)
    return low


def at_most(count: Array, n: Array, chance: Array) -> Array:
    """P[X ≤ count] of a binomial; 0 below 0."""
    inside = (count >= 0) & (count < n)
    below = special.betainc(np.where(inside, n - count, 1.0), np.where(inside, count + 1.0, 1.0), 1.0 - chance)
    return np.asarray(np.where(inside, below, np.where(count >= n, 1.0, 0.0)))
