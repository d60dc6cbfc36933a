"""Linear discriminants: one scatter matrix per fold, factored instead of decomposed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg.lapack import dpstrf

from bestofk.collecting.sharing.case import Case
from bestofk.collecting.sharing.fold_matrix import CONSTANT, FoldMatrix
from bestofk.collecting.sharing.fold_sums import FoldSums
from bestofk.collecting.sharing.least_norm import NOTHING
from bestofk.collecting.sharing.many_discriminants import (
    ManyDiscriminants,
    least_share,
    scaled_columns,
    small_enough,
)
from bestofk.collecting.sharing.scatter import ClassRows, class_rows
from bestofk.collecting.sharing.together import answered_together
from bestofk.collecting.sharing.way import FoldByFold, Predictions
from bestofk.core.arrays import Array
from bestofk.design.folds.base import Fold

#: Columns up to which a scatter matrix is made.
WIDEST = 400
#: Scores that differ by this share of the largest, times the condition of the scatter, are left to the plain way.
ROUNDING = 1e-13
#: Folds that tell whether it is worth while to take folds together.
ENOUGH = 8
#: Below this the plain way may keep directions that only rounding gives a spread.
LEAST_TOL = 1e-6


def share(case: Case) -> LinearDiscriminant | None:
    """Recognise ``LinearDiscriminantAnalysis`` by singular values, without shrinkage or given priors."""
    usual = case.differs_only_in("tol", "n_components", "store_covariance")
    if not case.is_a("LinearDiscriminantAnalysis") or not usual or not case.preparation.usable:
        return None
    if not case.estimator.tol >= LEAST_TOL:
        return None
    way = LinearDiscriminant(case)
    return way if way.matrix.columns <= min(WIDEST, case.dataset.rows // 3) else None


class LinearDiscriminant(FoldByFold):
    """The plain way drops directions without spread within classes; so does this, from the eigenvalues.

    Units do not matter: both divide by the spread within classes first.
    """

    name = "one scatter matrix per fold"

    def __init__(self, case: Case) -> None:
        super().__init__(case.learner, case.dataset)
        self.matrix = FoldMatrix(case.dataset, case.preparation)
        self.tol = float(case.estimator.tol)
        self._worth = True

    @cached_property
    def many(self) -> ManyDiscriminants:
        """Made when the first folds come."""
        return ManyDiscriminants(self.matrix, FoldSums(self.matrix, self.y, self.classes), self.tol)

    def all_of(self, folds: Sequence[Fold]) -> list[Predictions]:
        """Class codes of the test rows of each fold: all together, those that are left one by one."""
        found: list[Predictions | None] = [None] * len(folds)
        if self._worth and small_enough(self.matrix, self.classes):
            found = answered_together(len(self.y), self.classes, folds, self.many.predict)
            # Where columns nearly determine one another, no fold is clear: they need not be tried again.
            self._worth = len(folds) < ENOUGH or sum(answer is not None for answer in found) > len(folds) // 4
        return [
            self._sure(fold, self.shared(fold) if answer is None else answer)
            for fold, answer in zip(folds, found, strict=True)
        ]

    def shared(self, fold: Fold) -> Predictions | None:
        """Predict one fold; None where rounding might decide a row, or which directions are dropped."""
        if not len(fold.test) or not self.matrix.learn(fold.train):
            return None
        found = class_rows(self.matrix, self.y, fold.train, self.classes)
        if len(found.codes) < 2 or len(fold.train) <= max(len(found.codes), self.matrix.columns):
            return None
        whitening = self._whitening(found)
        return None if whitening is None else self._scored(fold, found, *whitening)

    def _whitening(self, found: ClassRows) -> tuple[Array, float] | None:
        """Return T with T Tᵀ = the inverse within-class covariance on the kept directions, and its condition."""
        total = len(found.rows)
        apart = found.rows - np.repeat(found.means, found.counts.astype(np.intp), axis=0)
        scatter = apart.T @ apart / total
        deviation = np.sqrt(np.maximum(scatter.diagonal(), 0.0))
        flat = deviation <= CONSTANT
        if flat.any() and self._rounds(found, flat):
            return None
        deviation[flat] = 1.0
        correlation = scatter / deviation / deviation[:, None]
        found_root = root_of_inverse(correlation, self.tol)
        if found_root is not None:
            return found_root[0] / deviation[:, None], found_root[1]
        sizes, directions = np.linalg.eigh(correlation)
        kept = sizes > self.tol**2
        near = (sizes > 0.25 * self.tol**2) & (sizes < 4.0 * self.tol**2)
        if near.any() or not kept.any():
            return None
        condition = float(sizes[-1] / sizes[kept][0])
        return directions[:, kept] / np.sqrt(sizes[kept]) / deviation[:, None], condition

    def _rounds(self, found: ClassRows, flat: Any) -> bool:
        """Whether the plain way's class means of columns without spread may round, so that it sees a spread."""
        whole = all(self.matrix.whole_numbers(mean, flat) for mean in found.means)
        scaled = flat & scaled_columns(self.matrix)
        return not whole or bool((np.ptp(found.means[:, scaled], axis=0) > CONSTANT).any())

    def _scored(self, fold: Fold, found: ClassRows, whitening: Array, condition: float) -> Predictions | None:
        shares = found.counts / found.counts.sum()
        centre = shares @ found.means
        means = (found.means - centre) @ whitening
        if not self._all_directions_kept(means, shares):
            return None
        offsets = np.log(shares) - 0.5 * np.einsum("ij,ij->i", means, means)
        slopes = whitening @ means.T
        rows = self.matrix.values.take(fold.test, axis=0) - centre
        scores = rows @ slopes + offsets
        return decided(scores, found.codes, ROUNDING * condition * (1.0 + np.abs(scores).max()))

    def _all_directions_kept(self, means: Array, shares: Array) -> bool:
        """Whether the plain way's second step, among the class means, drops nothing that counts."""
        if len(shares) == 2:
            return True
        weighted = means * np.sqrt(shares)[:, None]
        sizes = np.linalg.eigvalsh(weighted @ weighted.T)[::-1]
        there = sizes[1 : min(len(shares) - 1, means.shape[1])]  # more there are not
        doubtful = there < least_share(self.tol) * sizes[0]
        return bool(sizes[0] > 0) and not bool(doubtful.any())


def root_of_inverse(correlation: Array, tol: float) -> tuple[Array, float] | None:
    """T with T Tᵀ = the inverse on the directions with spread, and the condition; None where they are not clear.

    From the factor L of the matrix by pivots: T = L (Lᵀ L)⁻¹, and Lᵀ L has the eigenvalues that are not 0.
    """
    factor, pivots, rank, _ = dpstrf(correlation, tol=10.0 * NOTHING, lower=1)
    lower = np.empty((len(factor), rank))
    lower[pivots - 1] = np.tril(factor)[:, :rank]
    gram = lower.T @ lower
    left = abs(float(correlation.trace() - gram.trace()))
    if not rank or left > min(NOTHING, tol**2 / 4.0):
        return None
    inverse = np.linalg.inv(gram)
    size = float(np.linalg.norm(inverse))
    if not 4.0 * tol**2 * size < 1.0:
        return None
    return lower @ inverse, size * float(np.linalg.norm(gram))


def decided(scores: Array, codes: Any, rounding: float) -> Predictions | None:
    """The class of the largest score in every row; None where the second is as large but for rounding."""
    if scores.shape[1] == 2:
        gap = scores[:, 1] - scores[:, 0]
        return None if np.abs(gap).min() <= rounding else codes[(gap > 0).astype(np.intp)]
    two = np.partition(scores, -2, axis=1)[:, -2:]
    if (two[:, 1] - two[:, 0]).min() <= rounding:
        return None
    answer: Predictions = codes[scores.argmax(axis=1)]
    return answer
