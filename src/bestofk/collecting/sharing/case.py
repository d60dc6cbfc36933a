"""What a learner does to one data set, in the terms that ways of sharing understand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bestofk.collecting.sharing.preparation import Preparation, preparation_of
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.learners.learner import Learner


@dataclass(frozen=True, eq=False)
class Case:
    """A learner and a data set: the estimator at the end, and what is done to the features before it."""

    learner: Learner
    dataset: Dataset
    estimator: Any
    preparation: Preparation

    def is_a(self, *names: str) -> bool:
        """Whether the estimator is of one of these classes of scikit-learn itself, not of a class derived from it."""
        kind = type(self.estimator)
        return kind.__module__.startswith("sklearn.") and kind.__name__ in names

    def differs_only_in(self, *names: str) -> bool:
        """Whether every parameter but these has its default value."""
        return changed_parameters(self.estimator) <= set(names)


def case_of(learner: Learner, dataset: Dataset) -> Case | None:
    """Describe a learner on a data set; None where its preparation of the features is not understood."""
    if dataset.task != "classification":
        return None
    understood = preparation_of(learner.make(), learner.encoding, dataset)
    return None if understood is None else Case(learner, dataset, *understood)


def changed_parameters(estimator: Any) -> set[str]:
    """Names of parameters that do not have their default values."""
    usual = type(estimator)().get_params(deep=False)
    return {name for name, value in estimator.get_params(deep=False).items() if not _equal(value, usual[name])}


def _equal(value: Any, usual: Any) -> bool:
    if value is usual:
        return True
    plain = isinstance(value, bool | int | float | str | np.generic)
    return plain and isinstance(usual, bool | int | float | str) and bool(value == usual)
