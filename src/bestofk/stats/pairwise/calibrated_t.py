"""t test with calibrated degrees of freedom for repeated cross-validation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import alternative_of, number_inside, one_of
from bestofk.stats.method import method
from bestofk.stats.pair import paired
from bestofk.stats.pairwise.student import StudentResult, mean_over_error, of_signs, spread

# What each scheme takes as its sample from the differences (..., R, F).
SCHEMES: dict[str, Callable[[Array], Array]] = {
    "all": lambda d: d.reshape(*d.shape[:-2], -1),
    "runs": lambda d: d.mean(axis=-2),
    "folds": lambda d: d.mean(axis=-1),
    "sorted-runs": lambda d: np.sort(d, axis=-1).mean(axis=-2),
}


@method(
    "RxF",
    name="calibrated-t",
    one_sided=True,
    papers=("bouckaert",),
    called="the calibrated t test of repeated cross-validation",
    assumes="normal differences that tell as much as df + 1 independent ones",
    not_for="other designs than 10×10 folds without a df of their own, or learners whose folds are much alike: "
    "equal ones are rejected in up to 17 % of cases (repeated-cv-t)",
)
def calibrated_t(
    first: Any, second: Any, *, df: float = 10.0, scheme: str = "all", alternative: str = "two-sided"
) -> StudentResult:
    r"""Repeated cross-validation t test with degrees of freedom found by calibration.

    .. math:: t = m \Bigl/ \sqrt{S^2 / (\mathit{df} + 1)}

    Reuse of the same data leaves fewer effective degrees of freedom than values; Bouckaert found about 10
    for 10 replications of 10 folds when all values are used.

    Parameters
    ----------
    first, second : array_like, (..., R, F)
        Losses of the two learners on R replications of F folds.
    df : float
        Calibrated degrees of freedom. 10 holds for ``all`` and ``sorted-runs``; averages over runs or over folds have a
        smaller spread and need smaller ones (``benchmarks/calibration`` shows what 10 does to them).
    scheme : {"all", "runs", "folds", "sorted-runs"}
        The sample: all R·F differences; their averages over runs (F values); over folds (R values); or over
        runs after sorting each run (F values).
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first loses more.

    References
    ----------
    Bouckaert 2003, *Choosing between two learning algorithms based on calibrated tests*.

    Examples
    --------
    >>> calibrated_t([[.3, .2], [.4, .3]], [[.2, .2], [.2, .1]], df=3)
    calibrated-t (two-sided): t = 2.611, df = 3, p = 0.0796: does not reject at 0.05
    """
    where = "calibrated-t"
    alternative = alternative_of(alternative, where=where)
    scheme = one_of(scheme, SCHEMES, name="scheme", where=where)
    df = number_inside(df, name="df", where=where, low=0.0, high=np.inf)
    pair = paired(first, second, where=where, axes=2)
    sample = SCHEMES[scheme](pair.difference)
    if sample.shape[-1] < 2:
        raise InputError(
            f"scheme {scheme!r} leaves {sample.shape[-1]} value of {pair.difference.shape[-2:]} (replications, folds).",
            f"{where}, argument scheme",
            'use scheme="all", or more replications and folds.',
        )
    mean, variance, constant = spread(sample, pair)
    error = np.sqrt(variance / (df + 1.0))
    rarest = of_signs(min(df, sample.shape[-1] - 1.0))
    t, pvalue, error = mean_over_error(mean, error, df, alternative, pair, constant)
    return StudentResult(
        test=where,
        statistic=t,
        pvalue=pvalue,
        df=(df,),
        estimate=pair.difference.mean(axis=(-2, -1)),
        alternative=alternative,
        standard_error=error,
        rarest=rarest,
    )
