"""Quinlan's C4.5; nominal features have a branch for each level, missing values go down all branches."""

from __future__ import annotations

from typing import Any

from bestofk.design.learners.estimators import learner_of_estimator
from bestofk.design.learners.learner import Encoding, Learner


def c45(**params: Any) -> Learner:
    """Return the learner; parameters are those of ``bestofk.c45.C45Classifier``."""
    from bestofk.c45 import C45Classifier

    # Levels come as codes and gaps as NaN; a data set tells the tree which of its columns are nominal.
    return learner_of_estimator(
        C45Classifier(nominal_features=None),
        name="c45",
        params=params,
        encoding=Encoding(one_of_n=False, impute=False),
        complexity=7.5,
    )
