"""Learners that look at no feature: those that all others must beat."""

from __future__ import annotations

from typing import Any

from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner
from bestofk.design.learners.parameter_counts import of_one_class, of_one_number


def most_frequent(**params: Any) -> Learner:
    """Predicts the most frequent class of the training rows, whatever the features: the learner that all must beat.

    Parameters are those of scikit-learn's ``DummyClassifier``.
    """
    from sklearn.dummy import DummyClassifier

    return learner_of_estimator(
        DummyClassifier(strategy="most_frequent"),
        name="max",
        params=params,
        encoding=Encoding(one_of_n=False, impute=False),
        complexity=1.0,
        parameters=of_one_class,
    )


def mean(**params: Any) -> Learner:
    """Predicts the mean of the training rows, whatever the features: the regressor that all must beat.

    Parameters are those of scikit-learn's ``DummyRegressor``.
    """
    from sklearn.dummy import DummyRegressor

    return learner_of_estimator(
        DummyRegressor(strategy="mean"),
        name="mean",
        params=params,
        encoding=Encoding(one_of_n=False, impute=False),
        complexity=1.0,
        parameters=of_one_number,
    )
