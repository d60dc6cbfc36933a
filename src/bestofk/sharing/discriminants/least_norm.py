"""Columns that determine one another: what the plain way makes of them, for many folds at once.

The plain way drops the directions in which the columns, each over its deviation within classes, have no spread: its
slopes are C⁺ m, with C the correlations within classes of all columns and m the class means. The columns of a nominal
feature always determine one another, for they add up to 1, and others may in some folds. Only a row that no training
row resembles tells solutions apart, such as one with a category that the training rows lack: then all must be right.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled_wanted
from bestofk.sharing.columns.matrix import FoldMatrix

#: Spread that is left over when all directions with spread are taken out, at most.
NOTHING = 1e-11
#: Deviation of a matrix times its inverse from 1 up to which it is the inverse.
EXACT = 1e-6


def least_norm_solutions(stack: Array, right: Array, tol: float) -> tuple[Array, Any, Array]:
    """Solutions (folds, classes, columns), ranks, and traces of inverses, inf where directions are not clear."""
    solve: Any = solutions
    if compiled_wanted():
        from bestofk.sharing.discriminants.least_norm_loops import solutions as solve
    answers, ranks, sizes = solve(stack, right, tol, min(NOTHING, tol**2 / 4.0))
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


def solutions(stack: Array, right: Array, tol: float, least: float) -> Any:
    """What ``least_norm_loops`` does, in numpy."""
    without = np.einsum("faa->fa", stack) <= 0.0
    filled = stack.copy()
    np.einsum("faa->fa", filled)[without] = 1.0
    inverse, sizes = inverted(filled)
    answers, ranks = right @ inverse, (~without).sum(axis=1)
    for fold in np.flatnonzero(~(sizes * 4.0 * tol**2 < 1.0)):
        answers[fold], ranks[fold], sizes[fold] = _by_eigenvalues(stack[fold], right[fold], tol, least)
    answers[np.broadcast_to(without[:, None, :], answers.shape)] = 0.0
    return answers, ranks, sizes


def _by_eigenvalues(matrix: Array, right: Array, tol: float, least: float) -> tuple[Array, int, float]:
    sizes, directions = np.linalg.eigh(matrix)
    kept = sizes > 4.0 * tol**2
    clear = kept.any() and not (~kept & (np.abs(sizes) > least)).any()
    directions = directions[:, kept]
    answer = right @ directions / sizes[kept] @ directions.T
    return answer, int(kept.sum()), float((1.0 / sizes[kept]).sum()) if clear else np.inf
