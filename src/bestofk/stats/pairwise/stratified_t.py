"""One t test from several: the mean difference over data sets (or tasks) that are taken as they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import without_rounding
from bestofk.core.errors import InputError
from bestofk.core.options import alternative_of
from bestofk.stats.distributions import ratio, t_tail
from bestofk.stats.method import cites
from bestofk.stats.pairwise.student import StudentResult


@cites(
    "satterthwaite",
    called="the stratified t test",
    assumes="data sets that are independent of each other, and in each what its own test assumes",
    not_for="claims about other data sets like these (wilcoxon)",
)
def stratified_t(strata: StudentResult, *, divisor_df: Any = None, alternative: str = "two-sided") -> StudentResult:
    r"""Combine a batch of t tests, one per data set along the last axis, into a test of their mean difference.

    .. math:: t = \frac1D \sum_d m_d \Bigl/ \frac1D \sqrt{\sum_d e_d^2}, \qquad{}
              \mathit{df} = \frac{(\sum_d e_d^2)^2}{\sum_d e_d^4 / \mathit{df}_d}

    with the difference m, the standard error e and the degrees of freedom of every data set (Satterthwaite). Data sets
    are fixed: the claim is about these, and how much learners differ from one to the next is no error. Where losses of
    a data set are in units of a spread estimated with f degrees of freedom, m has the variance m²/(2f) from that, too.

    Parameters
    ----------
    strata : StudentResult, (..., D)
        What ``corrected_t`` (folds), ``welch_t`` or ``paired_t`` (runs) found on each of D data sets.
    divisor_df : array_like, (..., D), optional
        f of every data set, infinite where the unit is known; it is known everywhere, if not given.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first loses more.

    References
    ----------
    Satterthwaite 1946, *An approximate distribution of estimates of variance components*.

    Examples
    --------
    >>> from bestofk.stats.pairwise import welch_t
    >>> first, second = [[.2, .3, .25], [.5, .6, .55]], [[.1, .2, .15], [.4, .5, .48]]
    >>> stratified_t(welch_t(first, second))
    stratified-t (two-sided): t = 3.243, df = 7.98, p = 0.01187: rejects at 0.05
    """
    where = "stratified-t"
    alternative = alternative_of(alternative, where=where)
    if np.ndim(strata.estimate) == 0:
        raise InputError("there is one test.", f"{where}, argument strata", "give a batch, one test per data set.")
    estimate, variance = np.asarray(strata.estimate), np.square(np.asarray(strata.standard_error))
    # A data set without spread has no effect either where its own test says so: what is left is rounding.
    estimate = np.where((variance == 0.0) & (np.asarray(strata.statistic) == 0.0), 0.0, estimate)
    number = estimate.shape[-1]
    freedom = np.broadcast_to(np.asarray(strata.df[0], dtype=float), variance.shape)
    units = np.inf if divisor_df is None else np.asarray(divisor_df, dtype=float)
    divided = np.square(estimate) / (2.0 * units)
    mean, total = estimate.mean(axis=-1), (variance + divided).sum(axis=-1)
    mean = without_rounding(mean, np.abs(estimate).max(axis=-1))
    constant = total == 0.0
    error = np.sqrt(total) / number
    spread = np.where(constant, 1.0, (np.square(variance) / freedom + np.square(divided) / units).sum(axis=-1))
    df = np.where(constant, freedom.sum(axis=-1), total * total / spread)
    rarest = np.where(estimate == 0.0, 1.0, strata.rarest).prod(axis=-1)
    t = ratio(mean, error, no_effect=lambda: mean == 0.0, no_spread=constant)
    return StudentResult(
        test=where,
        statistic=t,
        pvalue=t_tail(t, df, alternative),
        df=(df,),
        estimate=mean,
        alternative=alternative,
        standard_error=error,
        rarest=rarest,
    )
