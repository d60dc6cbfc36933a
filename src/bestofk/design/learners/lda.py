"""Linear discriminant: Gaussian classes with one covariance."""

from __future__ import annotations

from typing import Any

from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner
from bestofk.design.learners.parameter_counts import of_shared_covariance


def lda(**params: Any) -> Learner:
    """Return the learner; parameters are those of scikit-learn's ``LinearDiscriminantAnalysis``."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    return learner_of_estimator(
        LinearDiscriminantAnalysis(),
        name="lda",
        params=params,
        encoding=Encoding(),
        complexity=4.0,
        parameters=of_shared_covariance,
    )
