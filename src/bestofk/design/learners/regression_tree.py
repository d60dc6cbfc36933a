"""Regression tree, grown until pure unless told otherwise; takes missing values as they are."""

from __future__ import annotations

from typing import Any

from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner


def regression_tree(**params: Any) -> Learner:
    """Return the learner; parameters are those of scikit-learn's ``DecisionTreeRegressor``."""
    from sklearn.tree import DecisionTreeRegressor

    return learner_of_estimator(
        DecisionTreeRegressor(),
        name="regression-tree",
        params=params,
        encoding=Encoding(impute=False),
        complexity=3.0,
    )
