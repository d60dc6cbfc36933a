"""Power of Wilcoxon's test for so many data sets that W⁺ is as good as normal."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import special

from bestofk.core.arrays import Array
from bestofk.stats.distributions import normal_critical
from bestofk.stats.power.drawing import Model, chance_above, standardized

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
