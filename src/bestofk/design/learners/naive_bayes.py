"""Naive Bayes: a Gaussian for each column and class, columns taken for independent."""

from __future__ import annotations

from typing import Any

from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner
from bestofk.design.learners.parameter_counts import of_means_and_variances


def naive_bayes(**params: Any) -> Learner:
    """Return the learner; parameters are those of scikit-learn's ``GaussianNB``."""
    from sklearn.naive_bayes import GaussianNB

    return learner_of_estimator(
        GaussianNB(),
        name="naive-bayes",
        params=params,
        encoding=Encoding(),
        complexity=3.0,
        parameters=of_means_and_variances,
    )
