"""Penalised logistic regressions of many folds of one data set: scores and gradients by products of matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from bestofk.collecting.sharing.kernels import compiled_wanted
from bestofk.stats.arrays import Array


@dataclass(frozen=True, eq=False)
class Models:
    """M models on the same rows: ``times`` (rows, M) says how often each trains on a row.

    ``penalty`` (M, columns) is that of each weight; the last column of ``rows`` is 1 and its weight is free. Weights
    are (M, classes · columns); two classes have one score, of the second.
    """

    rows: Array
    y: Any
    times: Array
    present: Any
    penalty: Array

    @property
    def scores_each(self) -> int:
        """Scores per model and row."""
        return 1 if self.present.shape[1] == 2 else int(self.present.shape[1])

    def scores(self, weights: Array) -> Array:
        """Scores of all rows, (rows, M · scores)."""
        product: Array = self.rows @ weights.reshape(-1, self.rows.shape[1]).T
        return product

    def gradient(self, weights: Array, scores: Array) -> Array:
        """Gradient of the penalised loss in all weights, (M, classes · columns)."""
        residuals = np.empty_like(scores)
        if self.scores_each == 1:
            _loops().two_classes(scores, self.y, self.times, residuals)
        else:
            _loops().several_classes(scores, self.y, self.times, self.present, residuals)
        slopes = (residuals.T @ self.rows).reshape(weights.shape)
        return slopes + np.tile(self.penalty, self.scores_each) * weights

    def only(self, models: Any) -> Models:
        """Some of the models."""
        return Models(self.rows, self.y, self.times[:, models], self.present[models], self.penalty[models])

    def margins(self, scores: Array) -> Array:
        """How far the best class is ahead of the second, (rows, M)."""
        if self.scores_each == 1:
            return np.abs(scores)
        each = np.where(self.present, scores.reshape(len(scores), len(self.present), -1), -np.inf)
        best = each.argmax(axis=2)[:, :, None]
        first = np.take_along_axis(each, best, axis=2)[:, :, 0]
        np.put_along_axis(each, best, -np.inf, axis=2)
        ahead: Array = first - each.max(axis=2)
        return ahead

    def winners(self, scores: Array) -> Any:
        """The best class, (rows, M)."""
        if self.scores_each == 1:
            return (scores > 0).astype(np.intp)
        each = np.where(self.present, scores.reshape(len(scores), len(self.present), -1), -np.inf)
        return each.argmax(axis=2)


def _loops() -> Any:
    if compiled_wanted():
        from bestofk.collecting.sharing import logistic_loops

        return logistic_loops
    from bestofk.collecting.sharing import logistic_arrays

    return logistic_arrays
