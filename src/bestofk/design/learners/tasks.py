"""Classifiers for classes, regressors for numbers."""

from __future__ import annotations

from bestofk.core.errors import InputError
from bestofk.design.dataset import Dataset
from bestofk.design.learner import Learner


def refuse_wrong_task(learner: Learner, dataset: Dataset) -> None:
    """Refuse a regressor on classes and a classifier on numbers; what says neither is let through."""
    from sklearn.base import is_classifier, is_regressor

    estimator = learner.make()
    classifies, regresses = is_classifier(estimator), is_regressor(estimator)
    wrong = regresses and not classifies if dataset.task == "classification" else classifies and not regresses
    if wrong:
        holds = "classes" if dataset.task == "classification" else "numbers"
        raise InputError(
            f"{learner.name} is a {'regressor' if regresses else 'classifier'}, and the target of {dataset.name} holds "
            f"{holds}.",
            f"learner {learner.name}, data set {dataset.name}",
            "choose a learner for the data, or say the data set's task.",
        )
