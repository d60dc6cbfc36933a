"""Cochran's Q test."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from bestofk.stats.distributions import chi2_tail
from bestofk.stats.learners import Names
from bestofk.stats.method import method
from bestofk.stats.omnibus.looney import outcomes
from bestofk.stats.ratio import ratio
from bestofk.stats.results import Result


class CochranResult(Result):
    """Result of ``cochran_q``: ``estimate`` holds the error rates."""

    names: Names

    symbol: ClassVar[str] = "Q"


@method("items-K", papers=("cochran",))
def cochran_q(correct: Any) -> CochranResult:
    r"""Cochran's Q: are K classifiers right equally often on the same N items?

    .. math:: Q = (K-1) \frac{K \sum_j C_j^2 - T^2}{K T - \sum_i R_i^2}

    is χ² with K − 1 degrees of freedom; C are column totals, R row totals. With two classifiers it is
    McNemar's uncorrected χ².

    Parameters
    ----------
    correct : array_like of 0/1, (..., N, K), or dict of name → outcomes
        1 where the classifier (column) is right on the item (row).

    References
    ----------
    Cochran 1950.

    Examples
    --------
    >>> cochran_q([[1, 1, 0], [1, 0, 0], [1, 1, 1], [0, 1, 0], [1, 1, 0]])
    cochran-q (two-sided): Q = 4.5, df = 2, p = 0.1054: does not reject at 0.05
    """
    names, table = outcomes(correct, "cochran-q")
    k = table.shape[-1]
    columns, rows = table.sum(axis=-2), table.sum(axis=-1)
    total = rows.sum(axis=-1)
    effect = (k - 1.0) * (k * np.square(columns).sum(axis=-1) - np.square(total))
    spread = k * total - np.square(rows).sum(axis=-1)
    agree = spread == 0  # whole numbers: exact
    q = ratio(effect, spread, no_effect=lambda: agree, no_spread=agree)
    return CochranResult(
        test="cochran-q",
        statistic=q,
        pvalue=chi2_tail(q, k - 1.0),
        df=(k - 1.0,),
        estimate=1.0 - table.mean(axis=-2),
        alternative="two-sided",
        names=names,
    )
