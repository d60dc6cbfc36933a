"""Power of the one-way analysis of variance."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.options import count_of
from bestofk.stats.power.noncentral import f_power
from bestofk.stats.power.outcome import Power
from bestofk.stats.power.question import asked, two_sided_only

SCALE = "standard deviation of the learners' means over that of the values"


def anova(
    effect: Any, n: Any, *, learners: int, blocks: bool = False, alpha: float = 0.05, alternative: str = "two-sided"
) -> Power:
    r"""Power of ANOVA: F is noncentral with :math:`\lambda = f^2 K n`.

    Parameters
    ----------
    effect : array_like
        Cohen's f: the standard deviation of the K expected losses (divisor K) over that of the values; with ``blocks``
        over what is left of it when folds have been taken out.
    n : array_like of whole numbers
        Folds per learner.
    learners : int
        K.
    blocks : bool
        The same folds for all learners (``repeated_anova``, under sphericity): error has (K − 1)(n − 1) degrees.
    alpha : float

    Examples
    --------
    >>> anova(0.4, 25, learners=3)
    anova (two-sided, alpha 0.05): 25 folds per learner, effect 0.4: power 0.8689 by formula
    """
    name = "repeated-anova" if blocks else "anova"
    k = count_of(learners, name="learners", where=f"power of {name}", at_least=2)
    question = asked(name, effect, n, alpha, two_sided_only(alternative, name), signed=False)
    spread = np.square(question.effect) * k * question.n
    error = (k - 1.0) * (question.n - 1.0) if blocks else k * (question.n - 1.0)
    power = f_power(spread, k - 1.0, error, question.alpha)
    return question.answer(power, unit="folds per learner", scale=SCALE, way="formula")
