"""Least-norm solutions of many singular systems as compiled loops (extra ``fast``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need

numba = need("numba", purpose="the compiled discriminants of shared folds")


def _less(row: Any, factors: Any, others: Any) -> None:
    """Subtract multiples of other rows, four at a time."""
    count, size = factors.shape[0], row.shape[0]
    whole = count // 4 * 4
    for at in range(0, whole, 4):
        one, two, three, four = factors[at], factors[at + 1], factors[at + 2], factors[at + 3]
        a, b, d, e = others[at], others[at + 1], others[at + 2], others[at + 3]
        for c in range(size):
            row[c] -= one * a[c] + two * b[c] + three * d[c] + four * e[c]
    for at in range(whole, count):
        factor, other = factors[at], others[at]
        for c in range(size):
            row[c] -= factor * other[c]


def _exchange(matrix: Any, upper: Any, left: Any, order: Any, rank: int, best: int) -> None:
    """Bring a column to the place of the next pivot."""
    order[rank], order[best] = order[best], order[rank]
    left[rank], left[best] = left[best], left[rank]
    for c in range(matrix.shape[0]):
        matrix[rank, c], matrix[best, c] = matrix[best, c], matrix[rank, c]
    for c in range(matrix.shape[0]):
        matrix[c, rank], matrix[c, best] = matrix[c, best], matrix[c, rank]
    for above in range(rank):
        upper[above, rank], upper[above, best] = upper[above, best], upper[above, rank]


def _factored(matrix: Any, upper: Any, order: Any, least: float) -> Any:
    """Rows of U with C = Uᵀ U in the order of pivots, which ``order`` gets; returns rank and diagonal left over."""
    size = matrix.shape[0]
    left = np.diag(matrix).copy()
    for rank in range(size):
        best = rank + np.argmax(left[rank:])
        if not left[best] > least:
            return rank, np.abs(left[rank:]).sum()
        exchange(matrix, upper, left, order, rank, best)
        row = upper[rank, rank:]
        row[:] = matrix[rank, rank:]
        less(row, upper[:rank, rank].copy(), upper[:rank, rank:])
        scale = 1.0 / np.sqrt(left[rank])
        for c in range(size - rank):
            row[c] *= scale
            left[rank + c] -= row[c] * row[c]
    return size, 0.0


def _inverse_of_triangle(upper: Any, rank: int, inverse: Any) -> float:
    """The inverse of the triangle of the pivots; returns the sum of its squares, the trace of the inverse of Uᵀ U."""
    total = 0.0
    for line in range(rank - 1, -1, -1):
        row = inverse[line, :rank]
        row[:] = 0.0
        row[line] = 1.0
        less(row[line + 1 :], upper[line, line + 1 : rank].copy(), inverse[line + 1 : rank, line + 1 : rank])
        scale = 1.0 / upper[line, line]
        for c in range(line, rank):
            row[c] *= scale
            total += row[c] * row[c]
    return total


def _take_out(row: Any, units: Any) -> None:
    """Take out of a row what it has along rows that are orthonormal."""
    for each in range(units.shape[0]):
        along, unit = 0.0, units[each]
        for c in range(row.shape[0]):
            along += row[c] * unit[c]
        for c in range(row.shape[0]):
            row[c] -= along * unit[c]


def _null_vectors(upper: Any, rank: int, inverse: Any, null: Any) -> None:
    """A vector without image for every column that is no pivot, made orthonormal."""
    for each in range(null.shape[0]):
        row, column = null[each], upper[:rank, rank + each].copy()
        row[:] = 0.0
        row[rank + each] = 1.0
        for line in range(rank):
            total, other = 0.0, inverse[line]
            for c in range(line, rank):
                total += other[c] * column[c]
            row[line] = -total
        take_out(row, null[:each])
        take_out(row, null[:each])  # what rounding left the first time
        row /= np.sqrt((row * row).sum())


def _solve(row: Any, rank: int, inverse: Any, null: Any) -> None:
    """C⁺ = Q G Q: without the null vectors, by the pivots, and without the null vectors again."""
    take_out(row, null)
    half = np.zeros(rank)
    for line in range(rank):
        factor, other = row[line], inverse[line]
        for c in range(line, rank):
            half[c] += factor * other[c]
    row[rank:] = 0.0
    for line in range(rank):
        total, other = 0.0, inverse[line]
        for c in range(line, rank):
            total += other[c] * half[c]
        row[line] = total
    take_out(row, null)


def _solutions(stack: Any, right: Any, tol: float, least: float) -> Any:
    """Solutions (folds, classes, columns), ranks, and traces of inverses, inf where directions are not clear."""
    folds, classes, _ = right.shape
    answers, ranks, sizes = np.zeros(right.shape), np.zeros(folds, dtype=np.intp), np.full(folds, np.inf)
    for fold in range(folds):
        order = np.flatnonzero(np.diag(stack[fold]) > 0.0)
        size = len(order)
        matrix, upper, inverse = np.empty((size, size)), np.empty((size, size)), np.empty((size, size))
        for a in range(size):
            for b in range(size):
                matrix[a, b] = stack[fold, order[a], order[b]]
        ranks[fold], rest = factored(matrix, upper, order, 10.0 * least)
        rank = ranks[fold]
        if rank == 0 or rest > least:
            continue
        trace = inverse_of_triangle(upper, rank, inverse)
        if not trace * 4.0 * tol * tol < 1.0:
            continue
        sizes[fold], null = trace, matrix[rank:]
        null_vectors(upper, rank, inverse, null)
        for code in range(classes):
            row = right[fold, code][order]
            solve(row, rank, inverse, null)
            answers[fold, code][order] = row
    return answers, ranks, sizes


# Sums may be taken in another order, so that they run in vector registers; what that could decide is left open.
_compiled = numba.njit(cache=True, nogil=True, fastmath={"reassoc", "nsz", "contract"})
less: Any = _compiled(_less)
exchange: Any = _compiled(_exchange)
factored: Any = _compiled(_factored)
inverse_of_triangle: Any = _compiled(_inverse_of_triangle)
take_out: Any = _compiled(_take_out)
null_vectors: Any = _compiled(_null_vectors)
solve: Any = _compiled(_solve)
solutions: Any = _compiled(_solutions)
