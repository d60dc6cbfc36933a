"""Ridge regression: linear, its weights kept small."""

from __future__ import annotations

from typing import Any

from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner
from bestofk.design.learners.parameter_counts import of_one_line


def ridge(**params: Any) -> Learner:
    """Return the learner; parameters are those of scikit-learn's ``Ridge``."""
    from sklearn.linear_model import Ridge

    return learner_of_estimator(
        Ridge(),
        name="ridge",
        params=params,
        encoding=Encoding(scale=True),
        complexity=2.0,
        parameters=of_one_line,
    )
