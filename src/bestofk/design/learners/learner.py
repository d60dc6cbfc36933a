"""A learner of a plan: how to make its estimator, what data it wants to see, and a fingerprint of its settings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any

from bestofk.core.errors import InputError, glimpse
from bestofk.core.frozen import frozen
from bestofk.design.datasets.dataset import Dataset


@frozen
class Encoding:
    """What is done to the features inside each training half, learnt there alone.

    ``none`` hands over the raw data. Otherwise nominal columns become 1-of-n, missing values the median or most
    frequent value (unless the learner takes them), and columns are scaled to mean 0 and variance 1 where asked.
    """

    none: bool = False
    one_of_n: bool = True
    impute: bool = True
    scale: bool = False


@frozen(eq=False)
class Learner:
    """A contender: ``make()`` gives a fresh scikit-learn estimator; ``settings`` say what it is, as plain JSON values.

    ``complexity`` orders learners from simple to complex where nothing else does (the papers' prior order), and
    ``parameters`` gives the number of free parameters for a ``Shape`` of data (None: it is not known before training).
    """

    name: str
    make: Callable[[], Any]
    settings: Mapping[str, Any]
    encoding: Encoding = field(default_factory=Encoding)
    complexity: float | None = None
    parameters: Callable[..., int] | None = None

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the settings: another parameter is another learner."""
        text = json.dumps({"settings": self.settings, "encoding": vars(self.encoding)}, sort_keys=True, default=repr)
        return hashlib.sha256(text.encode()).hexdigest()


def refuse_wrong_task(learner: Learner, dataset: Dataset) -> None:
    """Refuse a regressor on classes and a classifier on numbers; what says neither is let through."""
    from sklearn.base import is_classifier, is_regressor

    estimator = learner.make()
    try:
        classifies, regresses = is_classifier(estimator), is_regressor(estimator)
    except AttributeError:  # scikit-learn knows the kind of its own kin alone
        raise InputError(
            f"{learner.name} is {glimpse(estimator)}, no estimator of scikit-learn.",
            f"learner {learner.name}",
            "let its class inherit from sklearn.base.ClassifierMixin (or RegressorMixin) and BaseEstimator.",
        ) from None
    wrong = regresses and not classifies if dataset.task == "classification" else classifies and not regresses
    if wrong:
        holds = "classes" if dataset.task == "classification" else "numbers"
        raise InputError(
            f"{learner.name} is a {'regressor' if regresses else 'classifier'}, and the target of {dataset.name} holds "
            f"{holds}.",
            f"learner {learner.name}, data set {dataset.name}",
            "choose a learner for the data, or say the data set's task.",
        )
