"""Solving with scatter matrices that may be singular: whole batches of well-conditioned ones, the rest one by one.

A column that never varies, or one that is a sum of others (the four counts of a 2×2 table), makes a scatter
matrix singular. Rank decisions are made after scaling every measure to unit spread, so that they do not depend on
the units.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bestofk.stats.intake import Array

#: Smallest pivot of a correlation matrix that the plain factorisation is trusted with.
_SAFE_PIVOT = 1e-7


def cholesky(matrix: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
    """Return lower factors of a batch (..., p, p) of unit-diagonal matrices, and which of them are well-conditioned.

    Loops over p, not over the batch: p is small and the batch is not.
    """
    p = matrix.shape[-1]
    factor = np.zeros(matrix.shape)
    safe = np.ones(matrix.shape[:-2], dtype=bool)
    for j in range(p):
        row = factor[..., j, :j]
        pivot = matrix[..., j, j] - np.square(row).sum(axis=-1)
        good = pivot > _SAFE_PIVOT
        safe &= good
        root = np.sqrt(np.where(good, pivot, 1.0))
        factor[..., j, j] = root
        for i in range(j + 1, p):
            factor[..., i, j] = (matrix[..., i, j] - (factor[..., i, :j] * row).sum(axis=-1)) / root
    return factor, safe


def forward(factor: Array, right: Array) -> Array:
    """Solve factor · x = right for a batch of lower triangles (..., p, p) and vectors (..., p)."""
    x = np.empty(right.shape)
    for i in range(right.shape[-1]):
        x[..., i] = (right[..., i] - (factor[..., i, :i] * x[..., :i]).sum(axis=-1)) / factor[..., i, i]
    return x


def backward(factor: Array, right: Array) -> Array:
    """Solve factorᵀ · x = right."""
    x = np.empty(right.shape)
    for i in range(right.shape[-1] - 1, -1, -1):
        below = (factor[..., i + 1 :, i] * x[..., i + 1 :]).sum(axis=-1)
        x[..., i] = (right[..., i] - below) / factor[..., i, i]
    return x
