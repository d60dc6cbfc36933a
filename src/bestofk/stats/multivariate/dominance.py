"""One-sided dominance in several measures: no worse in any, better in at least one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError
from bestofk.stats.distributions import ratio, t_tail
from bestofk.stats.method import cites
from bestofk.stats.overlap import inflation, overlap_ratio
from bestofk.stats.pair import Pair, paired
from bestofk.stats.results import Numeric, Result


class DominanceResult(Result):
    """Result of ``dominance``: small p says that the first dominates the second.

    ``statistic`` is the t of the measure that speaks least for it. ``no_worse`` and ``better`` are one-sided p values
    per measure (last axis): that the first is not worse by ``margins`` or more, and that it is better.
    """

    no_worse: Numeric
    better: Numeric
    margins: Numeric

    symbol: ClassVar[str] = "t"


@cites(
    "berger",
    called="the intersection–union test of every measure",
    assumes="normal differences of every measure, independent but for the overlap that test_fraction allows for",
    not_for="learners that may be equal in a measure, unless it has a margin",
)
def dominance(
    first: Any,
    second: Any,
    *,
    margins: Any = 0.0,
    larger_is_better: Sequence[bool] | bool = False,
    test_fraction: float | None = None,
    n_train: float | None = None,
    n_test: float | None = None,
) -> DominanceResult:
    r"""Is the first learner no worse than the second in every measure, and better in at least one?

    .. math:: p = \max\left(\max_l p_l(\delta_l),\; p \min_l p_l(0)\right), \qquad{}
              t_l(\delta) = \frac{\bar d_l - \delta}{\sqrt{(1/k + n_2/n_1)\, S_{ll}}}

    Every measure has to be shown not to be worse by its margin (intersection–union: each at alpha, no adjustment) and
    one of p has to be shown to be better (Bonferroni). Where a margin is 0, not being worse is being better, and the
    second part holds by the first: without margins the first must be shown to be better in *all* measures, for no
    number of folds can show that two learners are equal in one.

    Parameters
    ----------
    first, second : array_like, (..., k, p)
        p measures on the same k folds, losses unless ``larger_is_better`` says otherwise.
    margins : float or sequence of float
        How much worse still counts as no worse, per measure, in its own unit.
    larger_is_better : bool or sequence of bool
        Per measure.
    test_fraction, n_train, n_test : float, optional
        Sizes, to allow for training sets that overlap, as in ``hotelling``.

    Notes
    -----
    ``estimate`` has mean differences first − second, signs turned where larger is better: below 0 the first is better.

    References
    ----------
    Berger 1982, *Multiparameter hypothesis testing and acceptance sampling*. Bloch, Lai and Tubert-Bitter 2001.

    Examples
    --------
    >>> lda = [[.05, .08], [.03, .09], [.04, .07], [.02, .10], [.04, .08]]
    >>> qda = [[.10, .08], [.08, .10], [.07, .08], [.09, .09], [.06, .08]]
    >>> dominance(lda, qda)
    dominance (less): t = -0.5345, df = 4, p = 0.3107: does not reject at 0.05
    >>> dominance(lda, qda, margins=0.02)
    dominance (less): t = -5.88, df = 4, p = 0.007246: rejects at 0.05
    """
    where = "dominance"
    overlap = overlap_ratio(test_fraction, n_train, n_test, where=where)
    pair = paired(first, second, where=where, axes=2)
    k, p = pair.difference.shape[-2:]
    if k < 2:
        raise InputError("there is one fold.", where, "give at least two folds: (folds, measures).")
    allowed = _per_measure(margins, p, "margins", where)
    turned = np.where(_per_measure(larger_is_better, p, "larger_is_better", where) > 0, -1.0, 1.0)
    mean = turned * pair.difference.mean(axis=-2)
    spread = _spread(pair) * np.sqrt(inflation(k, overlap) / k)
    rounding = np.broadcast_to(pair.rounding[..., 0, :], mean.shape)
    against, superior = (_t(mean - shift, spread, rounding) for shift in (allowed, np.zeros(p)))
    no_worse, better = (t_tail(t, k - 1.0, "less") for t in (against, superior))
    pvalue = no_worse.max(axis=-1)
    if (allowed > 0).all():
        pvalue = np.maximum(pvalue, np.minimum(1.0, p * better.min(axis=-1)))
    return DominanceResult(
        test=where,
        statistic=against.max(axis=-1),
        pvalue=pvalue,
        df=(k - 1.0,),
        estimate=mean,
        alternative="less",
        no_worse=no_worse,
        better=better,
        margins=allowed,
    )


def _per_measure(value: Any, p: int, name: str, where: str) -> Array:
    """One number for all measures, or one each."""
    array = numbers(value, name=name, where=where)
    if array.ndim > 1 or (array.ndim == 1 and array.size != p) or (array < 0).any():
        raise InputError(
            f"{name} is {np.array2string(array, threshold=6)} for {p} measures.",
            f"{where}, argument {name}",
            f"give one value from 0 up, or {p} of them.",
        )
    return np.broadcast_to(array, (p,))


def _spread(pair: Pair) -> Array:
    """Standard deviations per measure; 0 where the differences are equal up to rounding."""
    centred = pair.difference - pair.difference.mean(axis=-2, keepdims=True)
    centred = np.where(np.abs(centred) <= pair.rounding, 0.0, centred)
    return np.asarray(np.sqrt(np.square(centred).sum(axis=-2) / (pair.difference.shape[-2] - 1.0)))


def _t(effect: Array, error: Array, rounding: Array) -> Array:
    return ratio(effect, error, no_effect=lambda: np.abs(effect) <= rounding, no_spread=error == 0)
