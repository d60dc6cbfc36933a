"""Counts, medians, sums, scores and solutions of folds in numpy: what ``loops`` does, where there is no numba."""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled_wanted


def kernels() -> Any:
    """The module with these functions: compiled loops where numba is there, else this one."""
    if compiled_wanted():
        from bestofk.sharing import loops

        return loops
    return sys.modules[__name__]


def class_sums(values: Any, y: Any, rows: Any, classes: int) -> Any:
    """Rows of each class, sums of their columns, and sums of squares over all classes."""
    chosen, codes = values[rows], y[rows]
    member = (codes == np.arange(classes)[:, None]).astype(np.float64)
    return member.sum(axis=1), member @ chosen, np.einsum("ij,ij->j", chosen, chosen)


def class_spreads(values: Any, y: Any, rows: Any, means: Any) -> Any:
    """Sums of squared deviations from the mean of the class."""
    codes = y[rows]
    apart = values[rows] - means[codes]
    member = (codes == np.arange(len(means))[:, None]).astype(np.float64)
    return member @ (apart * apart)


def likeliest(values: Any, rows: Any, codes: Any, means: Any, inverse: Any, offsets: Any, rounding: float) -> Any:
    """Class of the largest Gaussian score for each row, and how many rows rounding might decide."""
    chosen = values[rows]
    totals = [((chosen - mean) ** 2) @ weight for mean, weight in zip(means, inverse, strict=True)]
    scores = offsets - 0.5 * np.stack(totals, axis=1)
    best = scores.argmax(axis=1)
    size = np.maximum(np.maximum(1.0, np.abs(scores.max(axis=1))), np.abs(offsets[best]))
    return codes[best], _close(scores, rounding * size)


def winners(scores: Any, offsets: Any, rows: Any) -> Any:
    """The class of the largest score for each row, and the least lead over the second."""
    chosen = scores[:, rows] + offsets[:, None]
    two = np.partition(chosen, -2, axis=0)[-2:]
    return chosen.argmax(axis=0), (two[1] - two[0]).min()


def _close(scores: Any, allowed: Any) -> int:
    if scores.shape[1] < 2:
        return 0
    two = np.partition(scores, -2, axis=1)[:, -2:]
    return int((two[:, 1] - two[:, 0] <= allowed).sum())


def most_frequent(y: Any, train: Any, counts: Any) -> int:
    """The code that most training rows have, the lowest of equals."""
    return int(np.bincount(y[train], minlength=len(counts)).argmax())


def medians(starts: Any, order: Any, values: Any, times: Any) -> Any:
    """Medians of sorted columns, the rows of column k at ``starts[k]`` and on; 0 where no training row has a value."""
    parts = [slice(start, stop) for start, stop in pairwise(starts.tolist())]
    return np.array([_median(values[part], times[order[part]]) for part in parts])


def seen(starts: Any, order: Any, times: Any) -> Any:
    """Whether some training row has the category."""
    reached = np.append(0, np.cumsum(times[order] > 0))
    return reached[starts[1:]] > reached[starts[:-1]]


def modes(levels: Any, sizes: Any, times: Any) -> Any:
    """The most frequent category of each column, the first of equals; -1 where all are missing."""
    found = np.full(levels.shape[1], -1)
    for column, size in enumerate(sizes):
        known = levels[:, column] >= 0
        counts = np.bincount(levels[known, column], weights=times[known], minlength=size)
        if counts.any():
            found[column] = counts.argmax()
    return found


def _median(values: Any, times: Any) -> float:
    up_to = np.cumsum(times)
    total = int(up_to[-1]) if len(up_to) else 0
    if not total:
        return 0.0
    low, high = np.searchsorted(up_to, [(total - 1) // 2, total // 2], side="right")
    return float((values[low] + values[high]) / 2)


#: Deviation of a matrix times its inverse from 1 up to which it is the inverse.
EXACT = 1e-6


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
