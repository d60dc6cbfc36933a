"""Nearest mean: the class whose mean is nearest."""

from __future__ import annotations

from typing import Any

from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner
from bestofk.design.learners.parameter_counts import of_means


def nearest_mean(**params: Any) -> Learner:
    """Return the learner; parameters are those of scikit-learn's ``NearestCentroid``."""
    from sklearn.neighbors import NearestCentroid

    return learner_of_estimator(
        NearestCentroid(),
        name="nmc",
        params=params,
        encoding=Encoding(scale=True),
        complexity=2.0,
        parameters=of_means,
    )
