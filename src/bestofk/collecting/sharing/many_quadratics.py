"""Quadratic discriminants of many folds at once: a covariance per class from sums of products, inverted in stacks."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.collecting.sharing.fold_fillings import FilledFolds
from bestofk.collecting.sharing.fold_matrix import FoldMatrix
from bestofk.collecting.sharing.fold_sums import FoldSums, ManyMoments
from bestofk.collecting.sharing.kernels import kernels
from bestofk.collecting.sharing.many_discriminants import _without, complete
from bestofk.collecting.sharing.way import Predictions
from bestofk.core.arrays import Array
from bestofk.design.folds.base import Fold

#: Scores that differ by this share of the largest, times the condition of the covariances, are left to others.
ROUNDING = 1e-12
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
            return _without(self, folds, good)
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
        allowed = ROUNDING * rounding * (1.0 + np.abs(scores).max(axis=(1, 2)))
        winners = kernels().winners
        answers: list[Predictions | None] = []
        for place, fold in enumerate(folds):
            answer, close = winners(scores[place], offsets[place], fold.test)
            answers.append(None if close <= allowed[place] else answer)
        return answers
