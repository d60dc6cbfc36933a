"""Random forest: a vote of a hundred trees; takes missing values as they are."""

from __future__ import annotations

from typing import Any

from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner


def random_forest(**params: Any) -> Learner:
    """Return the learner; parameters are those of scikit-learn's ``RandomForestClassifier``."""
    from sklearn.ensemble import RandomForestClassifier

    return learner_of_estimator(
        RandomForestClassifier(),
        name="random-forest",
        params=params,
        encoding=Encoding(impute=False),
        complexity=11.0,
    )
