"""Linear discriminants of many folds at once: scatter matrices from sums of products, inverted in stacks."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from bestofk.collecting.sharing.fold_fillings import FilledFolds
from bestofk.collecting.sharing.fold_matrix import CONSTANT, FINEST, FoldMatrix
from bestofk.collecting.sharing.fold_sums import FoldSums, ManyMoments
from bestofk.collecting.sharing.least_norm import LeftOut, least_norm_solutions
from bestofk.collecting.sharing.linear_scores import largest_scores
from bestofk.collecting.sharing.way import Predictions
from bestofk.core.arrays import Array
from bestofk.design.folds.base import Fold

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
    constant = matrix.values.std(axis=0) <= CONSTANT
    if not matrix.whole_numbers(matrix.values[0], constant):
        constant[:] = False  # their means round, and the plain way sees a spread
    return np.setdiff1d(np.flatnonzero(~constant), commonest_categories(matrix))


def commonest_categories(matrix: FoldMatrix) -> list[int]:
    """The column of the commonest category of every nominal feature that has any."""
    parts = zip(matrix.numbers + matrix.data.offsets, matrix.data.sizes, strict=True)
    return [int(start + matrix.mean[start : start + size].argmax()) for start, size in parts if size]


def small_enough(matrix: FoldMatrix, classes: int) -> bool:
    """Whether the products of all pairs of columns, those of the gaps among them, fit."""
    columns = matrix.columns + len(matrix.filling.gappy) + len(matrix.filling.open)
    return len(matrix.values) * columns * (columns + 1) // 2 <= MOST_PRODUCTS and matrix.columns > 0 and classes > 1


class ManyDiscriminants:
    """Made once; folds that lack a class, are not clear, or might be refused by the plain way, get None."""

    def __init__(self, matrix: FoldMatrix, sums: FoldSums, tol: float) -> None:
        self.matrix, self.sums, self.tol = matrix, sums, tol
        self.keep = independent_columns(matrix)
        left_out = np.array(commonest_categories(matrix), dtype=np.intp)
        self.left_out = LeftOut(matrix, self.keep, left_out)
        every = np.concatenate([self.keep, left_out])
        self.exact, self.scaled = _flat_or_clearly_not(matrix)[every], scaled_columns(matrix)[every]
        self.products, with_gaps = sums.products(self.keep), sums.with_gaps(self.keep)
        self.values, self.turned = sums.values[:, with_gaps], np.ascontiguousarray(sums.turned[with_gaps])
        self.classes = [slice(start, stop) for start, stop in pairwise(sums.ends)]

    def predict(self, folds: list[Fold]) -> list[Predictions | None]:
        """Class codes of the test rows of each fold."""
        times, rest = self.sums.times(folds)
        filled = self.sums.fillings.of(folds)
        counts = np.stack([times[:, part].sum(axis=1) for part in self.classes], axis=1)
        good = self._usual(counts, filled)
        if not good.all():
            return _without(self, folds, good)
        largest = self.sums.fillings.largest(filled)[:, self.keep]
        filled = filled.among(self.keep, self.matrix.columns)
        means = self._sums(times, filled) / counts[:, :, None]
        second = self.sums.second_moments(times, rest, self.products, (0, len(self.products)), filled)
        slopes, offsets, allowed = self._solved(counts, means, second)
        allowed *= 1.0 + np.abs(offsets).max(axis=1) + np.einsum("fa,fa->f", np.abs(slopes).max(axis=1), largest)
        return largest_scores(self.turned, self.sums.scored(slopes, filled), offsets, folds, allowed)

    def _usual(self, counts: Array, filled: FilledFolds) -> Any:
        """Folds with rows of every class, more of them than columns, and no category that the plain way refuses."""
        refused = self.matrix.preparation.refuses_unseen & ~filled.seen.all(axis=1)
        enough = counts.sum(axis=1) > len(self.keep) + counts.shape[1]
        return (counts > 0).all(axis=1) & enough & ~refused & (len(self.keep) > 0)

    def _sums(self, times: Array, filled: FilledFolds) -> Array:
        """Sums of the kept columns over the training rows of each class, (folds, classes, columns)."""
        both = np.stack([times[:, part] @ self.values[part] for part in self.classes], axis=1)
        own = np.ascontiguousarray(both[:, :, : len(self.keep)])
        filled.add_gap_slopes(own, both[:, :, len(self.keep) :])
        return own

    def _solved(self, counts: Array, means: Array, second: Array) -> tuple[Array, Array, Array]:
        total = counts.sum(axis=1)
        shares = counts / total[:, None]
        second /= total[:, None, None]
        second -= (shares[:, :, None] * means).transpose(0, 2, 1) @ means
        centre = np.einsum("fc,fca->fa", shares, means)
        apart = self.left_out.beside(means - centre[:, None, :])
        correlations, deviation, sure = self._correlations(self.left_out.extended(second), apart)
        apart /= deviation[:, None, :]
        answers, ranks, sizes = least_norm_solutions(correlations, apart, self.tol)
        gram = answers @ apart.transpose(0, 2, 1)
        slopes = self.left_out.moved(answers / deviation[:, None, :])
        offsets = np.log(shares) - 0.5 * np.einsum("fcc->fc", gram) - np.einsum("fca,fa->fc", slopes, centre)
        sure &= _all_directions_kept(gram, shares, ranks, least_share(self.tol))
        return slopes, offsets, np.where(sure, ROUNDING * len(self.keep) * sizes, np.inf)

    def _correlations(self, within: Array, apart: Array) -> tuple[Array, Array, Any]:
        """Correlations within classes, 0 for columns without spread; deviations; and folds whose spreads are clear."""
        spread = np.einsum("faa->fa", within)
        without = (spread < NONE) & self.exact
        sure = ~(~without & (spread < FLAT)).any(axis=1)
        # Columns without spread within classes have no part in the plain way either, unless their means round there.
        sure &= ~((without & self.scaled)[:, None, :] & (np.abs(apart) > CONSTANT)).any(axis=(1, 2))
        deviation = np.sqrt(np.where(without | ~sure[:, None], 1.0, spread))
        factor = np.where(without, 0.0, 1.0 / deviation)
        within *= factor[:, :, None]
        within *= factor[:, None, :]
        within[~sure] = np.eye(within.shape[1])
        return within, deviation, sure


def scaled_columns(matrix: FoldMatrix) -> Any:
    """Columns that the learner sees scaled: even of whole numbers its means then round."""
    wishes = matrix.preparation
    return np.where(np.arange(matrix.columns) < matrix.numbers, wishes.scaled_numbers, wishes.scaled_ones)


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


def least_share(tol: float) -> float:
    """Share of the largest spread of the class means that a direction must have, lest the plain way may drop it."""
    return max(1e-6, 4.0 * tol**2)


def _all_directions_kept(gram: Array, shares: Array, ranks: Any, least: float) -> Any:
    """Whether the plain way's second step, among the class means, drops nothing that counts."""
    if shares.shape[1] == 2:
        return np.ones(len(shares), dtype=bool)
    root = np.sqrt(shares)
    sizes = np.linalg.eigvalsh(gram * root[:, :, None] * root[:, None, :])[:, ::-1]
    there = np.arange(1, shares.shape[1] - 1) < ranks[:, None]
    return (sizes[:, 0] > 0) & ~(there & (sizes[:, 1:-1] < least * sizes[:, :1])).any(axis=1)


def _without(many: Any, folds: list[Fold], good: Any) -> list[Predictions | None]:
    """Answer the good folds only."""
    chosen = [fold for fold, fine in zip(folds, good, strict=True) if fine]
    answers = iter(many.predict(chosen) if chosen else [])
    return [next(answers) if fine else None for fine in good]
