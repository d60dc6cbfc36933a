"""Linear learners trained by a loss."""

from __future__ import annotations

from typing import Any

from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner
from bestofk.design.learners.parameter_counts import of_lines_between_classes, of_lines_between_pairs, of_one_line


def logistic(**params: Any) -> Learner:
    """Logistic regression: linear, trained by likelihood.

    Parameters are those of scikit-learn's ``LogisticRegression``.
    """
    from sklearn.linear_model import LogisticRegression

    # So near to the optimum that no prediction hangs on where the iterations stop: work shared across folds agrees.
    return learner_of_estimator(
        LogisticRegression(tol=1e-8, max_iter=10_000),
        name="lgc",
        params=params,
        encoding=Encoding(scale=True),
        complexity=5.0,
        parameters=of_lines_between_classes,
    )


def linear_svm(**params: Any) -> Learner:
    """Support vector machine with a linear kernel.

    Parameters are those of scikit-learn's ``SVC``.
    """
    from sklearn.svm import SVC

    return learner_of_estimator(
        SVC(kernel="linear"),
        name="svm",
        params=params,
        encoding=Encoding(scale=True),
        complexity=6.0,
        parameters=of_lines_between_pairs,
    )


def ridge(**params: Any) -> Learner:
    """Ridge regression: linear, its weights kept small.

    Parameters are those of scikit-learn's ``Ridge``.
    """
    from sklearn.linear_model import Ridge

    return learner_of_estimator(
        Ridge(),
        name="ridge",
        params=params,
        encoding=Encoding(scale=True),
        complexity=2.0,
        parameters=of_one_line,
    )
