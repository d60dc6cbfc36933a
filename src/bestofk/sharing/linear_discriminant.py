"""Linear discriminants: one scatter matrix per fold, of many folds at once where their columns allow it.

The plain way drops the directions in which the columns, each over its deviation within classes, have no spread: its
slopes are C⁺ m, with C the correlations within classes of all columns and m the class means. The columns of a nominal
feature always determine one another, for they add up to 1, and others may in some folds. Only a row that no training
row resembles tells solutions apart, such as one with a category that the training rows lack: then all must be right.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import scipy  # which loads its parts when they are used

from bestofk.core.arrays import Array
from bestofk.design.folds.base import Fold
from bestofk.sharing.arrays import kernels
from bestofk.sharing.case import Case
from bestofk.sharing.fold_matrix import CONSTANT, FINEST, FilledFolds, FoldMatrix
from bestofk.sharing.moments import ClassRows, FoldSums, ManyMoments, class_rows
from bestofk.sharing.way import FoldByFold, Predictions, answered_together, answers_of_good, largest_scores

#: Spread that is left over when all directions with spread are taken out, at most.
NOTHING = 1e-11


def least_norm_solutions(stack: Array, right: Array, tol: float) -> tuple[Array, Any, Array]:
    """Solutions (folds, classes, columns), ranks, and traces of inverses, inf where directions are not clear."""
    answers, ranks, sizes = kernels().solutions(stack, right, tol, min(NOTHING, tol**2 / 4.0))
    return answers, ranks, sizes


class LeftOut:
    """The column of the commonest category of every nominal feature, which the others of it determine.

    Sums need not be made of them, nor scores: they are 1 less the others, in the units of the data.
    """

    def __init__(self, matrix: FoldMatrix, keep: Any, left_out: Any) -> None:
        ends = matrix.numbers + np.append(matrix.data.offsets, matrix.data.sizes.sum())
        member = np.digitize(left_out, ends)[:, None] == np.digitize(keep, ends)
        # (left out, kept): what a column left out has of each that is kept.
        self.made_of = -np.where(member, matrix.deviation[keep] / matrix.deviation[left_out][:, None], 0.0)

    def extended(self, within: Array) -> Array:
        """Products of kept columns, those of the columns left out behind them, (folds, all, all)."""
        left, kept = self.made_of.shape
        if not left:
            return within
        out = np.empty((len(within), kept + left, kept + left))
        out[:, :kept, :kept] = within
        out[:, kept:, :kept] = self.made_of @ within
        out[:, :, kept:] = out[:, :, :kept] @ self.made_of.T
        return out

    def beside(self, means: Array) -> Array:
        """Deviations of class means from their centre with those of the columns left out, (folds, classes, all)."""
        return np.concatenate([means, means @ self.made_of.T], axis=2)

    def moved(self, slopes: Array) -> Array:
        """Slopes of the kept columns alone, which give the same scores to rows that have exactly one category."""
        kept = slopes.shape[2] - len(self.made_of)
        return slopes[:, :, :kept] + slopes[:, :, kept:] @ self.made_of


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

    def at_once(self, folds: Sequence[Fold]) -> list[Predictions | None]:
        """Predict all folds where their columns allow it."""
        if not self._worth or not small_enough(self.matrix, self.classes):
            return super().at_once(folds)
        found = answered_together(len(self.y), self.classes, folds, self.many.predict)
        # Where columns nearly determine one another, no fold is clear: they need not be tried again.
        self._worth = len(folds) < ENOUGH or sum(answer is not None for answer in found) > len(folds) // 4
        return found

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
    factor, pivots, rank, _ = scipy.linalg.lapack.dpstrf(correlation, tol=10.0 * NOTHING, lower=1)
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


#: Products of columns that are held; share of a variance that is within classes below which sums lose digits.
MOST_PRODUCTS, FLAT = 6_000_000, 1e-3
#: Share that is none at all but for rounding.
NONE = 1e-12
#: Scores that differ by this share of the largest, times the condition of the scatter, are left to others.
ROUNDING_MANY = 1e-12


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
            return answers_of_good(folds, good, self.predict)
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
        return slopes, offsets, np.where(sure, ROUNDING_MANY * len(self.keep) * sizes, np.inf)

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
