"""Quadratic discriminants: one scatter matrix per class and fold, of many folds at once where there is a penalty."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import scipy  # which loads its parts when they are used

from bestofk.core.arrays import Array
from bestofk.design.folds.base import Fold
from bestofk.sharing.case import Case
from bestofk.sharing.fold_matrix import FilledFolds, FoldMatrix
from bestofk.sharing.linear_discriminant import WIDEST, complete, decided, small_enough
from bestofk.sharing.moments import ClassRows, FoldSums, ManyMoments, class_rows
from bestofk.sharing.way import FoldByFold, Predictions, answered_together, answers_of_good, leading

#: Scores that differ by this share of the largest, times the condition of the covariances, go to the plain way.
ROUNDING = 1e-13
#: Columns up to which it pays to score all rows of all folds together.
MOST_TOGETHER = 48


def share(case: Case) -> QuadraticDiscriminant | None:
    """Recognise ``QuadraticDiscriminantAnalysis`` by singular values, any ``reg_param``, and bestofk's complete one."""
    usual = case.differs_only_in("reg_param", "tol", "store_covariance")
    known = case.is_a("QuadraticDiscriminantAnalysis") or case.is_ours("CompleteQDA")
    if not known or not usual or not case.preparation.usable:
        return None
    way = QuadraticDiscriminant(case)
    return way if way.matrix.columns <= min(WIDEST, case.dataset.rows // 3) else None


class QuadraticDiscriminant(FoldByFold):
    """Where the plain way refuses a fold (a class with too few rows or without spread), it is asked to say so."""

    name = "one scatter matrix per class and fold"

    def __init__(self, case: Case) -> None:
        super().__init__(case.learner, case.dataset)
        self.matrix = FoldMatrix(case.dataset, case.preparation)
        self.reg, self.tol = float(case.estimator.reg_param), float(case.estimator.tol)
        # The complete one takes classes of any size, unless it leaves the work to scikit-learn's.
        self.complete = case.is_ours("CompleteQDA") and self.reg > 0 and not case.estimator.store_covariance

    @cached_property
    def many(self) -> ManyQuadratics:
        """Made when the first folds come."""
        return ManyQuadratics(self.matrix, FoldSums(self.matrix, self.y, self.classes), self.reg)

    def at_once(self, folds: Sequence[Fold]) -> list[Predictions | None]:
        """Predict all folds where there is a penalty and few columns."""
        together = self.complete and self.matrix.columns <= MOST_TOGETHER
        if not together or not small_enough(self.matrix, self.classes):
            return super().at_once(folds)
        return answered_together(len(self.y), self.classes, folds, self._chunk)

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
        factor, failed = scipy.linalg.lapack.dpotrf(covariance, lower=1, overwrite_a=1)
        if failed:
            return None
        diagonal = factor.diagonal()
        smallest, largest = float(diagonal.min()) ** 2, float(diagonal.max()) ** 2
        if not self.complete and self.reg <= self.tol and smallest <= 4.0 * self.tol:
            return None  # near the spread below which the plain way refuses
        white = scipy.linalg.blas.dtrsm(1.0, factor, (test - found.means[place] * units).T, lower=1)
        return -0.5 * np.einsum("ij,ij->j", white, white) - np.log(diagonal).sum(), largest / smallest


#: Scores that differ by this share of the largest, times the condition of the covariances, are left to others.
ROUNDING_MANY = 1e-12
#: White values that are held at once.
MOST_VALUES = 2_000_000


class ManyQuadratics:
    """Made once, for a share ``reg`` > 0 of the unit matrix in every covariance."""

    def __init__(self, matrix: FoldMatrix, sums: FoldSums, reg: float) -> None:
        self.matrix, self.sums, self.reg = matrix, sums, reg
        self.products = sums.products(np.arange(matrix.columns))

    def predict(self, folds: list[Fold]) -> list[Predictions | None]:
        """Class codes of the test rows of each fold; None where rounding might decide or a class or category lacks."""
        times, rest = self.sums.times(folds)
        filled = self.sums.fillings.of(folds)
        found = self.sums.moments(times, rest, filled)
        # A category that no training row has adds the same to all classes, and nothing in the plain way.
        good = (found.counts > 0).all(axis=1)
        if self.matrix.preparation.refuses_unseen:
            good &= complete(self.matrix, found)
        if not good.all():
            return answers_of_good(folds, good, self.predict)
        units = self.matrix.units(found.deviation)
        means = found.sums / found.counts[:, :, None]
        scores, rounding = [], np.ones(len(folds))
        for code, part in enumerate(zip(self.sums.ends[:-1], self.sums.ends[1:], strict=True)):
            second = self.sums.second_moments(times, rest, self.products, part, filled)
            half, volume, condition = self._whitened(found, second, means[:, code], units, code)
            scores.append(self._class_scores(half, means[:, code], volume, filled))
            rounding = np.maximum(rounding, condition)
        return self._decided(np.stack(scores, axis=1), folds, found, rounding)

    def _whitened(self, found: ManyMoments, second: Array, mean: Array, units: Array, code: int) -> Any:
        """A root of the inverse covariance in the units of the matrix, log of its volume, and the condition."""
        covariance = second / found.counts[:, code, None, None] - mean[:, :, None] * mean[:, None, :]
        covariance *= (1.0 - self.reg) * units[:, :, None] * units[:, None, :]
        np.einsum("faa->fa", covariance)[:] += self.reg
        factor = np.linalg.cholesky(covariance)
        diagonal = np.einsum("faa->fa", factor)
        inverse = np.linalg.inv(factor) * units[:, None, :]
        condition = np.einsum("faa->f", covariance) / self.reg
        return inverse, np.log(diagonal).sum(axis=1), condition

    def _class_scores(self, half: Array, mean: Array, volume: Array, filled: FilledFolds) -> Array:
        """Log density of the class up to a constant for all rows, (folds, rows)."""
        folds, columns, _ = half.shape
        shift = np.einsum("fab,fb->fa", half, mean)
        wide = self.sums.scored(half, filled)
        out = np.empty((folds, self.sums.turned.shape[1]))
        step = max(1, MOST_VALUES // (columns * out.shape[1]))
        for start in range(0, folds, step):
            some = slice(start, min(start + step, folds))
            white = (wide[some].reshape(-1, wide.shape[2]) @ self.sums.turned).reshape(-1, columns, out.shape[1])
            white -= shift[some, :, None]
            np.square(white, out=white)
            out[some] = -0.5 * white.sum(axis=1) - volume[some, None]
        return out

    def _decided(
        self, scores: Array, folds: list[Fold], found: ManyMoments, rounding: Array
    ) -> list[Predictions | None]:
        offsets = np.log(found.counts / found.counts.sum(axis=1)[:, None])
        allowed = ROUNDING_MANY * rounding * (1.0 + np.abs(scores).max(axis=(1, 2)))
        return leading(scores, offsets, folds, allowed)
