"""Tests of K classifiers on the items of one test set, right or wrong each: Looney's, and Cochran's Q."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import Array, zero_one
from bestofk.core.options import one_of
from bestofk.stats.distributions import chi2_tail, f_tail, ratio
from bestofk.stats.learners import Names, learner_table
from bestofk.stats.method import method
from bestofk.stats.omnibus.repeated_anova import blocked_f, greenhouse_geisser, huynh_feldt
from bestofk.stats.results import Numeric, Result

EPSILONS = ("greenhouse-geisser", "huynh-feldt", "lower-bound")


class LooneyResult(Result):
    """Result of ``looney``: ``estimate`` holds the error rates, ``epsilon`` what both df were multiplied by."""

    epsilon: Numeric
    names: Names

    symbol: ClassVar[str] = "F"


@method(
    "items-K",
    papers=("looney",),
    called="Looney's test",
    assumes="independent items; without epsilon, that differences of all pairs of classifiers vary alike",
    not_for="claims about learners trained anew, or near copies without epsilon, of which it rejects equal ones "
    "in 10 % of cases",
)
def looney(correct: Any, *, epsilon: str | None = None) -> LooneyResult:
    r"""Looney's test: are K classifiers right equally often on the same N items?

    .. math:: F = \frac{SSA/(K-1)}{SSAB/((K-1)(N-1))}

    with (K − 1) and (K − 1)(N − 1) degrees of freedom, A the classifiers and AB their interaction with the
    items. F = (N − 1)Q/(N(K − 1) − Q) with Cochran's Q.

    Parameters
    ----------
    correct : array_like of 0/1, (..., N, K), or dict of name → outcomes
        1 where the classifier (column) is right on the item (row).
    epsilon : {None, "greenhouse-geisser", "huynh-feldt", "lower-bound"}
        Looney's F⁺: multiply both degrees of freedom by this estimate.

    References
    ----------
    Looney 1988. Yıldız and Alpaydın 2006, eqs. 14 to 16.

    Examples
    --------
    >>> looney([[1, 1, 0], [1, 0, 0], [1, 1, 1], [0, 1, 0], [1, 1, 0]])
    looney (two-sided): F = 3.273, df = 2, 8, p = 0.09151: does not reject at 0.05
    """
    where = "looney"
    if epsilon is not None:
        one_of(epsilon, EPSILONS, name="epsilon", where=where)
    names, table = outcomes(correct, where)
    items, k = table.shape[-2:]
    by_learner = np.swapaxes(table, -1, -2)
    f, (df1, df2) = blocked_f(by_learner)
    factor = _epsilon(by_learner, epsilon, k, items)
    return LooneyResult(
        test=where,
        statistic=f,
        pvalue=f_tail(f, factor * df1, factor * df2),
        df=(factor * df1, factor * df2),
        estimate=1.0 - table.mean(axis=-2),
        alternative="two-sided",
        epsilon=factor,
        names=names,
    )


def outcomes(correct: Any, where: str) -> tuple[Names, Array]:
    """Take 0/1 outcomes of at least two classifiers on at least two items."""
    names, table = learner_table(correct, where=where, learners=-1, name="correct")
    return names, zero_one(table, name="correct", where=where)


def _epsilon(by_learner: Array, epsilon: str | None, k: int, items: int) -> Numeric:
    if epsilon is None:
        return 1.0
    if epsilon == "lower-bound":
        return 1.0 / (k - 1.0)
    estimate = greenhouse_geisser(by_learner)
    return estimate if epsilon == "greenhouse-geisser" else huynh_feldt(estimate, k, items)


class CochranResult(Result):
    """Result of ``cochran_q``: ``estimate`` holds the error rates."""

    names: Names

    symbol: ClassVar[str] = "Q"


@method(
    "items-K",
    papers=("cochran",),
    called="Cochran's Q test",
    assumes="independent items, and that differences of all pairs of classifiers vary alike",
    not_for="claims about learners trained anew, or near copies, of which it rejects equal ones in 10 % of cases "
    "(looney with epsilon)",
)
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
