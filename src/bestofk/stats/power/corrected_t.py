"""Power of the corrected resampled t test."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.options import count_of, level_inside
from bestofk.stats.power.noncentral import t_power
from bestofk.stats.power.outcome import Power
from bestofk.stats.power.question import asked

SCALE = "mean difference over the standard deviation of the differences between folds"


def corrected_t(
    effect: Any,
    n: Any,
    *,
    folds: int = 10,
    test_fraction: float | None = None,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> Power:
    r"""Power of the corrected t test: t is noncentral with :math:`d \big/ \sqrt{1/L + n_2/n_1}`, L − 1 degrees.

    Under Nadeau and Bengio's model all differences have one correlation ρ = n₂/(n₁ + n₂). Then their mean and their
    spread are independent and this is exact, for normal differences. More replications help up to a limit only, since
    the data stay the same: the noncentrality never passes :math:`d\sqrt{n_1/n_2}`.

    Parameters
    ----------
    effect : array_like
        d: mean difference over the standard deviation S of the differences, as the test computes it.
    n : array_like of whole numbers
        Replications of ``folds`` folds; with ``test_fraction`` the number of random splits.
    folds : int
    test_fraction : float, optional
        Share of test data of random splits.
    alpha : float
    alternative : {"two-sided", "greater", "less"}

    Examples
    --------
    >>> corrected_t(0.8, [1, 10, 100]).power.round(3).tolist()
    [0.344, 0.624, 0.665]
    """
    where = "power of corrected-t"
    if test_fraction is None:
        folds = count_of(folds, name="folds", where=where, at_least=2)
        question = asked("corrected-t", effect, n, alpha, alternative, at_least=1 if folds > 2 else 2)
        values, ratio, unit = folds * question.n, 1.0 / (folds - 1.0), f"replications of {folds} folds"
    else:
        share = level_inside(test_fraction, name="test_fraction", where=where)
        question = asked("corrected-t", effect, n, alpha, alternative)
        values, ratio, unit = question.n, share / (1.0 - share), "random splits"
    centre = question.effect / np.sqrt(1.0 / values + ratio)
    power = t_power(centre, values - 1.0, question.alpha, question.alternative)
    return question.answer(power, unit=unit, scale=SCALE, way="formula")
