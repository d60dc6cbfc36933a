"""Quadratic discriminant that also answers where a class has fewer rows than columns, or one row."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from bestofk.core.arrays import Array


class CompleteQDA(QuadraticDiscriminantAnalysis):  # type: ignore[misc]
    """scikit-learn's discriminant, which refuses classes of at most as many rows as columns, whatever ``reg_param``.

    Here directions in which a class does not vary have the variance ``reg_param``, as they have in a class with enough
    rows; a class of one row varies in none. With ``reg_param=0`` scikit-learn's refusal stands.
    """

    def fit(self, X: Any, y: Any) -> CompleteQDA:
        """Learn mean, share and covariance of every class."""
        plain = self.shrinkage is None if hasattr(self, "shrinkage") else True
        if self.reg_param == 0.0 or not plain or getattr(self, "solver", "svd") != "svd":
            super().fit(X, y)
            return self
        self._validate_params()
        X, y = validate_data(self, X, y)
        check_classification_targets(y)
        self.classes_, counts = np.unique(y, return_counts=True)
        if len(self.classes_) < 2:
            raise ValueError(f"The number of classes has to be greater than one. Got {len(self.classes_)} class.")
        self.priors_ = self._shares(counts)
        rows = [X[y == label] for label in self.classes_]
        self.means_ = np.array([each.mean(axis=0) for each in rows])
        found = [self._directions(each) for each in rows]
        self.scalings_, self.rotations_ = [each[0] for each in found], [each[1] for each in found]
        if self.store_covariance:
            self.covariance_ = [(variances * turn) @ turn.T for variances, turn in found]
        return self

    def _shares(self, counts: npt.NDArray[np.intp]) -> Array:
        if self.priors is None:
            return np.asarray(counts / counts.sum())
        if len(self.priors) != len(counts):
            raise ValueError(f"there are {len(self.priors)} priors for {len(counts)} classes.")
        return np.array(self.priors)

    def _directions(self, rows: Array) -> tuple[Array, Array]:
        """Variances and directions of one class, as many as there are columns."""
        count, columns = rows.shape
        whole = count < columns  # only then are directions missing; U would be large otherwise
        _, values, directions = np.linalg.svd(rows - rows.mean(axis=0), full_matrices=whole)
        variances = np.zeros(columns)
        variances[: len(values)] = np.square(values) / count
        return (1.0 - self.reg_param) * variances + self.reg_param, directions.T
