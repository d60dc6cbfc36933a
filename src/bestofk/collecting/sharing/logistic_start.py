"""Logistic regression on the whole data set, every row counted as a share: where the folds begin, and their Hessian."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from bestofk.core.arrays import Array

#: What is added to a Hessian of diagonal 1, so that columns that say the same leave it an inverse.
SLACK = 1e-12


def start_of(values: Array, y: Any, units: Array, penalty: float, share: float, scores: int) -> tuple[Array, Array]:
    """Weights (scores, columns and 1) and the inverse Hessian of a training part of this share, in these units."""
    from sklearn.linear_model import LogisticRegression

    # A share of every row with the whole penalty: what a training part has on average.
    newton = LogisticRegression(C=share / penalty, solver="newton-cholesky", tol=1e-6, max_iter=200)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is only where the folds begin, near its optimum or not
        fitted = newton.fit(values * units, y)
    weights = np.hstack([fitted.coef_, fitted.intercept_[:, None]])
    rows = np.column_stack([values * units, np.ones(len(y))])
    return weights, _inverse(share * _hessian(rows, weights, scores), penalty, scores, len(y))


def _hessian(rows: Array, weights: Array, scores_each: int) -> Array:
    scores = rows @ weights.T
    if scores_each == 1:
        sure = 1.0 / (1.0 + np.exp(-np.clip(scores[:, 0], -700.0, 700.0)))
        return (rows * (sure * (1.0 - sure))[:, None]).T @ rows
    power = np.exp(scores - scores.max(axis=1, keepdims=True))
    power /= power.sum(axis=1, keepdims=True)
    columns = rows.shape[1]
    hessian = np.empty((scores_each, columns, scores_each, columns))
    for one in range(scores_each):
        for other in range(one, scores_each):
            weight = power[:, one] * ((one == other) - power[:, other])
            block = (rows * weight[:, None]).T @ rows
            hessian[one, :, other, :], hessian[other, :, one, :] = block, block.T
    return hessian.reshape(scores_each * columns, -1)


def _inverse(hessian: Array, penalty: float, scores_each: int, rows: int) -> Array:
    columns = len(hessian) // scores_each
    kept = np.full(columns, penalty)
    kept[-1] = 1e-6 * rows  # adding the same to the intercepts of all classes changes nothing: some order is needed
    hessian.flat[:: len(hessian) + 1] += np.tile(kept, scores_each)
    if scores_each > 1:  # no large number may drown the others in single precision
        hessian[columns - 1 :: columns, columns - 1 :: columns] += rows / scores_each
    sizes = np.sqrt(hessian.diagonal())  # columns of very different sizes would leave no order to rounding
    hessian /= sizes[:, None] * sizes
    hessian.flat[:: len(hessian) + 1] += SLACK
    factor = cho_factor(hessian, overwrite_a=True, check_finite=False)
    inverse: Array = cho_solve(factor, np.eye(len(hessian)), overwrite_b=True, check_finite=False)
    inverse /= sizes[:, None] * sizes
    return np.ascontiguousarray(inverse)
