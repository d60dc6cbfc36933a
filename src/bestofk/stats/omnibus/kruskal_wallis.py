"""Kruskal–Wallis test."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import ROUNDING, Array
from bestofk.core.options import flag_of
from bestofk.stats.distributions import chi2_tail, ratio
from bestofk.stats.learners import Names, groups_of, separate_groups
from bestofk.stats.method import method
from bestofk.stats.ranks import average_ranks
from bestofk.stats.results import Numeric, Result

WHERE = "kruskal-wallis"


class KruskalWallisResult(Result):
    """Result of ``kruskal_wallis``: ``estimate`` holds the mean losses, ``mean_ranks`` the mean ranks."""

    mean_ranks: Numeric
    names: Names

    symbol: ClassVar[str] = "H"


def kruskal_wallis(*groups: Any, ties: bool = True) -> KruskalWallisResult:
    """Kruskal–Wallis test of groups that are given one by one, as in ``kruskal_wallis_losses``.

    Parameters
    ----------
    *groups : array_like, (..., nᵢ)
        One group of losses per learner.
    ties : bool
        False for the form without correction for ties.

    Examples
    --------
    >>> kruskal_wallis([.31, .30, .33], [.21, .22, .20], [.25, .24, .27])
    kruskal-wallis (two-sided): H = 7.2, df = 2, p = 0.02732: rejects at 0.05
    """
    return _test(None, separate_groups(groups, name="groups", where=WHERE), ties)


@method(
    "K-values",
    papers=("kruskal",),
    called="the Kruskal–Wallis test",
    assumes="independent groups of one distribution if the learners are equal",
    not_for="learners on the same folds or data sets (friedman)",
)
def kruskal_wallis_losses(losses: Any, *, ties: bool = True) -> KruskalWallisResult:
    r"""Kruskal–Wallis test: ANOVA on ranks of independent groups.

    .. math:: H = (N - 1) \frac{\sum_i n_i (\bar r_i - \bar r)^2}{\sum_i \sum_j (r_{ij} - \bar r)^2}

    is χ² with K − 1 degrees of freedom; this form corrects for ties. All values equal: H = 0, p = 1.

    Parameters
    ----------
    losses : array_like (..., K, L), ragged list, or dict of name → values
        One group of losses per learner.
    ties : bool
        False for the plain form, 12/(N(N+1)) Σ nᵢ(r̄ᵢ − r̄)².

    References
    ----------
    Kruskal and Wallis 1952.

    Examples
    --------
    >>> kruskal_wallis_losses({"lda": [.31, .30, .33], "tree": [.21, .22, .20], "knn": [.25, .24, .27]})
    kruskal-wallis (two-sided): H = 7.2, df = 2, p = 0.02732: rejects at 0.05
    """
    names, groups = groups_of(losses, where=WHERE)
    return _test(names, groups, ties)


def _test(names: Names, groups: list[Array], ties: bool) -> KruskalWallisResult:
    ties = flag_of(ties, name="ties", where=WHERE)
    sizes = np.array([group.shape[-1] for group in groups])
    batch = np.broadcast_shapes(*(group.shape[:-1] for group in groups))
    pooled = np.concatenate([np.broadcast_to(g, (*batch, g.shape[-1])) for g in groups], axis=-1)
    ranks = average_ranks(pooled, ROUNDING * np.abs(pooled).max(axis=-1, keepdims=True))
    n = pooled.shape[-1]
    centred = ranks - (n + 1) / 2.0
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    means = np.add.reduceat(centred, starts, axis=-1) / sizes
    total = np.square(centred).sum(axis=-1) if ties else np.full(batch, n * (n * n - 1.0) / 12.0)
    effect = (n - 1.0) * (sizes * np.square(means)).sum(axis=-1)
    equal = total == 0
    h = ratio(effect, total, no_effect=lambda: equal, no_spread=equal)
    df = len(groups) - 1.0
    return KruskalWallisResult(
        test=WHERE,
        statistic=h,
        pvalue=chi2_tail(h, df),
        df=(df,),
        estimate=np.stack(np.broadcast_arrays(*(group.mean(axis=-1) for group in groups)), axis=-1),
        alternative="two-sided",
        mean_ranks=means + (n + 1) / 2.0,
        names=names,
    )
