"""Nearest neighbour: the class of the one nearest training row."""

from __future__ import annotations

from typing import Any

from bestofk.design.learner import Encoding, Learner
from bestofk.design.learners.estimators import learner_of_estimator


def nearest_neighbour(**params: Any) -> Learner:
    """Return the learner; parameters are those of scikit-learn's ``KNeighborsClassifier``."""
    from sklearn.neighbors import KNeighborsClassifier

    return learner_of_estimator(
        KNeighborsClassifier(n_neighbors=1),
        name="nn",
        params=params,
        encoding=Encoding(scale=True),
        complexity=10.0,
    )
