"""Power of the paired t test."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.stats.power.noncentral import t_power
from bestofk.stats.power.outcome import Power
from bestofk.stats.power.question import asked

#: What effects of tests of paired differences are measured in.
SCALE = "mean difference over the standard deviation of the differences"


def paired_t(effect: Any, n: Any, *, alpha: float = 0.05, alternative: str = "two-sided") -> Power:
    r"""Power of the paired t test: t is noncentral with :math:`d\sqrt n`, n − 1 degrees of freedom.

    Parameters
    ----------
    effect : array_like
        d = δ/σ: mean difference over the standard deviation of the differences; positive where the first loses more.
    n : array_like of whole numbers
        Data sets (or other independent pairs).
    alpha : float
    alternative : {"two-sided", "greater", "less"}

    Examples
    --------
    >>> paired_t(0.5, 34)
    paired-t (two-sided, alpha 0.05): 34 data sets, effect 0.5: power 0.8078 by formula
    """
    question = asked("paired-t", effect, n, alpha, alternative)
    power = t_power(question.effect * np.sqrt(question.n), question.n - 1.0, question.alpha, question.alternative)
    return question.answer(power, unit="data sets", scale=SCALE, way="formula")
