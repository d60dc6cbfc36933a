"""Cohen's d of paired losses."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.stats.effects.effect import Effect
from bestofk.stats.pair import paired
from bestofk.stats.pairwise.student import spread
from bestofk.stats.ratio import ratio


def cohens_d(first: Any, second: Any) -> Effect:
    r"""Cohen's d for pairs: the mean difference in standard deviations of the differences (d_z).

    .. math:: d_z = m / S, \qquad S^2 = \sum_i (p_i - m)^2 / (L - 1)

    Positive: the first loses more. The paired t is √L·d_z. Equal on every fold: 0; a constant difference: ±∞.

    Parameters
    ----------
    first, second : array_like, (..., L)
        Losses of the two learners on the same folds or data sets.

    References
    ----------
    Cohen, *Statistical Power Analysis for the Behavioral Sciences*, 1988, section 2.3.5. Lakens 2013 for the name d_z.

    Examples
    --------
    >>> cohens_d([.30, .32, .31, .35], [.28, .29, .31, .30])
    cohens-d = 1.201 (the first loses more)
    """
    pair = paired(first, second, where="cohens-d")
    mean, variance, constant = spread(pair.difference, pair)
    value = ratio(mean, np.sqrt(variance), no_effect=lambda: pair.is_zero_per_test(mean), no_spread=constant)
    return Effect(name="cohens-d", value=value, neutral=0.0)
