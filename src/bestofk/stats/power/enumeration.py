"""Power by enumeration, where outcomes are counts: the sign test and McNemar's."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from bestofk.core import special
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import number_inside, one_of
from bestofk.stats.distributions import binomial_half_tail, normal_critical
from bestofk.stats.pairwise.mcnemar import METHODS
from bestofk.stats.power.question import OF_PAIRS, Asked, Power, asked
from bestofk.stats.power.simulation import Model, Pilot, chance_above, known_model

#: How near a count of wins is first looked for on both sides of where the normal distribution has it.
_NEAR = 3.0


def sign(effect: Any, n: Any, *, model: Model = "normal", alpha: float = 0.05, alternative: str = "two-sided") -> Power:
    """Power of the sign test, by enumeration of all numbers of wins.

    The chance that the first loses more is that of a positive difference: Φ(d) for normal differences; with an array of
    differences as the ``model`` the share of them that are positive, with other signs where their effect is not d, and
    those that are 0 count for neither. Power rises in steps and can fall between them, since p values of counts are
    discrete.

    Parameters
    ----------
    effect : array_like
        d = δ/σ; positive where the first loses more.
    n : array_like of whole numbers
        Data sets.
    model : {"normal", "laplace", "uniform"} or array_like
    alpha : float
    alternative : {"two-sided", "greater", "less"}

    Examples
    --------
    >>> round(sign(0.5, 49).power, 4)
    0.772
    """
    question = asked("sign", effect, n, alpha, alternative, at_least=1)
    known = known_model(model, where="power of sign")
    if isinstance(known, str):
        chance = chance_above(question.effect, known)
        power = count_power(question.n, chance, question.alpha, question.alternative)
    else:
        power = _of_pilot(question, known)
    return question.answer(power, unit="data sets", scale=OF_PAIRS, way="enumeration")


def _of_pilot(question: Asked, pilot: Pilot) -> Array:
    """Of all differences some are 0: how many are left has a binomial chance, as disagreements in McNemar's test."""
    power = np.zeros(question.n.shape)
    for effect in np.unique(question.effect):
        here, found = question.effect == effect, pilot.population(float(effect))
        apart = min(1.0, float(found.chances.sum()))
        above = float(found.chances[found.values > 0].sum()) / apart
        power[here] = _powers(question.n[here], above, apart, "exact", question.alpha, question.alternative)
    return power


def count_power(n: Array, chance: Array, alpha: float, alternative: str) -> Array:
    """P[a binomial count with this chance is rejected as a fair coin's]."""
    n, chance = np.broadcast_arrays(np.asarray(n, dtype=float), np.asarray(chance, dtype=float))
    tail = alpha / 2.0 if alternative == "two-sided" else alpha
    low = largest_rejected(n, lambda wins, of: binomial_half_tail(wins, of, "less"), tail)
    return _chance_beyond(low, n, chance, alternative)


def _chance_beyond(low: Array, n: Array, chance: Any, alternative: str) -> Array:
    """P[a count is at most ``low``, or at least n − low], on the sides that the test looks at."""
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


def at_most(count: Array, n: Array, chance: Any) -> Array:
    """P[X ≤ count] of a binomial; 0 below 0."""
    inside = (count >= 0) & (count < n)
    below = special.betainc(np.where(inside, n - count, 1.0), np.where(inside, count + 1.0, 1.0), 1.0 - chance)
    return np.asarray(np.where(inside, below, np.where(count >= n, 1.0, 0.0)))


def mcnemar(
    effect: Any,
    n: Any,
    *,
    disagreement: float,
    method: str = "auto",
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> Power:
    r"""Power of McNemar's test, by enumeration of the pairs of counts that have a chance.

    Of N items a binomial number m is wrong by exactly one of the two, and of these the first is wrong on a binomial
    number again: the power is the sum over m of the chance of m times that of a rejected count.

    Parameters
    ----------
    effect : array_like
        Difference of the two error rates, first minus second: p₀₁ − p₁₀.
    n : array_like of whole numbers
        Items.
    disagreement : float
        Share of items that exactly one of the two gets wrong: p₀₁ + p₁₀, at least the size of the effect.
    method : {"auto", "mid-p", "exact", "chi2", "chi2-corrected"}
    alpha : float
    alternative : {"two-sided", "greater", "less"}

    Examples
    --------
    >>> mcnemar(0.05, 500, disagreement=0.15)
    mcnemar-auto (two-sided, alpha 0.05): 500 items, effect 0.05: power 0.8303 by enumeration
    """
    method = one_of(method, METHODS, name="method", where="power of mcnemar")
    name = "mcnemar" if method == "chi2-corrected" else f"mcnemar-{method}"
    question = asked(name, effect, n, alpha, alternative, at_least=1)
    apart = number_inside(disagreement, name="disagreement", where=f"power of {name}", low=0.0, high=1.0 + 1e-12)
    if (np.abs(question.effect) > apart).any():
        raise InputError(
            f"the effect {np.abs(question.effect).max():g} is larger than the disagreement {apart:g}.",
            f"power of {name}, argument disagreement",
            "give the share of items that exactly one of the two gets wrong; it is at least the difference.",
        )
    chance = 0.5 * (1.0 + question.effect / apart)  # that the first is the wrong one
    power = np.empty(question.n.shape)
    for share in np.unique(chance):
        here = chance == share
        power[here] = _powers(question.n[here], float(share), apart, method, question.alpha, question.alternative)
    return question.answer(power, unit="items", scale="difference of the two error rates", way="enumeration")


#: Numbers of disagreements whose rejected counts are found and kept together.
_BLOCK = 2_048
#: Disagreements farther from their mean than so many standard deviations, and so many more, have no chance to speak of.
_FAR, _MORE = 9.0, 40.0


def _powers(sizes: Array, chance: float, apart: float, method: str, alpha: float, alternative: str) -> Array:
    """Power for every number of items: what m disagreements do does not depend on how many items they are among."""
    middle, reach = sizes * apart, _FAR * np.sqrt(sizes * apart * max(1.0 - apart, 0.0)) + _MORE
    starts = np.maximum(np.floor(middle - reach), 0.0).astype(int)
    ends = np.minimum(np.ceil(middle + reach), sizes).astype(int) + 1
    first = int(starts.min())
    rejected = _rejected(first, int(ends.max()), chance, method, alpha, alternative)
    return np.array(
        [
            float(np.sum(_binomial(int(n), apart, start, end) * rejected[start - first : end - first]))
            for n, start, end in zip(sizes, starts, ends, strict=True)
        ]
    )


def _rejected(first: int, end: int, chance: float, method: str, alpha: float, alternative: str) -> Array:
    """P[the test rejects] given m disagreements, for m from ``first`` up to before ``end``."""
    m = np.arange(float(first), float(end))
    blocks = range(first // _BLOCK, (end - 1) // _BLOCK + 1)
    bounds = np.concatenate([_largest_rejected(block, method, alpha, alternative) for block in blocks])
    low = bounds[first - blocks[0] * _BLOCK :][: len(m)]
    return _chance_beyond(low, m, chance, alternative)


@lru_cache(maxsize=256)
def _largest_rejected(block: int, method: str, alpha: float, alternative: str) -> Array:
    """The largest count rejected as too small of m disagreements, for the numbers m of a block."""
    m = np.arange(float(block * _BLOCK), float((block + 1) * _BLOCK))
    tail = alpha / 2.0 if alternative == "two-sided" and method not in ("chi2", "chi2-corrected") else alpha
    side = alternative if method in ("chi2", "chi2-corrected") and alternative == "two-sided" else "less"

    def lower(wrong: Array, of: Array) -> Array:
        pvalue = METHODS[method](wrong, of - wrong, side)[1]
        return np.asarray(np.where(of == 0, 1.0, np.minimum(pvalue, 1.0)))

    low = largest_rejected(m, lower, tail)
    return np.asarray(np.minimum(low, np.ceil(m / 2.0) - 1.0))  # equal counts never reject


def _binomial(n: int, chance: float, start: int, end: int) -> Array:
    m = np.arange(float(start), float(end))
    log_choose = special.gammaln(n + 1.0) - special.gammaln(m + 1.0) - special.gammaln(n - m + 1.0)
    return np.asarray(np.exp(log_choose + special.xlogy(m, chance) + special.xlog1py(n - m, -min(chance, 1.0))))
