"""Friedman's test with the form of Iman and Davenport."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import ROUNDING, Array
from bestofk.core.options import flag_of
from bestofk.stats.distributions import chi2_tail, f_tail, ratio
from bestofk.stats.learners import Names, learner_table
from bestofk.stats.method import method
from bestofk.stats.ranks import average_ranks
from bestofk.stats.results import Numeric, Result


class FriedmanResult(Result):
    """Result of ``friedman``: χ² in ``statistic``, Iman and Davenport's less conservative F beside it."""

    mean_ranks: Numeric
    f_statistic: Numeric
    f_pvalue: Numeric
    f_df: tuple[float, float]
    names: Names

    symbol: ClassVar[str] = "chi2"


@method(
    "values-K",
    papers=("friedman", "demsar"),
    called="Friedman's test",
    assumes="independent data sets, on each of which every ranking is as likely if the learners are equal",
    not_for="folds, of which it rejects equal learners in up to 38 % of cases, or missing results (skillings-mack)",
)
def friedman(losses: Any, *, ties: bool = True) -> FriedmanResult:
    r"""Friedman's test: do K learners have the same mean rank over N data sets?

    .. math:: \chi^2 = (K-1)\frac{\sum_j (R_j - N\frac{K+1}{2})^2}{\sum_{ij} r_{ij}^2 - N\frac{K(K+1)^2}{4}}, \qquad{}
              F = \frac{(N-1)\chi^2}{N(K-1) - \chi^2}

    with K − 1 degrees of freedom, and F with K − 1 and (K − 1)(N − 1); rank 1 is the smallest loss.

    Parameters
    ----------
    losses : array_like (..., N, K), or dict of name → losses on the N data sets
        One row per data set, one column per learner.
    ties : bool
        False for the plain form without tie correction, 12/(NK(K+1)) Σ R² − 3N(K+1).

    References
    ----------
    Friedman 1937. Iman and Davenport 1980. Demšar 2006, section 3.2.2.

    Examples
    --------
    >>> friedman([[.1, .2, .3], [.2, .3, .4], [.1, .3, .2], [.2, .4, .5]])
    friedman (two-sided): chi2 = 6.5, df = 2, p = 0.03877: rejects at 0.05
    """
    ties = flag_of(ties, name="ties", where="friedman")
    names, table = learner_table(losses, where="friedman", learners=-1)
    n, k = table.shape[-2:]
    ranks = row_ranks(table)
    sums = ranks.sum(axis=-2) - n * (k + 1) / 2.0
    untied = n * k * (k * k - 1.0) / 12.0
    spread = np.square(ranks - (k + 1) / 2.0).sum(axis=(-2, -1)) if ties else np.full(table.shape[:-2], untied)
    effect = (k - 1.0) * np.square(sums).sum(axis=-1)
    equal = spread == 0
    chi2 = ratio(effect, spread, no_effect=lambda: equal, no_spread=equal)
    left = n * (k - 1.0) - chi2
    agree = left <= 1e-9 * n * (k - 1.0)  # all data sets rank alike
    f = ratio((n - 1.0) * chi2, left, no_effect=lambda: equal, no_spread=agree)
    f_df = (k - 1.0, (k - 1.0) * (n - 1.0))
    return FriedmanResult(
        test="friedman",
        statistic=chi2,
        pvalue=chi2_tail(chi2, k - 1.0),
        df=(k - 1.0,),
        estimate=table.mean(axis=-2),
        alternative="two-sided",
        mean_ranks=ranks.mean(axis=-2),
        f_statistic=f,
        f_pvalue=f_tail(f, *f_df),
        f_df=f_df,
        names=names,
    )


def row_ranks(table: Array) -> Array:
    """Rank the learners (last axis) on every data set, ties averaged."""
    return average_ranks(table, ROUNDING * np.abs(table).max(axis=-1, keepdims=True))
