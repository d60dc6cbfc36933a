"""t tests of folds and splits whose training sets overlap."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.options import alternative_of
from bestofk.stats.method import method
from bestofk.stats.overlap import size_ratio
from bestofk.stats.pair import Pair, paired
from bestofk.stats.pairwise.student import StudentResult, mean_over_error, of_signs, spread


@method(
    "RxF",
    name="corrected-t",
    one_sided=True,
    flattened_by=("test_fraction", "n_train", "n_test"),
    papers=("nadeau", "bouckaert-frank"),
    called="the corrected resampled t test",
    assumes="normal differences, any two with the correlation n₂/(n₁ + n₂)",
    not_for="many replications of folds, of which it rejects equal learners in up to 16 % of cases (repeated-cv-t)",
)
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

    .. math:: t = m \Bigl/ \sqrt{\left(\tfrac1L + \tfrac{n_2}{n_1}\right) S^2}

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
    sizes = {"test_fraction": test_fraction, "n_train": n_train, "n_test": n_test}
    return _corrected(first, second, sizes, alternative, "corrected-t")


@method(
    "RxF",
    name="repeated-cv-t",
    one_sided=True,
    flattened_by=("test_fraction", "n_train", "n_test"),
    papers=("nadeau", "bouckaert-frank"),
    called="the corrected t test of repeated cross-validation",
    assumes="normal differences, and that more replications tell nothing more of the data than one",
    not_for="a few replications of two folds, where corrected-t has more than twice its power",
)
def repeated_cv_t(
    first: Any,
    second: Any,
    *,
    test_fraction: float | None = None,
    n_train: float | None = None,
    n_test: float | None = None,
    alternative: str = "two-sided",
) -> StudentResult:
    r"""Corrected t test of repeated cross-validation: repeats tell more of the folds, nothing more of the data.

    .. math:: t = m \Bigl/ \sqrt{\left(\tfrac1F + \tfrac{n_2}{n_1}\right) S^2}

    with S² of all R·F differences and R(F − 1) degrees of freedom: the mean of R replications is taken to vary as much
    as that of one. The corrected t test, with 1/(R·F), finds too much in 10×10 folds of unstable learners
    (``benchmarks/calibration``). Random splits count as a replication where together they test as many rows as there
    are: F is then (n₁ + n₂)/n₂, or their number if that is smaller.

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
    Nadeau and Bengio 2003 and Bouckaert and Frank 2004 for the correction.

    Examples
    --------
    >>> repeated_cv_t([[.3, .2, .3], [.4, .3, .3]], [[.2, .2, .2], [.2, .1, .2]])
    repeated-cv-t (two-sided): t = 1.698, df = 4, p = 0.1648: does not reject at 0.05
    """
    sizes = {"test_fraction": test_fraction, "n_train": n_train, "n_test": n_test}
    return _corrected(first, second, sizes, alternative, "repeated-cv-t")


def _corrected(first: Any, second: Any, sizes: dict[str, float | None], alternative: str, test: str) -> StudentResult:
    alternative = alternative_of(alternative, where=test)
    if all(size is None for size in sizes.values()):
        pair = paired(first, second, where=test, axes=2)
        test_per_train = 1.0 / (_folds(pair, test) - 1)
    else:
        pair = paired(first, second, where=test)
        test_per_train = size_ratio(**sizes, where=test)
    values = pair.difference.reshape(*pair.difference.shape[: -pair.axes], -1)
    n = values.shape[-1]
    once = n if test == "corrected-t" else min(float(n), (1.0 + test_per_train) / test_per_train)
    mean, variance, constant = spread(values, pair)
    error, df = np.sqrt((1.0 / once + test_per_train) * variance), n - n / once
    rarest = of_signs(df)
    t, pvalue, error = mean_over_error(mean, error, df, alternative, pair, constant)
    return StudentResult(
        test=test,
        statistic=t,
        pvalue=pvalue,
        df=(df,),
        estimate=mean,
        alternative=alternative,
        standard_error=error,
        rarest=rarest,
    )


def _folds(pair: Pair, where: str) -> int:
    folds = int(pair.difference.shape[-1])
    if folds < 2:
        raise InputError(
            f"{where} needs at least 2 folds per replication; got {folds}.",
            f"{where}, last axis",
            "give the losses as (replications, folds), or name the sizes: test_fraction=, or n_train= and n_test=.",
        )
    return folds
