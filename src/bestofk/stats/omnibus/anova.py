"""One-way analysis of variance."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import ROUNDING, Array, Flags
from bestofk.stats.distributions import f_tail, ratio
from bestofk.stats.learners import Names, groups_of
from bestofk.stats.method import method
from bestofk.stats.results import Numeric, Result


class AnovaResult(Result):
    """Result of ``anova``: ``estimate`` holds the learners' means, in the order given (``names``)."""

    mean_square_between: Numeric
    mean_square_error: Numeric
    names: Names

    symbol: ClassVar[str] = "F"


@method(
    "K-values",
    papers=("fisher-anova", "yildiz"),
    called="one-way ANOVA",
    assumes="independent normal groups with the same spread",
    not_for="learners on the same folds (repeated-anova), or the question which of them differ",
)
def anova(losses: Any) -> AnovaResult:
    r"""One-way ANOVA: do K learners have the same expected loss?

    .. math:: F = \frac{MST}{MSE}, \qquad MST = \frac{\sum_i L_i (m_i - m)^2}{K - 1}, \qquad{}
              MSE = \frac{\sum_i \sum_j (Y_{ij} - m_i)^2}{\sum_i L_i - K}

    with K − 1 and Σ Lᵢ − K degrees of freedom. Takes folds as independent groups, although all learners were
    tested on the same ones; ``repeated_anova`` uses that.

    Parameters
    ----------
    losses : array_like (..., K, L), ragged list, or dict of name → values
        One row of losses per learner.

    References
    ----------
    Yıldız and Alpaydın 2006, eqs. 8 to 11. Eq. 6 of Yıldız, Aslan and Alpaydın 2011 mixes means and totals.

    Examples
    --------
    >>> anova([[.31, .30, .33], [.21, .22, .20], [.25, .24, .27]])
    anova (two-sided): F = 42.76, df = 2, 6, p = 0.0002817: rejects at 0.05
    """
    names, groups = groups_of(losses, where="anova")
    means, mean_between, mean_error, df, no_effect, no_spread = variance_table(groups)
    f = ratio(mean_between, mean_error, no_effect=lambda: no_effect, no_spread=no_spread)
    return AnovaResult(
        test="anova",
        statistic=f,
        pvalue=f_tail(f, *df),
        df=df,
        estimate=means,
        alternative="two-sided",
        mean_square_between=mean_between,
        mean_square_error=mean_error,
        names=names,
    )


def variance_table(groups: list[Array]) -> tuple[Array, Array, Array, tuple[float, float], Flags, Flags]:
    """Return means, MST, MSE, df, and whether the groups' means, and the values inside them, are all equal."""
    sizes = np.array([group.shape[-1] for group in groups], dtype=float)
    means = np.stack(np.broadcast_arrays(*(group.mean(axis=-1) for group in groups)), axis=-1)
    scale = np.stack(np.broadcast_arrays(*(np.abs(group).max(axis=-1) for group in groups)), axis=-1).max(axis=-1)
    rounding = ROUNDING * scale
    deviations = [group - group.mean(axis=-1, keepdims=True) for group in groups]
    widest = np.stack(np.broadcast_arrays(*(np.abs(d).max(axis=-1) for d in deviations)), axis=-1).max(axis=-1)
    within = np.stack(np.broadcast_arrays(*(np.square(d).sum(axis=-1) for d in deviations)), axis=-1).sum(axis=-1)
    grand = (means * sizes).sum(axis=-1, keepdims=True) / sizes.sum()
    df = (len(groups) - 1.0, float(sizes.sum()) - len(groups))
    between = (sizes * np.square(means - grand)).sum(axis=-1) / df[0]
    no_spread: Flags = np.asarray(widest <= rounding)
    no_effect: Flags = np.asarray(np.abs(means - grand).max(axis=-1) <= rounding)
    error = np.where(no_spread, 0.0, within / df[1])
    return means, np.where(no_effect, 0.0, between), error, df, no_effect, no_spread
