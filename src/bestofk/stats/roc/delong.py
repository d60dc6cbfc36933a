"""DeLong's test between two areas under the ROC curve."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import alternative_of
from bestofk.stats.distributions import normal_tail, normal_upper, ratio
from bestofk.stats.ranks import average_ranks
from bestofk.stats.results import Interval, Numeric, Result, alpha_of, around, levels_inside
from bestofk.stats.roc.curve import positives, scores_of


class DeLongResult(Result):
    """Result of ``delong``: ``estimate`` is the first area minus the second."""

    auc_first: Numeric
    auc_second: Numeric
    standard_error: Numeric

    symbol: ClassVar[str] = "z"

    def confidence_interval(self, level: Any = 0.95) -> Interval:
        """Return the interval of differences that the test would not reject at ``1 - level``; one level or one each."""
        level = levels_inside(level, where=f"{self.test}, confidence_interval")
        half = normal_upper(alpha_of(level, self.alternative) / 2.0) * np.asarray(self.standard_error)
        return around(self.estimate, half, self.alternative, level)


def delong(y: Any, first: Any, second: Any, *, alternative: str = "two-sided") -> DeLongResult:
    """DeLong's test: do two classifiers have the same area under the ROC curve on the same items?

    z is positive where the first area is larger, since an area is a score, not a loss; ``alternative="greater"``
    asks whether the first area is larger. Identical scores: z 0, p 1.

    Parameters
    ----------
    y : array_like of 0/1, (N,)
    first, second : array_like, (..., N)
        Scores of the two classifiers, the larger, the more positive.
    alternative : {"two-sided", "greater", "less"}

    References
    ----------
    DeLong, DeLong and Clarke-Pearson 1988. Sun and Xu 2014 for the computation by ranks.

    Examples
    --------
    >>> delong([0, 0, 0, 1, 1, 1], [.1, .4, .3, .35, .8, .7], [.5, .4, .6, .45, .3, .7])
    delong (two-sided): z = 1.206, p = 0.2278: does not reject at 0.05
    """
    where = "delong"
    alternative = alternative_of(alternative, where=where)
    truth = positives(y, where=where)
    if min(truth.sum(), (~truth).sum()) < 2:
        raise InputError("y has a class with one item.", f"{where}, argument y", "give at least two items per class.")
    one = scores_of(first, truth.size, name="first", where=where)
    two = scores_of(second, truth.size, name="second", where=where)
    if one.shape != two.shape:
        raise InputError(
            f"first has the shape {one.shape} and second {two.shape}.",
            f"{where}, arguments first and second",
            "give both the same batch.",
        )
    (area_one, hits_one, alarms_one), (area_two, hits_two, alarms_two) = (_placements(s, truth) for s in (one, two))
    hits, alarms = hits_one - hits_two, alarms_one - alarms_two
    variance = hits.var(axis=-1, ddof=1) / hits.shape[-1] + alarms.var(axis=-1, ddof=1) / alarms.shape[-1]
    difference = area_one - area_two
    same = variance <= 1e-24
    z = ratio(difference, np.sqrt(variance), no_effect=lambda: np.abs(difference) <= 1e-12, no_spread=same)
    return DeLongResult(
        test=where,
        statistic=z,
        pvalue=normal_tail(z, alternative),
        df=(),
        estimate=difference,
        alternative=alternative,
        auc_first=area_one,
        auc_second=area_two,
        standard_error=np.where(same, 0.0, np.sqrt(variance)),
    )


def _placements(scores: Array, truth: Any) -> tuple[Array, Array, Array]:
    """Area; share of negatives below each positive; share of positives above each negative; ties half."""
    p, n = int(truth.sum()), int((~truth).sum())
    together = average_ranks(scores)
    above = (together[..., truth] - average_ranks(scores[..., truth])) / n
    below = 1.0 - (together[..., ~truth] - average_ranks(scores[..., ~truth])) / p
    return above.mean(axis=-1), above, below
