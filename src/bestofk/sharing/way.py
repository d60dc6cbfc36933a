"""What a way of sharing work across folds is, the plain way that it must agree with, and folds answered together."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.encoding import encoded
from bestofk.design.folds.base import Fold
from bestofk.design.learners.learner import Learner
from bestofk.sharing.arrays import kernels
from bestofk.sharing.plain_fold import Estimators, class_codes

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
    """A way that takes folds together, else one after the other, and hands those it is not sure of to the plain way."""

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
            return [self._sure(fold, answer) for fold, answer in zip(folds, self.at_once(folds), strict=True)]

    def at_once(self, folds: Sequence[Fold]) -> list[Predictions | None]:
        """Predict folds together; None for those that are to be taken one by one."""
        return [None] * len(folds)

    def shared(self, fold: Fold) -> Predictions | None:
        """Predict one fold from what the folds share; None where rounding might decide."""
        return None

    def _sure(self, fold: Fold, answer: Predictions | None) -> Predictions:
        found = self.shared(fold) if answer is None else answer
        if found is not None:
            return found
        self.plain_folds += 1
        return plain_predictions(self.learner, self.dataset, fold)


#: Scores that are held at once.
MOST_SCORES = 2_000_000


def folds_at_once(rows: int, classes: int) -> int:
    """An even number of folds whose scores fit."""
    return max(2, min(256, MOST_SCORES // (rows * classes)) // 2 * 2)


def largest_scores(
    turned: Array, slopes: Array, offsets: Array, folds: list[Fold], allowed: Array
) -> list[Predictions | None]:
    """Answers of each fold; None where in some row the second score is as large but for what is allowed.

    ``turned`` (columns, rows); ``slopes`` (folds, classes, columns); ``offsets`` (folds, classes), -inf for a class
    without training rows.
    """
    count, classes, columns = slopes.shape
    return leading((slopes.reshape(-1, columns) @ turned).reshape(count, classes, -1), offsets, folds, allowed)


def leading(scores: Array, offsets: Array, folds: list[Fold], allowed: Array) -> list[Predictions | None]:
    """The same from scores of all rows, (folds, classes, rows)."""
    winners: Any = kernels().winners
    answers: list[Predictions | None] = []
    for place, fold in enumerate(folds):
        answer, close = winners(scores[place], offsets[place], fold.test)
        answers.append(None if close <= allowed[place] else answer)
    return answers


Chunk = Callable[[list[Fold]], list[Predictions | None]]


def answered_together(rows: int, classes: int, folds: Sequence[Fold], chunk: Chunk) -> list[Predictions | None]:
    """Answers of all folds; None for those that have no rows or are not sure."""
    found: list[Predictions | None] = [None] * len(folds)
    step = folds_at_once(rows, classes)
    good = [place for place, fold in enumerate(folds) if len(fold.train) and len(fold.test)] if classes > 1 else []
    for at in range(0, len(good), step):
        places = good[at : at + step]
        for place, answer in zip(places, chunk([folds[place] for place in places]), strict=True):
            found[place] = answer
    return found


def answers_of_good(folds: Sequence[Fold], good: Any, predict: Chunk) -> list[Predictions | None]:
    """Answers of the good folds only, None for the others."""
    chosen = [fold for fold, fine in zip(folds, good, strict=True) if fine]
    answers = iter(predict(chosen) if chosen else [])
    return [next(answers) if fine else None for fine in good]
