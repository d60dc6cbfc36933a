"""Training sets that overlap: how much the mean of k folds varies more than k independent ones would."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.options import level_inside, number_inside


def size_ratio(test_fraction: Any, n_train: Any, n_test: Any, *, where: str) -> float:
    """Return n_test/n_train from the share that is tested, or from both sizes."""
    if test_fraction is not None and n_train is None and n_test is None:
        fraction = level_inside(test_fraction, name="test_fraction", where=where)
        return fraction / (1.0 - fraction)
    if test_fraction is None and n_train is not None and n_test is not None:
        train = number_inside(n_train, name="n_train", where=where, low=0.0, high=np.inf)
        return number_inside(n_test, name="n_test", where=where, low=0.0, high=np.inf) / train
    raise InputError(
        f"the sizes do not fit together: test_fraction={test_fraction}, n_train={n_train}, n_test={n_test}.",
        where,
        "give test_fraction alone, or both n_train and n_test.",
    )


def overlap_ratio(test_fraction: Any, n_train: Any, n_test: Any, *, where: str) -> float:
    """Return n_test/n_train from either form of the sizes; 0 when none is given: folds taken as independent."""
    if test_fraction is None and n_train is None and n_test is None:
        return 0.0
    return size_ratio(test_fraction, n_train, n_test, where=where)


def inflation(folds: int, ratio: float) -> float:
    """Return 1 + k·n_test/n_train: the variance of a mean of k folds over that of k independent ones.

    Vectors of k folds with covariance Σ each and ρΣ between any two: the mean has the covariance Σ(1 + (k − 1)ρ)/k,
    and S, made of differences between folds, estimates (1 − ρ)Σ. Their ratio is (1 + kρ/(1 − ρ))/k; with Nadeau and
    Bengio's ρ = n_test/(n_train + n_test) it is 1/k + n_test/n_train.

    Examples
    --------
    >>> round(inflation(10, 1 / 9), 4)
    2.1111
    """
    return 1.0 + folds * ratio


class FoldSpread(NamedTuple):
    """Of the mean of R replications of F folds: its variance, and that of one fold, both over the expected S².

    ``within`` is the correlation of two folds of one replication.
    """

    of_mean: Array
    of_one: Array
    within: float


def fold_correlations(test_fraction: float) -> tuple[float, float]:
    """Of the differences of two folds of one replication, and of two replications or random splits, as measured.

    Examples
    --------
    >>> [round(rho, 3) for rho in fold_correlations(0.1)]
    [0.043, 0.107]
    """
    per_fold = test_fraction / (1.0 + 4.0 * test_fraction)
    return 0.6 * per_fold, 1.5 * per_fold


def fold_spread(
    replications: Any, *, folds: int = 1, test_fraction: float | None = None, correlation: float | None = None
) -> FoldSpread:
    r"""How far the mean over folds varies beside S, the standard deviation of all differences.

    Two folds of one replication test other rows, and train on mostly the same; two of different replications, or two
    random splits, also share test rows, a part 1/F of them (the test fraction). With the correlations ρ₁ and ρ₂ of
    their differences,

    .. math:: \operatorname{Var} m = \sigma^2\,\frac{1 + A}{L}, \quad
        \operatorname{E} S^2 = \sigma^2\left(1 - \frac{A}{L - 1}\right), \quad A = (F - 1)\rho_1 + (R - 1)F\rho_2

    No data set tells its own correlations. Measured on real learners (docs/howto/power.md), ρ₁ = 0.6/(F + 4) and
    ρ₂ = 1.5/(F + 4) are in the middle. ``correlation`` takes one value for both instead; Nadeau and Bengio's is the
    test fraction, 1/F.

    Examples
    --------
    >>> [round(float(fold_spread(r, folds=f).of_mean), 3) for r, f in ((5, 2), (1, 10), (10, 10))]
    [0.404, 0.145, 0.123]
    """
    within, between = fold_correlations(1.0 / folds if test_fraction is None else test_fraction)
    if correlation is not None:
        within = between = correlation
    replications = np.asarray(replications, dtype=float)
    values = replications * folds
    alike = (folds - 1.0) * within + (replications - 1.0) * folds * between
    of_one = 1.0 / (1.0 - alike / (values - 1.0))
    return FoldSpread((1.0 + alike) / values * of_one, of_one, within)
