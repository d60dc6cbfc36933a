"""Power of Wilcoxon's signed-rank test."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from scipy import special

from bestofk.core.arrays import Array, Flags
from bestofk.core.rng import Seed
from bestofk.stats.distributions import normal_critical
from bestofk.stats.pairwise.signed_rank_null import signed_rank_tails
from bestofk.stats.pairwise.wilcoxon import EXACT_UP_TO
from bestofk.stats.power.outcome import Power
from bestofk.stats.power.paired_t import SCALE
from bestofk.stats.power.question import asked
from bestofk.stats.power.simulation import Model, chance_above, simulated, standardized


def wilcoxon(
    effect: Any,
    n: Any,
    *,
    model: Model = "normal",
    alpha: float = 0.05,
    alternative: str = "two-sided",
    runs: int = 10_000,
    simulate_up_to: int = EXACT_UP_TO,
    rng: Seed = 0,
) -> Power:
    """Power of Wilcoxon's test by simulation: no formula is exact for few data sets. For many the normal one is used.

    Parameters
    ----------
    effect : array_like
        d = δ/σ; positive where the first loses more.
    n : array_like of whole numbers
        Data sets.
    model : {"normal", "laplace", "uniform"} or array_like
        Where differences come from: a distribution, or differences of a pilot experiment, which are drawn again, with
        their mean moved to d.
    alpha : float
    alternative : {"two-sided", "greater", "less"}
    runs : int
        Simulated experiments; the standard error is at most ½/√runs.
    simulate_up_to : int
        Data sets beyond which W⁺ is taken for normal.
    rng : int, Generator or None
        Seed; the same seed gives the same power.

    Examples
    --------
    >>> bool(abs(wilcoxon(0.5, 34, runs=4000).power - 0.79) < 0.03)
    True
    """
    question = asked("wilcoxon", effect, n, alpha, alternative)

    def rejects(differences: Array) -> Any:
        return _rejected(differences, question.alpha, question.alternative)

    far = question.n > simulate_up_to
    power, error = np.zeros(far.shape), np.zeros(far.shape)
    if not far.all():
        near = replace(question, effect=question.effect[~far], n=question.n[~far])
        power[~far], error[~far] = simulated(near, rejects, model=model, runs=runs, rng=rng, per_value=4)
    settings: Any = {"model": model, "alpha": question.alpha, "alternative": question.alternative}
    power[far] = normal_rank_power(question.effect[far], question.n[far], where="power of wilcoxon", **settings)
    way = "normal approximation" if far.all() else "simulation"
    return question.answer(power, unit="data sets", scale=SCALE, way=way, error=error)


def _rejected(differences: Array, alpha: float, alternative: str) -> Flags:
    """Which experiments Wilcoxon's test rejects; no two differences are equal in size, so W⁺ tells all."""
    n = differences.shape[-1]
    order = np.argsort(np.abs(differences), axis=-1)
    positive = np.take_along_axis(differences > 0, order, axis=-1) @ np.arange(1.0, n + 1.0)
    bound = _critical(n, alpha / 2.0 if alternative == "two-sided" else alpha)
    greater, less = positive >= n * (n + 1) / 2.0 - bound, positive <= bound
    return np.asarray(greater | less if alternative == "two-sided" else greater if alternative == "greater" else less)


@lru_cache(maxsize=256)
def _critical(n: int, level: float) -> float:
    """The largest W⁺ whose lower tail is at most ``level``, below 0 where there is none."""
    total = n * (n + 1) / 2.0
    if n > EXACT_UP_TO:
        return float(total / 2.0 - normal_critical(level) * np.sqrt(total * (2 * n + 1) / 12.0))
    ranks = np.arange(1.0, n + 1.0)
    low, high = -1, int(total // 2)
    while low < high:
        middle = (low + high + 1) // 2
        reached = float(signed_rank_tails(ranks, np.array(float(middle)))[1]) <= level
        low, high = (middle, high) if reached else (low, middle - 1)
    return float(low)


# So many data sets that W⁺ is as good as normal.


#: Points of a distribution over which chances are averaged.
_POINTS = 2_001


def normal_rank_power(
    effects: Array, sizes: Array, *, model: Model, alpha: float, alternative: str, where: str
) -> Array:
    """P[Wilcoxon's test rejects], with the mean and the variance that W⁺ has under the effect.

    They follow from the chances that one value, the sum of two, and two sums that share a value are positive (Lehmann
    and D'Abrera 1975, appendix, section 5).
    """
    return np.array(
        [
            _power(float(effect), float(n), model, alpha, alternative, where)
            for effect, n in zip(effects.flat, sizes.flat, strict=True)
        ]
    ).reshape(effects.shape)


def _power(effect: float, n: float, model: Model, alpha: float, alternative: str, where: str) -> float:
    one, two, three = _chances(effect, model, where)
    mean = n * one + 0.5 * n * (n - 1.0) * two
    pairs = 0.5 * n * (n - 1.0) * (2.0 * (one - two) ** 2 + 3.0 * two * (1.0 - two))
    variance = n * (n - 1.0) * (n - 2.0) * (three - two**2) + pairs + n * one * (1.0 - one)
    total = 0.5 * n * (n + 1.0)
    level = alpha / 2.0 if alternative == "two-sided" else alpha
    reach = normal_critical(level) * np.sqrt(total * (2.0 * n + 1.0) / 12.0)
    spread = np.sqrt(max(variance, 1e-300))
    above = special.ndtr((mean - 0.5 * total - reach) / spread)
    below = special.ndtr((0.5 * total - reach - mean) / spread)
    found: Any = above + below if alternative == "two-sided" else above if alternative == "greater" else below
    return float(found)


def _chances(effect: float, model: Model, where: str) -> tuple[float, float, float]:
    """P[X > 0], P[X + Y > 0], P[X + Y > 0 and X + Z > 0] of independent differences with this mean."""
    known = standardized(model, where=where)
    x = known if not isinstance(known, str) else _quantiles(known)
    share = chance_above(x + 2.0 * effect, model, where=where)
    one = float(chance_above(np.array(effect), model, where=where))
    return one, float(share.mean()), float(np.square(share).mean())


def _quantiles(model: str) -> Array:
    p = (np.arange(_POINTS) + 0.5) / _POINTS
    if model == "normal":
        return np.asarray(special.ndtri(p))
    if model == "uniform":
        return np.asarray(np.sqrt(3.0) * (2.0 * p - 1.0))
    return np.asarray(-np.sqrt(0.5) * np.sign(p - 0.5) * np.log1p(-2.0 * np.abs(p - 0.5)))
