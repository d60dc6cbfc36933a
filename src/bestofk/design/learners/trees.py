"""Trees and forests."""

from __future__ import annotations

from typing import Any

from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner


def c45(**params: Any) -> Learner:
    """Quinlan's C4.5; nominal features have a branch for each level, missing values go down all branches.

    Parameters are those of ``bestofk.c45.C45Classifier``.
    """
    from bestofk.c45 import C45Classifier

    # Levels come as codes and gaps as NaN; a data set tells the tree which of its columns are nominal.
    return learner_of_estimator(
        C45Classifier(nominal_features=None),
        name="c45",
        params=params,
        encoding=Encoding(one_of_n=False, impute=False),
        complexity=7.5,
    )


def tree(**params: Any) -> Learner:
    """Decision tree, grown until pure unless told otherwise; takes missing values as they are.

    Parameters are those of scikit-learn's ``DecisionTreeClassifier``.
    """
    from sklearn.tree import DecisionTreeClassifier

    return learner_of_estimator(
        DecisionTreeClassifier(),
        name="tree",
        params=params,
        encoding=Encoding(impute=False),
        complexity=8.0,
    )


def regression_tree(**params: Any) -> Learner:
    """Regression tree, grown until pure unless told otherwise; takes missing values as they are.

    Parameters are those of scikit-learn's ``DecisionTreeRegressor``.
    """
    from sklearn.tree import DecisionTreeRegressor

    return learner_of_estimator(
        DecisionTreeRegressor(),
        name="regression-tree",
        params=params,
        encoding=Encoding(impute=False),
        complexity=3.0,
    )


def random_forest(**params: Any) -> Learner:
    """Random forest: a vote of a hundred trees; takes missing values as they are.

    Parameters are those of scikit-learn's ``RandomForestClassifier``.
    """
    from sklearn.ensemble import RandomForestClassifier

    return learner_of_estimator(
        RandomForestClassifier(),
        name="random-forest",
        params=params,
        encoding=Encoding(impute=False),
        complexity=11.0,
    )
