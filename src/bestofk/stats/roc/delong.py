"""DeLong's test between two areas under the ROC curve."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import alternative_of, one_of
from bestofk.stats.distributions import ratio, t_tail
from bestofk.stats.method import cites
from bestofk.stats.pairwise.student import StudentResult, of_signs
from bestofk.stats.ranks import average_ranks
from bestofk.stats.results import Numeric
from bestofk.stats.roc.curve import positives, scores_of


class DeLongResult(StudentResult):
    """Result of ``delong``: ``estimate`` is the first area minus the second."""

    auc_first: Numeric
    auc_second: Numeric


@cites(
    "delong",
    called="DeLong's test",
    assumes="independent items, and areas that are normal, or of Student's distribution where tail says so",
    not_for="claims about learners trained anew, or few positives or negatives with the normal tail: of 3 it "
    "rejects equal areas in 11 % of cases",
)
def delong(y: Any, first: Any, second: Any, *, tail: str = "normal", alternative: str = "two-sided") -> DeLongResult:
    """DeLong's test: do two classifiers have the same area under the ROC curve on the same items?

    The statistic is positive where the first area is larger, since an area is a score, not a loss;
    ``alternative="greater"`` asks whether the first area is larger. Identical scores: statistic 0, p 1. The normal tail
    rejects equal areas in 11 % of cases with 3 positives, in 7 % with 5; verdicts take Student's t with Satterthwaite's
    degrees of freedom, of the part of the variance that the positives have and that of the negatives.

    Parameters
    ----------
    y : array_like of 0/1, (N,)
    first, second : array_like, (..., N)
        Scores of the two classifiers, the larger, the more positive.
    tail : {"normal", "t"}
        The normal distribution, as in the paper, or Student's.
    alternative : {"two-sided", "greater", "less"}

    References
    ----------
    DeLong, DeLong and Clarke-Pearson 1988. Sun and Xu 2014 for the computation by ranks. Satterthwaite 1946
    for the degrees of freedom.

    Examples
    --------
    >>> delong([0, 0, 0, 1, 1, 1], [.1, .4, .3, .35, .8, .7], [.5, .4, .6, .45, .3, .7], tail="t")
    delong (two-sided): t = 1.206, df = 3.723, p = 0.2988: does not reject at 0.05
    """
    where = "delong"
    alternative = alternative_of(alternative, where=where)
    one_of(tail, ("normal", "t"), name="tail", where=where)
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
    parts = [each.var(axis=-1, ddof=1) / each.shape[-1] for each in (hits, alarms)]
    freedom = [each.shape[-1] - 1.0 for each in (hits, alarms)]
    variance = parts[0] + parts[1]
    difference = area_one - area_two
    same = variance <= 1e-24
    t = ratio(difference, np.sqrt(variance), no_effect=lambda: np.abs(difference) <= 1e-12, no_spread=same)
    spread = sum(np.square(part) / df for part, df in zip(parts, freedom, strict=True))
    df = np.where(same, min(freedom), np.square(variance) / np.where(same, 1.0, spread))
    rarest = of_signs(min(freedom))
    if tail == "normal":
        df = np.full(df.shape, np.inf)
    return DeLongResult(
        test=where,
        statistic=t,
        pvalue=t_tail(t, df, alternative),
        df=(df,),
        estimate=difference,
        alternative=alternative,
        standard_error=np.where(same, 0.0, np.sqrt(variance)),
        rarest=rarest,
        auc_first=area_one,
        auc_second=area_two,
    )


def _placements(scores: Array, truth: Any) -> tuple[Array, Array, Array]:
    """Area; share of negatives below each positive; share of positives above each negative; ties half."""
    p, n = int(truth.sum()), int((~truth).sum())
    together = average_ranks(scores)
    above = (together[..., truth] - average_ranks(scores[..., truth])) / n
    below = 1.0 - (together[..., ~truth] - average_ranks(scores[..., ~truth])) / p
    return above.mean(axis=-1), above, below
