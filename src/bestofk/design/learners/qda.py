"""Quadratic discriminant: Gaussian classes, each with its own covariance, drawn a little towards the identity.

Without that, columns that depend on each other, as those of 1-of-n do, would have no inverse.
"""

from __future__ import annotations

from typing import Any

from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner
from bestofk.design.learners.parameter_counts import of_own_covariances


def qda(**params: Any) -> Learner:
    """Return the learner; parameters are those of scikit-learn's ``QuadraticDiscriminantAnalysis``."""
    from bestofk.design.learners.complete_qda import CompleteQDA

    return learner_of_estimator(
        CompleteQDA(reg_param=0.01),
        name="qda",
        params=params,
        encoding=Encoding(scale=True),
        complexity=7.0,
        parameters=of_own_covariances,
    )
