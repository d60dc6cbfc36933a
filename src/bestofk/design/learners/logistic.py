"""Logistic regression: linear, trained by likelihood."""

from __future__ import annotations

from typing import Any

from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner
from bestofk.design.learners.parameter_counts import of_lines_between_classes


def logistic(**params: Any) -> Learner:
    """Return the learner; parameters are those of scikit-learn's ``LogisticRegression``."""
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
