"""Linear discriminants of many folds at once: scatter matrices from sums of products, inverted in stacks."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.collecting.sharing.fold_matrix import CONSTANT, FINEST, FoldMatrix
from bestofk.collecting.sharing.fold_sums import FoldSums, ManyMoments
from bestofk.collecting.sharing.linear_scores import largest_scores
from bestofk.collecting.sharing.way import Predictions
from bestofk.design.folds.base import Fold
from bestofk.stats.arrays import Array

#: Products of columns that are held; share of a variance that is within classes below which sums lose digits.
MOST_PRODUCTS, FLAT = 6_000_000, 1e-3
#: Share that is none at all but for rounding.
NONE = 1e-12
#: Scores that differ by this share of the largest, times the condition of the scatter, are left to others.
ROUNDING = 1e-12
#: Deviation of a matrix times its inverse from 1 up to which it is the inverse.
EXACT = 1e-6


def independent_columns(matrix: FoldMatrix) -> Any:
    """All columns but constant ones and the commonest category of every nominal feature, which the others determine."""
    parts = zip(matrix.numbers + matrix.data.offsets, matrix.data.sizes, strict=True)
    commonest = [start + int(matrix.mean[start : start + size].argmax()) for start, size in parts if size]
    constant = matrix.values.std(axis=0) <= CONSTANT
    if not matrix.whole_numbers(matrix.values[0], constant):
        constant[:] = False  # their means round, and the plain way sees a spread
    return np.setdiff1d(np.flatnonzero(~constant), commonest)


def small_enough(matrix: FoldMatrix, classes: int) -> bool:
    """Whether the products of all pairs of columns, those of the gaps among them, fit."""
    columns = matrix.columns + len(matrix.filling.gappy) + len(matrix.filling.open)
    return len(matrix.values) * columns * (columns + 1) // 2 <= MOST_PRODUCTS and matrix.columns > 0 and classes > 1


class ManyDiscriminants:
    """Made once; folds that lack a class or a category, or are near singular, get None."""

    def __init__(self, matrix: FoldMatrix, sums: FoldSums, tol: float) -> None:
        self.matrix, self.sums, self.tol = matrix, sums, tol
        self.keep = independent_columns(matrix)
        self.exact = _flat_or_clearly_not(matrix)[self.keep]
        self.products = sums.products(self.keep)
        self.turned = np.ascontiguousarray(sums.turned[sums.with_gaps(self.keep)])

    def predict(self, folds: list[Fold]) -> list[Predictions | None]:
        """Class codes of the test rows of each fold."""
        times, rest = self.sums.times(folds)
        filled = self.sums.fillings.of(folds)
        found = self.sums.moments(times, rest, filled)
        good = complete(self.matrix, found) & (found.counts.sum(axis=1) > len(self.keep) + found.counts.shape[1])
        if not good.all():
            return _without(self, folds, good)
        largest = self.sums.fillings.largest(filled)[:, self.keep]
        filled = filled.among(self.keep, self.matrix.columns)
        second = self.sums.second_moments(times, rest, self.products, (0, len(self.products)), filled)
        slopes, offsets, allowed = self._solved(found, second)
        allowed *= 1.0 + np.abs(offsets).max(axis=1) + np.einsum("fa,fa->f", np.abs(slopes).max(axis=1), largest)
        return largest_scores(self.turned, self.sums.scored(slopes, filled), offsets, folds, allowed)

    def _solved(self, found: ManyMoments, second: Array) -> tuple[Array, Array, Array]:
        total = found.counts.sum(axis=1)
        means = (found.sums / found.counts[:, :, None])[:, :, self.keep]
        shares = found.counts / total[:, None]
        within = second / total[:, None, None] - np.einsum("fc,fca,fcb->fab", shares, means, means, optimize=True)
        spread = np.einsum("faa->fa", within).copy()
        # Columns without spread within classes have no part in the plain way either.
        without = (spread < NONE) & self.exact
        fold, column = np.nonzero(without)
        within[fold, column, :] = within[fold, :, column] = 0.0
        within[fold, column, column] = spread[fold, column] = 1.0
        means[np.broadcast_to(without[:, None, :], means.shape)] = 0.0
        flat = (spread < FLAT).any(axis=1)
        within[flat], spread[flat] = np.eye(len(self.keep)), 1.0
        deviation = np.sqrt(spread)
        inverse, trace = inverted(within / deviation[:, :, None] / deviation[:, None, :])
        inverse /= deviation[:, :, None] * deviation[:, None, :]
        centre = np.einsum("fc,fca->fa", shares, means)
        apart = means - centre[:, None, :]
        slopes = apart @ inverse
        gram = slopes @ apart.transpose(0, 2, 1)
        lengths = np.einsum("fcc->fc", gram)
        offsets = np.log(shares) - 0.5 * lengths - np.einsum("fca,fa->fc", slopes, centre)
        unsure = flat | (trace * 4.0 * self.tol**2 > 1.0) | ~_all_directions_kept(gram, shares, len(self.keep))
        return slopes, offsets, np.where(unsure, np.inf, ROUNDING * len(self.keep) * trace)


def _flat_or_clearly_not(matrix: FoldMatrix) -> Any:
    """Columns of numbers whose sums do not round, and whose least spread within classes is far above ``NONE``."""
    values = (matrix.values * matrix.deviation + matrix.mean) * FINEST
    whole = (np.abs(values - np.rint(values)) <= CONSTANT * (1.0 + np.abs(values))).all(axis=0)
    return whole & ((FINEST * matrix.deviation) ** -2.0 / len(values) > 1e3 * NONE)


def complete(matrix: FoldMatrix, found: ManyMoments) -> Any:
    """Folds whose training rows have every class and every category."""
    ones = slice(matrix.numbers, None)
    seen = (found.mean[:, ones] > matrix.zero[ones] + 1e-9).all(axis=1)
    return seen & (found.counts > 0).all(axis=1)


def inverted(stack: Array) -> tuple[Any, Array]:
    """Inverses of correlation matrices, and their traces, at least 1 / the least eigenvalue; inf if singular."""
    inverse: Any
    try:
        inverse = np.linalg.inv(stack)
    except np.linalg.LinAlgError:
        inverse = np.stack([_inverse_or_nan(each) for each in stack])
    diagonal = np.einsum("faa->fa", inverse)
    fine = np.isfinite(inverse).all(axis=(1, 2)) & (diagonal > 0).all(axis=1)
    # Of a singular matrix the elimination may give harmless looking numbers; times the matrix they are far from 1.
    with np.errstate(invalid="ignore", over="ignore"):
        fine &= np.abs(stack @ inverse - np.eye(stack.shape[1])).max(axis=(1, 2)) < EXACT
    inverse[~fine] = np.eye(stack.shape[1])
    return inverse, np.where(fine, np.einsum("faa->f", inverse), np.inf)


def _inverse_or_nan(matrix: Array) -> Any:
    try:
        return np.linalg.inv(matrix)
    except np.linalg.LinAlgError:
        return np.full(matrix.shape, np.nan)


def _all_directions_kept(gram: Array, shares: Array, columns: int) -> Any:
    """Whether the plain way's second step, among the class means, drops nothing that counts."""
    if shares.shape[1] == 2:
        return np.ones(len(shares), dtype=bool)
    root = np.sqrt(shares)
    sizes = np.linalg.eigvalsh(gram * root[:, :, None] * root[:, None, :])[:, ::-1]
    return (sizes[:, 0] > 0) & ~(sizes[:, 1 : min(shares.shape[1] - 1, columns)] < 1e-6 * sizes[:, :1]).any(axis=1)


def _without(many: Any, folds: list[Fold], good: Any) -> list[Predictions | None]:
    """Answer the good folds only."""
    chosen = [fold for fold, fine in zip(folds, good, strict=True) if fine]
    answers = iter(many.predict(chosen) if chosen else [])
    return [next(answers) if fine else None for fine in good]
