"""Solving with scatter matrices for a whole batch at once.

Arrays here have the design in front and the batch last: (p, p, tests) rather than (tests, p, p). p is small and the
batch is not, so every step over p is one long row, where numpy is fast. A column that never varies, or one that is a
sum of others (the four counts of a 2×2 table), makes a scatter matrix singular; ``cholesky`` says which tests it can
be trusted with, and the callers solve the others one by one. Matrices are scaled to unit diagonal first, so that such
decisions do not depend on the units of a measure.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array

#: Smallest pivot of a correlation matrix that the plain factorisation is trusted with.
_SAFE_PIVOT = 1e-7


def design_first(values: Array, axes: int) -> Array:
    """Turn (..., design) into (design, tests), contiguous.

    Examples
    --------
    >>> design_first(np.zeros((4, 5, 10, 2)), axes=2).shape
    (10, 2, 20)
    """
    flat = values.reshape(-1, *values.shape[-axes:])
    return np.ascontiguousarray(np.moveaxis(flat, 0, -1))


def products(rows: Array) -> Array:
    """Return Σ rows·rowsᵀ over the first axis: (n, p, tests) to (p, p, tests)."""
    p = rows.shape[1]
    matrix = np.empty((p, p, rows.shape[2]))
    for i in range(p):
        for j in range(i + 1):
            matrix[i, j] = matrix[j, i] = np.einsum("nb,nb->b", rows[:, i], rows[:, j])
    return matrix


def correlation(scatter: Array) -> tuple[Array, Array]:
    """Return a scatter matrix scaled to unit diagonal, and the units; a measure without spread keeps unit 1."""
    unit = np.sqrt(np.einsum("iib->ib", scatter))
    unit = np.where(unit > 0, unit, 1.0)
    return scatter / (unit[:, None] * unit[None]), unit


def cholesky(matrix: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Return lower factors of unit-diagonal matrices (p, p, tests), and which of them are well-conditioned."""
    p = len(matrix)
    factor = np.zeros(matrix.shape)
    safe = np.ones(matrix.shape[-1], dtype=bool)
    for j in range(p):
        pivot = matrix[j, j] - np.einsum("ib,ib->b", factor[j, :j], factor[j, :j])
        good = pivot > _SAFE_PIVOT
        safe &= good
        factor[j, j] = np.sqrt(np.where(good, pivot, 1.0))
        for i in range(j + 1, p):
            factor[i, j] = (matrix[i, j] - np.einsum("ib,ib->b", factor[i, :j], factor[j, :j])) / factor[j, j]
    return factor, safe


def forward(factor: Array, right: Array) -> Array:
    """Solve factor · x = right; right is (p, ..., tests)."""
    x = np.empty(right.shape)
    for i in range(len(right)):
        x[i] = (right[i] - np.einsum("jb,j...b->...b", factor[i, :i], x[:i])) / factor[i, i]
    return x


def backward(factor: Array, right: Array) -> Array:
    """Solve factorᵀ · x = right; right is (p, ..., tests)."""
    x = np.empty(right.shape)
    for i in range(len(right) - 1, -1, -1):
        x[i] = (right[i] - np.einsum("jb,j...b->...b", factor[i + 1 :, i], x[i + 1 :])) / factor[i, i]
    return x
