"""Power of the 5×2 cross-validated t test."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from scipy import special

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.stats.distributions import t_upper
from bestofk.stats.power.outcome import Power
from bestofk.stats.power.question import asked

SCALE = "mean difference over the standard deviation of the differences between folds"
_NODES = 120


def five_by_two_t(effect: Any, n: Any = 5, *, alpha: float = 0.05, alternative: str = "two-sided") -> Power:
    r"""Power of the 5×2 cv t test for independent normal differences.

    The numerator, the first fold's difference, is also part of the denominator's first term, so t is not a noncentral
    t. With u the difference and v the sum of the first two folds (both over √2), and W a χ² of four degrees for the
    other replications,

    .. math:: t = \frac{(u + v)/\sqrt 2}{\sqrt{(u^2 + W)/5}}

    where u, W and v ~ N(√2·d, 1) are independent: the chance given u and W is a normal one, and its mean over u and W
    is found by Gauss's quadrature. (Were the ten differences independent, the size would be 0.028 at 0.05: the first
    fold makes its own denominator larger. Folds of real data are not, and there it is near alpha.)

    Parameters
    ----------
    effect : array_like
        d: mean difference over the standard deviation of the ten differences.
    n : 5
        Replications; the design has no other number.
    alpha : float
    alternative : {"two-sided", "greater", "less"}

    Examples
    --------
    >>> round(five_by_two_t(0.0).power, 3), round(five_by_two_t(2.0).power, 3)
    (0.028, 0.388)
    """
    question = asked("5x2cv-t", effect, n, alpha, alternative)
    if (question.n != 5).any():
        raise InputError(
            f"n is {question.n[question.n != 5].flat[0]:g}, and the 5x2 cv t test has 5 replications of 2 folds.",
            "power of 5x2cv-t, argument n",
            "plan more replications with corrected-t, or more data sets with paired-t or wilcoxon.",
        )
    power = _above(question.effect, question.alpha, question.alternative)
    return question.answer(power, unit="replications of 2 folds", scale=SCALE, way="formula")


def _above(effect: Array, alpha: float, alternative: str) -> Array:
    u, spread, weight = _inside()
    tail = alpha / 2.0 if alternative == "two-sided" else alpha
    bound = np.sqrt(2.0) * float(t_upper(tail, 5.0)) * spread
    centre = np.sqrt(2.0) * effect[..., None, None]
    greater = special.ndtr(centre + u - bound)
    less = special.ndtr(-centre - u - bound)
    chance = greater + less if alternative == "two-sided" else greater if alternative == "greater" else less
    return np.asarray(np.einsum("...uw,uw->...", chance, weight))


@lru_cache(maxsize=1)
def _inside() -> tuple[Array, Array, Array]:
    """Nodes of u, the root of (u² + W)/5, and weights: normal for u, gamma for √W (an even power, so smooth)."""
    u, by_u = special.roots_hermitenorm(_NODES)
    half, by_w = special.roots_genlaguerre(_NODES, 1.0)  # W/2 has the density w·exp(−w)
    weight = (by_u / by_u.sum())[:, None] * (by_w / by_w.sum())[None, :]
    return u[:, None], np.sqrt((u[:, None] ** 2 + 2.0 * half) / 5.0), weight
