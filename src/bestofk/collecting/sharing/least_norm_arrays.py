"""Least-norm solutions of many singular systems in numpy, where there is no numba."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.collecting.sharing.many_discriminants import inverted
from bestofk.core.arrays import Array


def solutions(stack: Array, right: Array, tol: float, least: float) -> Any:
    """Solutions (folds, classes, columns), ranks, and traces of inverses, inf where directions are not clear."""
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
