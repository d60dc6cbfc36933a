"""Gaussian naive Bayes: means and variances of the columns in each class."""

from __future__ import annotations

import numpy as np

from bestofk.core.arrays import Array
from bestofk.design.folds.base import Fold
from bestofk.sharing.arrays import kernels
from bestofk.sharing.case import Case
from bestofk.sharing.fold_matrix import FoldMatrix
from bestofk.sharing.moments import Moments, moments_of
from bestofk.sharing.way import FoldByFold, Predictions

#: Log probabilities that differ by this share of themselves are left to the plain way.
ROUNDING = 1e-10


def share(case: Case) -> NaiveBayes | None:
    """Recognise ``GaussianNB`` with any ``var_smoothing``."""
    if not case.is_a("GaussianNB") or not case.differs_only_in("var_smoothing") or not case.preparation.usable:
        return None
    return NaiveBayes(case)


class NaiveBayes(FoldByFold):
    """Variances are summed about the class means, for they may be far smaller than those of the whole data set."""

    name = "class moments"

    def __init__(self, case: Case) -> None:
        super().__init__(case.learner, case.dataset)
        self.matrix = FoldMatrix(case.dataset, case.preparation)
        self.smoothing = float(case.estimator.var_smoothing)
        self.kernels = kernels()

    def shared(self, fold: Fold) -> Predictions | None:
        """Predict one fold; None where two classes are equally likely but for rounding."""
        if not self.matrix.learn(fold.train):
            return None
        values, train = self.matrix.values, fold.train
        found = moments_of(self.matrix, self.y, train, self.classes, self.kernels)
        if len(found.codes) < 2:
            return None
        every = np.zeros((self.classes, self.matrix.columns))
        every[found.codes] = found.means
        spreads = self.kernels.class_spreads(values, self.y, train, every)[found.codes]
        variances = self._smoothed(found, spreads)
        if not (variances > 0).all():
            return None
        offsets = np.log(found.counts / found.rows) - 0.5 * np.log(variances).sum(axis=1)
        settled = (values, fold.test, found.codes, found.means, 1.0 / variances, offsets, ROUNDING)
        answer, unsure = self.kernels.likeliest(*settled)
        return None if unsure else answer

    def _smoothed(self, found: Moments, spreads: Array) -> Array:
        """Variances with a share of the largest one added, in the units of the matrix."""
        largest = ((found.deviation * found.units) ** 2).max()
        smoothed: Array = spreads / found.counts[:, None] + self.smoothing * largest / found.units**2
        return smoothed
