"""Corrected resampled t test."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.options import alternative_of
from bestofk.stats.method import method
from bestofk.stats.overlap import size_ratio
from bestofk.stats.pair import Pair, paired
from bestofk.stats.pairwise.student import StudentResult, mean_over_error, spread


@method("RxF", one_sided=True, flattened_by=("test_fraction", "n_train", "n_test"))
def corrected_t(
    first: Any,
    second: Any,
    *,
    test_fraction: float | None = None,
    n_train: float | None = None,
    n_test: float | None = None,
    alternative: str = "two-sided",
) -> StudentResult:
    r"""Corrected resampled t test: allow for training sets that overlap.

    .. math:: t = m \Big/ \sqrt{\left(\tfrac1L + \tfrac{n_2}{n_1}\right) S^2}

    with L − 1 degrees of freedom; n₁ instances train, n₂ test. Without sizes the last two axes are
    replications and folds of repeated k-fold cross-validation, L = R·F and n₂/n₁ = 1/(F − 1).

    Parameters
    ----------
    first, second : array_like, (..., R, F), or (..., L) when sizes are given
        Losses of the two learners on the same folds.
    test_fraction : float, optional
        n₂/(n₁ + n₂), for random splits of one size.
    n_train, n_test : float, optional
        The two sizes themselves.
    alternative : {"two-sided", "greater", "less"}
        ``"greater"``: the first loses more.

    References
    ----------
    Nadeau and Bengio 2003, *Inference for the generalization error*. Bouckaert and Frank 2004.

    Examples
    --------
    >>> corrected_t([.3, .2, .4, .3], [.2, .2, .2, .1], test_fraction=0.1)
    corrected-t (two-sided): t = 2.173, df = 3, p = 0.1182: does not reject at 0.05
    """
    where = "corrected-t"
    alternative = alternative_of(alternative, where=where)
    if test_fraction is None and n_train is None and n_test is None:
        pair = paired(first, second, where=where, axes=2)
        test_per_train = 1.0 / (_folds(pair, where) - 1)
    else:
        pair = paired(first, second, where=where)
        test_per_train = size_ratio(test_fraction, n_train, n_test, where=where)
    values = pair.difference.reshape(*pair.difference.shape[: -pair.axes], -1)
    n = values.shape[-1]
    mean, variance, constant = spread(values, pair)
    error = np.sqrt((1.0 / n + test_per_train) * variance)
    t, pvalue, error = mean_over_error(mean, error, n - 1.0, alternative, pair, constant)
    return StudentResult(
        test=where,
        statistic=t,
        pvalue=pvalue,
        df=(n - 1.0,),
        estimate=mean,
        alternative=alternative,
        standard_error=error,
    )


def _folds(pair: Pair, where: str) -> int:
    folds = int(pair.difference.shape[-1])
    if folds < 2:
        raise InputError(
            f"corrected-t needs at least 2 folds per replication; got {folds}.",
            f"{where}, last axis",
            "give the losses as (replications, folds), or name the sizes: test_fraction=, or n_train= and n_test=.",
        )
    return folds
