"""Support vector machine with a linear kernel."""

from __future__ import annotations

from typing import Any

from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner
from bestofk.design.learners.parameter_counts import of_lines_between_pairs


def linear_svm(**params: Any) -> Learner:
    """Return the learner; parameters are those of scikit-learn's ``SVC``."""
    from sklearn.svm import SVC

    return learner_of_estimator(
        SVC(kernel="linear"),
        name="svm",
        params=params,
        encoding=Encoding(scale=True),
        complexity=6.0,
        parameters=of_lines_between_pairs,
    )
