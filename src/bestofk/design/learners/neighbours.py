"""The nearest training rows decide."""

from __future__ import annotations

from typing import Any

from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner
from bestofk.design.learners.parameter_counts import of_all_rows


def nearest_neighbour(**params: Any) -> Learner:
    """Nearest neighbour: the class of the one nearest training row; of equally near ones the lowest.

    Parameters are those of scikit-learn's ``KNeighborsClassifier``.
    """
    from bestofk.design.learners.exact_neighbours import ExactNeighbours

    return learner_of_estimator(
        ExactNeighbours(n_neighbors=1),
        name="nn",
        params=params,
        encoding=Encoding(scale=True),
        complexity=10.0,
        parameters=of_all_rows,
    )


def nearest_neighbours(**params: Any) -> Learner:
    """Nearest neighbours: the majority of the 20 nearest training rows; of equally near ones the lowest.

    Parameters are those of scikit-learn's ``KNeighborsClassifier``.
    """
    from bestofk.design.learners.exact_neighbours import ExactNeighbours

    return learner_of_estimator(
        ExactNeighbours(n_neighbors=20),
        name="knn",
        params=params,
        encoding=Encoding(scale=True),
        complexity=9.0,
        parameters=of_all_rows,
    )
