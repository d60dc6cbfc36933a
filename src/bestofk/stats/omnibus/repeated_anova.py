"""Repeated-measures analysis of variance: all learners on the same folds, and how far they are from sphericity."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import ROUNDING, Array
from bestofk.stats.distributions import f_tail, ratio
from bestofk.stats.learners import Names, learner_table
from bestofk.stats.method import method
from bestofk.stats.results import Numeric, Result


class RepeatedAnovaResult(Result):
    """Result of ``repeated_anova``: corrected p values beside the plain one."""

    epsilon_greenhouse_geisser: Numeric
    epsilon_huynh_feldt: Numeric
    pvalue_greenhouse_geisser: Numeric
    pvalue_huynh_feldt: Numeric
    names: Names

    symbol: ClassVar[str] = "F"


@method(
    "K-values",
    papers=("fisher-anova", "greenhouse"),
    called="repeated-measures ANOVA",
    assumes="normal losses on independent folds; without epsilon, that differences of all pairs vary alike",
    not_for="a claim at alpha about overlapping training sets: of ten folds it rejects equal learners in up to 40"
    " % of cases",
)
def repeated_anova(losses: Any) -> RepeatedAnovaResult:
    r"""Repeated-measures ANOVA: K learners, the same L folds as blocks.

    .. math:: F = \frac{SS_\text{learner}/(K-1)}{SS_\text{learner × fold}/((K-1)(L-1))}

    The corrected p values multiply both degrees of freedom by epsilon, which is 1 when the differences of all
    pairs of learners vary alike. With two learners F is the square of the paired t.

    Parameters
    ----------
    losses : array_like (..., K, L), or dict of name → values
        One row of losses per learner, folds in the same order.

    References
    ----------
    Greenhouse and Geisser 1959. Huynh and Feldt 1976.

    Examples
    --------
    >>> repeated_anova([[.31, .30, .33], [.21, .22, .20], [.25, .24, .27]])
    repeated-anova (two-sided): F = 38.26, df = 2, 4, p = 0.002467: rejects at 0.05
    """
    names, table = learner_table(losses, where="repeated-anova", learners=-2)
    f, df = blocked_f(table)
    k, n = table.shape[-2:]
    greenhouse = greenhouse_geisser(table)
    huynh = huynh_feldt(greenhouse, k, n)
    return RepeatedAnovaResult(
        test="repeated-anova",
        statistic=f,
        pvalue=f_tail(f, *df),
        df=df,
        estimate=table.mean(axis=-1),
        alternative="two-sided",
        epsilon_greenhouse_geisser=greenhouse,
        epsilon_huynh_feldt=huynh,
        pvalue_greenhouse_geisser=f_tail(f, greenhouse * df[0], greenhouse * df[1]),
        pvalue_huynh_feldt=f_tail(f, huynh * df[0], huynh * df[1]),
        names=names,
    )


def blocked_f(table: Array) -> tuple[Array, tuple[float, float]]:
    """Return F and its degrees of freedom for learners (axis -2) against learner × block (axis -1)."""
    k, n = table.shape[-2:]
    grand = table.mean(axis=(-2, -1), keepdims=True)
    effect = table.mean(axis=-1, keepdims=True) - grand
    block = table.mean(axis=-2, keepdims=True) - grand
    residual = table - grand - effect - block
    # Residuals add up three means' rounding; a few units more than one difference has.
    rounding = 4.0 * ROUNDING * np.abs(table).max(axis=(-2, -1))
    no_effect = np.abs(effect).max(axis=(-2, -1)) <= rounding
    no_spread = np.abs(residual).max(axis=(-2, -1)) <= rounding
    between = np.where(no_effect, 0.0, n * np.square(effect).sum(axis=(-2, -1)) / (k - 1.0))
    error = np.square(residual).sum(axis=(-2, -1)) / ((k - 1.0) * (n - 1.0))
    f = ratio(between, error, no_effect=lambda: no_effect, no_spread=no_spread)
    return f, (k - 1.0, (k - 1.0) * (n - 1.0))


def greenhouse_geisser(table: Array) -> Array:
    """Return epsilon of a table (..., K, n): K learners measured on n folds or items; 1 under sphericity.

    Examples
    --------
    >>> float(greenhouse_geisser(np.array([[1.0, 2.0, 4.0], [2.0, 3.0, 3.0]])))
    1.0
    """
    k = table.shape[-2]
    centred = table - table.mean(axis=-1, keepdims=True)
    centred = centred - centred.mean(axis=-2, keepdims=True)  # contrasts between learners only
    reach = np.abs(centred).max(axis=(-2, -1), keepdims=True)  # fourth powers follow: bring them near 1
    centred = centred / np.where(reach > 0, reach, 1.0)
    covariance = centred @ np.swapaxes(centred, -1, -2)
    trace = np.trace(covariance, axis1=-2, axis2=-1)
    squares = np.square(covariance).sum(axis=(-2, -1))
    flat = squares <= 0
    return np.where(flat, 1.0, np.clip(np.square(trace) / ((k - 1) * np.where(flat, 1.0, squares)), 1 / (k - 1), 1.0))


def huynh_feldt(epsilon: Array, k: int, n: int) -> Array:
    """Return Huynh and Feldt's epsilon, at most 1, from Greenhouse and Geisser's."""
    below = (k - 1) * (n - 1 - (k - 1) * epsilon)
    value = (n * (k - 1) * epsilon - 2.0) / np.where(below > 0, below, 1.0)
    return np.where(below > 0, np.clip(value, epsilon, 1.0), 1.0)  # too few folds for the formula: no correction left
