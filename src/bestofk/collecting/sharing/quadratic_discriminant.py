"""Quadratic discriminants: one scatter matrix per class and fold, factored instead of decomposed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from scipy.linalg.blas import dtrsm
from scipy.linalg.lapack import dpotrf

from bestofk.collecting.sharing.case import Case
from bestofk.collecting.sharing.fold_matrix import FoldMatrix
from bestofk.collecting.sharing.fold_sums import FoldSums
from bestofk.collecting.sharing.linear_discriminant import WIDEST, decided
from bestofk.collecting.sharing.many_discriminants import small_enough
from bestofk.collecting.sharing.many_quadratics import ManyQuadratics
from bestofk.collecting.sharing.scatter import ClassRows, class_rows
from bestofk.collecting.sharing.together import answered_together
from bestofk.collecting.sharing.way import FoldByFold, Predictions
from bestofk.core.arrays import Array
from bestofk.design.folds.base import Fold

#: Scores that differ by this share of the largest, times the condition of the covariances, go to the plain way.
ROUNDING = 1e-13
#: Columns up to which it pays to score all rows of all folds together.
MOST_TOGETHER = 48


def share(case: Case) -> QuadraticDiscriminant | None:
    """Recognise ``QuadraticDiscriminantAnalysis`` by singular values, any ``reg_param``, and bestofk's complete one."""
    usual = case.differs_only_in("reg_param", "tol", "store_covariance")
    known = case.is_a("QuadraticDiscriminantAnalysis") or _is_complete(case)
    if not known or not usual or not case.preparation.usable:
        return None
    way = QuadraticDiscriminant(case)
    return way if way.matrix.columns <= min(WIDEST, case.dataset.rows // 3) else None


def _is_complete(case: Case) -> bool:
    kind = type(case.estimator)
    return (kind.__module__, kind.__name__) == ("bestofk.design.learners.complete_qda", "CompleteQDA")


class QuadraticDiscriminant(FoldByFold):
    """Where the plain way refuses a fold (a class with too few rows or without spread), it is asked to say so."""

    name = "one scatter matrix per class and fold"

    def __init__(self, case: Case) -> None:
        super().__init__(case.learner, case.dataset)
        self.matrix = FoldMatrix(case.dataset, case.preparation)
        self.reg, self.tol = float(case.estimator.reg_param), float(case.estimator.tol)
        # The complete one takes classes of any size, unless it leaves the work to scikit-learn's.
        self.complete = _is_complete(case) and self.reg > 0 and not case.estimator.store_covariance

    @cached_property
    def many(self) -> ManyQuadratics:
        """Made when the first folds come."""
        return ManyQuadratics(self.matrix, FoldSums(self.matrix, self.y, self.classes), self.reg)

    def all_of(self, folds: Sequence[Fold]) -> list[Predictions]:
        """Class codes of the test rows of each fold: all together, those that are left one by one."""
        found: list[Predictions | None] = [None] * len(folds)
        together = self.complete and self.matrix.columns <= MOST_TOGETHER
        if together and small_enough(self.matrix, self.classes):
            found = answered_together(len(self.y), self.classes, folds, self._chunk)
        return [
            self._sure(fold, self.shared(fold) if answer is None else answer)
            for fold, answer in zip(folds, found, strict=True)
        ]

    def _chunk(self, folds: list[Fold]) -> list[Predictions | None]:
        try:
            return self.many.predict(folds)
        except np.linalg.LinAlgError:
            return [None] * len(folds)

    def shared(self, fold: Fold) -> Predictions | None:
        """Predict one fold; None where rounding might decide a row, or the plain way might refuse."""
        if not len(fold.test) or not self.matrix.learn(fold.train):
            return None
        found = class_rows(self.matrix, self.y, fold.train, self.classes)
        few = not self.complete and found.counts.min() <= self.matrix.columns
        if len(found.codes) < 2 or few:
            return None
        units = self._units(found)
        test = self.matrix.values.take(fold.test, axis=0) * units
        scores, worst = np.empty((len(test), len(found.codes))), 1.0
        for place, share_ in enumerate(found.counts / found.counts.sum()):
            scored = self._class_scores(found, place, units, test)
            if scored is None:
                return None
            scores[:, place] = scored[0] + np.log(share_)
            worst = max(worst, scored[1])
        return decided(scores, found.codes, ROUNDING * worst * (1.0 + np.abs(scores).max()))

    def _units(self, found: ClassRows) -> Array:
        spread = found.rows.std(axis=0) if self.matrix.preparation.scaled_numbers else np.ones(self.matrix.columns)
        return self.matrix.units(spread)

    def _class_scores(self, found: ClassRows, place: int, units: Array, test: Array) -> tuple[Array, float] | None:
        """Log density of a class up to a constant, and the condition of its covariance; None where it has none."""
        count = int(found.counts[place])
        start = int(found.starts[place])
        apart = (found.rows[start : start + count] - found.means[place]) * units
        covariance = (1.0 - self.reg) * (apart.T @ apart) / count
        covariance.flat[:: len(covariance) + 1] += self.reg
        factor, failed = dpotrf(covariance, lower=1, overwrite_a=1)
        if failed:
            return None
        diagonal = factor.diagonal()
        smallest, largest = float(diagonal.min()) ** 2, float(diagonal.max()) ** 2
        if not self.complete and self.reg <= self.tol and smallest <= 4.0 * self.tol:
            return None  # near the spread below which the plain way refuses
        white = dtrsm(1.0, factor, (test - found.means[place] * units).T, lower=1)
        return -0.5 * np.einsum("ij,ij->j", white, white) - np.log(diagonal).sum(), largest / smallest
