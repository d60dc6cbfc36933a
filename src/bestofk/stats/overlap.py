"""Training sets that overlap: how much the mean of k folds varies more than k independent ones would."""

from __future__ import annotations

from typing import Any

import numpy as np

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
