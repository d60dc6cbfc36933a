"""Power of Hotelling's T² test."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.options import count_of
from bestofk.stats.power.noncentral import f_power
from bestofk.stats.power.outcome import Power
from bestofk.stats.power.question import asked, two_sided_only

SCALE = "Mahalanobis length of the mean difference of the measures"


def hotelling(effect: Any, n: Any, *, measures: int, alpha: float = 0.05, alternative: str = "two-sided") -> Power:
    r"""Power of the paired Hotelling test: F(p, n − p) with :math:`\lambda = n\,\delta^\top\Sigma^{-1}\delta`.

    Parameters
    ----------
    effect : array_like
        Mahalanobis length of the mean difference, √(δᵀΣ⁻¹δ); for one measure |d|.
    n : array_like of whole numbers
        Folds, more than there are measures.
    measures : int
        p.
    alpha : float

    Examples
    --------
    >>> hotelling(1.0, 15, measures=2)
    hotelling (two-sided, alpha 0.05): 15 folds, effect 1: power 0.8768 by formula
    """
    p = count_of(measures, name="measures", where="power of hotelling")
    question = asked(
        "hotelling", effect, n, alpha, two_sided_only(alternative, "hotelling"), at_least=p + 1, signed=False
    )
    power = f_power(question.n * np.square(question.effect), float(p), question.n - p, question.alpha)
    return question.answer(power, unit="folds", scale=SCALE, way="formula")
