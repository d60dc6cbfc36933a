"""What a way of sharing work across folds is, and the plain way that it must agree with."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from threading import Lock
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bestofk.collecting.labels import class_codes
from bestofk.collecting.making import Estimators
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.encoding import encoded
from bestofk.design.folds.base import Fold
from bestofk.design.learners.learner import Learner

Predictions = npt.NDArray[np.intp]


class Way(Protocol):
    """One learner on one data set, prepared once in a process and asked for any folds of the data set.

    ``ties`` counts predictions that an exact tie left open: the lowest row of the data set wins between equally near
    rows, and the lowest code between classes with equal votes. ``plain_folds`` counts the folds that were run the plain
    way because rounding might have decided them.
    """

    name: str
    ties: int
    plain_folds: int

    def predict(self, folds: Sequence[Fold]) -> list[Predictions]:
        """Class codes of the test rows of each fold; raises what the plain way raises where it refuses a fold."""
        ...


def plain_predictions(learner: Learner, dataset: Dataset, fold: Fold) -> Predictions:
    """Encode, fit and predict one fold as it is done without sharing."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        train, test = encoded(dataset, learner.encoding, fold.train, fold.test)
        answer = Estimators(learner, dataset).fresh(0).fit(train, dataset.y[fold.train].astype(np.int64)).predict(test)
    return class_codes(answer, len(fold.test), dataset.classes).astype(np.intp)


class FoldByFold:
    """A way that takes the folds one after the other and hands those it is not sure of to the plain way."""

    name = "fold by fold"

    def __init__(self, learner: Learner, dataset: Dataset) -> None:
        self.learner, self.dataset = learner, dataset
        self.y = dataset.y.astype(np.int64)
        self.classes = len(dataset.classes)
        self.ties = self.plain_folds = 0
        self._guard = Lock()  # what folds share changes from fold to fold, and a worker may have several threads

    def predict(self, folds: Sequence[Fold]) -> list[Predictions]:
        """Class codes of the test rows of each fold."""
        with self._guard:
            return self.all_of(folds)

    def all_of(self, folds: Sequence[Fold]) -> list[Predictions]:
        """Predict one fold after the other, unless a way can take them together."""
        return [self._sure(fold, self.shared(fold)) for fold in folds]

    def shared(self, fold: Fold) -> Predictions | None:
        """Predict one fold from what the folds share; None where rounding might decide."""
        raise NotImplementedError

    def _sure(self, fold: Fold, answer: Predictions | None) -> Predictions:
        if answer is not None:
            return answer
        self.plain_folds += 1
        return plain_predictions(self.learner, self.dataset, fold)
