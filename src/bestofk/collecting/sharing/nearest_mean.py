"""Nearest mean: class sums of the training rows, one weight per column for the scaling of the fold."""

from __future__ import annotations

from bestofk.collecting.sharing.case import Case
from bestofk.collecting.sharing.class_moments import moments_of
from bestofk.collecting.sharing.fold_matrix import CONSTANT, FoldMatrix
from bestofk.collecting.sharing.kernels import kernels
from bestofk.collecting.sharing.way import FoldByFold, Predictions
from bestofk.design.folds.base import Fold

#: Distances that differ by this share of the squared lengths are left to the plain way.
ROUNDING = 1e-11


def share(case: Case) -> NearestMean | None:
    """Recognise ``NearestCentroid`` with its usual settings."""
    if not case.is_a("NearestCentroid") or not case.differs_only_in() or not case.preparation.usable:
        return None
    return NearestMean(case)


class NearestMean(FoldByFold):
    """Scaling is no pass over the data: a column's weight in the distance is one over its variance in the fold."""

    name = "class sums"

    def __init__(self, case: Case) -> None:
        super().__init__(case.learner, case.dataset)
        self.matrix = FoldMatrix(case.dataset, case.preparation)
        self.kernels = kernels()

    def shared(self, fold: Fold) -> Predictions | None:
        """Predict one fold; None where two means are equally near but for rounding."""
        if not self.matrix.learn(fold.train):
            return None
        found = moments_of(self.matrix, self.y, fold.train, self.classes, self.kernels)
        if len(found.codes) < 2 or (found.deviation <= CONSTANT).all():
            return None
        answer, unsure = self.kernels.nearest_means(
            self.matrix.values, fold.test, found.codes, found.means, found.units**2, ROUNDING
        )
        return None if unsure else answer
