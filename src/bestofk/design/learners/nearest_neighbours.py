"""Nearest neighbours: the majority of the 20 nearest training rows."""

from __future__ import annotations

from typing import Any

from bestofk.design.learner import Encoding, Learner
from bestofk.design.learners.estimators import learner_of_estimator


def nearest_neighbours(**params: Any) -> Learner:
    """Return the learner; parameters are those of scikit-learn's ``KNeighborsClassifier``."""
    from sklearn.neighbors import KNeighborsClassifier

    return learner_of_estimator(
        KNeighborsClassifier(n_neighbors=20),
        name="knn",
        params=params,
        encoding=Encoding(scale=True),
        complexity=9.0,
    )
