"""Decision tree, grown until pure unless told otherwise; takes missing values as they are."""

from __future__ import annotations

from typing import Any

from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner


def tree(**params: Any) -> Learner:
    """Return the learner; parameters are those of scikit-learn's ``DecisionTreeClassifier``."""
    from sklearn.tree import DecisionTreeClassifier

    return learner_of_estimator(
        DecisionTreeClassifier(),
        name="tree",
        params=params,
        encoding=Encoding(impute=False),
        complexity=8.0,
    )
