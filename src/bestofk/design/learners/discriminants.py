"""Classes as clouds of points: means, variances, covariances."""

from __future__ import annotations

from typing import Any

from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner
from bestofk.design.learners.parameter_counts import (
    of_means,
    of_means_and_variances,
    of_own_covariances,
    of_shared_covariance,
)


def nearest_mean(**params: Any) -> Learner:
    """Nearest mean: the class whose mean is nearest.

    Parameters are those of scikit-learn's ``NearestCentroid``.
    """
    from sklearn.neighbors import NearestCentroid

    return learner_of_estimator(
        NearestCentroid(),
        name="nmc",
        params=params,
        encoding=Encoding(scale=True),
        complexity=2.0,
        parameters=of_means,
    )


def naive_bayes(**params: Any) -> Learner:
    """Naive Bayes: a Gaussian for each column and class, columns taken for independent.

    Parameters are those of scikit-learn's ``GaussianNB``.
    """
    from sklearn.naive_bayes import GaussianNB

    return learner_of_estimator(
        GaussianNB(),
        name="naive-bayes",
        params=params,
        encoding=Encoding(),
        complexity=3.0,
        parameters=of_means_and_variances,
    )


def lda(**params: Any) -> Learner:
    """Linear discriminant: Gaussian classes with one covariance.

    Parameters are those of scikit-learn's ``LinearDiscriminantAnalysis``.
    """
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return learner_of_estimator(
        LinearDiscriminantAnalysis(),
        name="lda",
        params=params,
        encoding=Encoding(),
        complexity=4.0,
        parameters=of_shared_covariance,
    )


def qda(**params: Any) -> Learner:
    """Quadratic discriminant: Gaussian classes, each with its own covariance, drawn a little towards the identity.

    Without that, columns that depend on each other, as those of 1-of-n do, would have no inverse.

    Parameters are those of scikit-learn's ``QuadraticDiscriminantAnalysis``.
    """
    from bestofk.design.learners.complete_qda import CompleteQDA

    return learner_of_estimator(
        CompleteQDA(reg_param=0.01),
        name="qda",
        params=params,
        encoding=Encoding(scale=True),
        complexity=7.0,
        parameters=of_own_covariances,
    )
