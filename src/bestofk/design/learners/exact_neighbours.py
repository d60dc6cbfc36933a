"""Nearest neighbours with exact distances: equal rows are equally far, and ties go to the lowest row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import issparse
from scipy.spatial.distance import cdist
from sklearn.neighbors import KNeighborsClassifier
from sklearn.utils.validation import check_is_fitted, validate_data

from bestofk.core.arrays import Array

#: Distances held at once: 32 MB.
_MOST_DISTANCES = 4_000_000


class ExactNeighbours(KNeighborsClassifier):  # type: ignore[misc]
    """scikit-learn's classifier, whose search leaves open which of several equally far rows it takes.

    Here distances are sums of squared differences, column by column, so that rows with the same values are equally far
    to the last bit; of equally far rows the lowest are taken, and of equally frequent classes the first. Other weights
    and metrics than the default ones are scikit-learn's own affair.
    """

    def predict(self, X: Any) -> Any:
        """Return the most frequent class among the nearest rows."""
        if X is None or not self._plain(X):  # without rows scikit-learn asks each row of the others
            return super().predict(X)
        return self.classes_[self._votes(X).argmax(axis=1)]

    def predict_proba(self, X: Any) -> Any:
        """Return the share of every class among the nearest rows."""
        if X is None or not self._plain(X):
            return super().predict_proba(X)
        return self._votes(X) / self.n_neighbors

    def _plain(self, X: Any) -> bool:
        check_is_fitted(self)
        euclidean = self.metric == "euclidean" or (self.metric == "minkowski" and self.p == 2)
        one_target = not self.outputs_2d_ and not self.metric_params
        return self.weights == "uniform" and euclidean and one_target and not issparse(X) and not issparse(self._fit_X)

    def _votes(self, X: Any) -> Array:
        """Votes of the nearest rows, (rows, classes)."""
        rows = validate_data(self, X, reset=False, dtype=np.float64)
        if self.n_neighbors > len(self._fit_X):
            return np.asarray(super().predict_proba(X))  # scikit-learn's own error
        member = np.eye(len(self.classes_))[self._y]
        return np.concatenate([near @ member for near in self._nearest(rows)])

    def _nearest(self, rows: Array) -> Iterator[Array]:
        """For block after block of rows, which training rows are among the nearest: zeros and ones."""
        step = max(1, _MOST_DISTANCES // len(self._fit_X))
        for start in range(0, len(rows), step):
            yield nearest(cdist(rows[start : start + step], self._fit_X, "sqeuclidean"), self.n_neighbors)


def nearest(distances: Array, k: int) -> Array:
    """Mark the k smallest of every row by 1; of equal ones the first."""
    if k == 1:
        chosen = np.zeros(distances.shape)
        chosen[np.arange(len(distances)), distances.argmin(axis=1)] = 1.0
        return chosen
    last = np.partition(distances, k - 1, axis=1)[:, k - 1 : k]
    inside, edge = distances < last, distances == last
    places_left = k - inside.sum(axis=1, keepdims=True)
    return np.asarray(inside | (edge & (edge.cumsum(axis=1) <= places_left)), dtype=np.float64)
