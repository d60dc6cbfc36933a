"""Nearest mean: class sums of the training rows, one weight per column for the scaling of the fold."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from bestofk.design.folds.base import Fold
from bestofk.sharing.case import Case
from bestofk.sharing.fold_matrix import CONSTANT, FoldMatrix
from bestofk.sharing.moments import FoldSums
from bestofk.sharing.way import FoldByFold, Predictions, answered_together, largest_scores

#: Distances that differ by this share of the squared lengths are left to the plain way.
ROUNDING = 1e-11
#: A mean of zeros and ones that is no further from zero, in deviations of the data set, is rounding.
UNSEEN = 1e-9


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

    @cached_property
    def sums(self) -> FoldSums:
        """Made when the first folds come."""
        return FoldSums(self.matrix, self.y, self.classes)

    def at_once(self, folds: Sequence[Fold]) -> list[Predictions | None]:
        """Predict all folds; None where two means are equally near but for rounding."""
        return answered_together(len(self.y), self.classes, folds, self._chunk)

    def _chunk(self, folds: list[Fold]) -> list[Predictions | None]:
        sums = self.sums
        filled = sums.fillings.of(folds)
        found = sums.moments(*sums.times(folds), filled)
        weights = self.matrix.units(found.deviation) ** 2
        unseen = found.mean[:, self.matrix.numbers :] <= self.matrix.zero[self.matrix.numbers :] + UNSEEN
        weights[:, self.matrix.numbers :][unseen] = 0.0
        with np.errstate(invalid="ignore", divide="ignore"):
            means = np.nan_to_num(found.sums / found.counts[:, :, None])
        slopes = 2.0 * weights[:, None, :] * means
        lengths = 0.5 * (slopes * means).sum(axis=2)
        offsets = np.where(found.counts > 0, -lengths, -np.inf)
        longest = np.einsum("fa,fa->f", weights, sums.fillings.largest(filled) ** 2)
        allowed = ROUNDING * (longest + lengths.max(axis=1))
        # One class alone, no column that varies, or a category that the plain way might refuse: not here.
        odd = ((found.counts > 0).sum(axis=1) < 2) | (found.deviation <= CONSTANT).all(axis=1)
        if self.matrix.preparation.refuses_unseen:
            odd |= unseen.any(axis=1)
        allowed[odd] = np.inf
        return largest_scores(sums.turned, sums.scored(slopes, filled), offsets, folds, allowed)
