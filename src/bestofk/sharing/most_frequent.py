"""The most frequent class: counts of the training rows are all it needs."""

from __future__ import annotations

import numpy as np

from bestofk.design.folds.base import Fold
from bestofk.sharing.arrays import kernels
from bestofk.sharing.case import Case
from bestofk.sharing.way import FoldByFold, Predictions


def share(case: Case) -> MostFrequent | None:
    """Recognise ``DummyClassifier`` that answers with the most frequent class."""
    if not case.is_a("DummyClassifier") or not case.differs_only_in("strategy", "random_state"):
        return None
    if case.estimator.strategy not in ("most_frequent", "prior"):
        return None
    return MostFrequent(case)


class MostFrequent(FoldByFold):
    """Of equally frequent classes the one with the lowest code, as in the plain way."""

    name = "class counts"

    def __init__(self, case: Case) -> None:
        super().__init__(case.learner, case.dataset)
        self._codes = self.y.astype(np.min_scalar_type(self.classes - 1))  # small numbers are read faster
        self._counts = np.zeros(self.classes, dtype=np.int64)
        self._constant = np.repeat(np.arange(self.classes)[:, None], case.dataset.rows, axis=1)
        self._constant.flags.writeable = False
        self._winner = kernels().most_frequent

    def shared(self, fold: Fold) -> Predictions | None:
        """Count the classes of the training rows; the answers of all folds are parts of one constant array."""
        if not len(fold.train) or not len(fold.test):
            return None
        code = int(self._winner(self._codes, fold.train, self._counts))
        return self._constant[code, : len(fold.test)]
