"""Penalised logistic regressions of many folds of one data set: scores and gradients by products of matrices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bestofk.collecting.sharing.fold_fillings import FilledFolds
from bestofk.core.compiled import compiled_wanted
from bestofk.stats.arrays import Array


@dataclass(frozen=True, eq=False)
class Models:
    """M models on the same rows: ``times`` (M, rows) says how often each trains on a row.

    ``rows`` have the columns of the matrix, a column of 1, then the gap columns, whose weights follow from the others
    by what each fold fills in. ``penalty`` (M, columns) is that of each weight, 0 for the column of 1; ``units`` (M,
    columns) are the fold's own, 0 for columns without a weight. Weights are (M, scores, columns); two classes have one
    score, of the second, and ``y`` in floating point. Scores are (M · scores, rows).
    """

    rows: Array
    turned: Array
    y: Any
    times: Array
    present: Any
    penalty: Array
    units: Array
    filled: FilledFolds

    @property
    def scores_each(self) -> int:
        """Scores per model and row."""
        return 1 if self.present.shape[1] == 2 else int(self.present.shape[1])

    def scores(self, weights: Array, room: Array | None = None) -> Array:
        """Scores of all rows, written into the first lines of some room."""
        whole = weights
        if self.filled.sources.shape[1]:
            whole = np.concatenate([weights, self.filled.gap_weights(weights)], axis=2)
        lines = whole.reshape(-1, whole.shape[2])
        product: Array = np.matmul(lines, self.turned, out=None if room is None else room[: len(lines)])
        return product

    def gradient(self, weights: Array, scores: Array, room: Array) -> Array:
        """Gradient of the penalised loss in all weights; 0 for columns without one. The room takes the residuals."""
        residuals, columns = room[: len(scores)], weights.shape[2]
        loops = loops_of_rows()
        loop = loops.two_classes if self.scores_each == 1 else loops.several_classes
        loop(scores, self.y, self.times, self.present, residuals)
        slopes = (residuals @ self.rows).reshape(*weights.shape[:2], -1)
        own = slopes[:, :, :columns] + self.penalty[:, None, :] * weights
        if self.filled.sources.shape[1]:
            self.filled.add_gap_slopes(own, slopes[:, :, columns:])
        own *= (self.units > 0)[:, None, :]
        return own

    def only(self, models: Any) -> Models:
        """Some of the models."""
        return replace(
            self,
            times=self.times[models],
            present=self.present[models],
            penalty=self.penalty[models],
            units=self.units[models],
            filled=self.filled.only(models),
        )


def loops_of_rows() -> Any:
    """The loops over rows: compiled where numba is there, in numpy elsewhere."""
    if compiled_wanted():
        from bestofk.collecting.sharing import logistic_loops

        return logistic_loops
    from bestofk.collecting.sharing import logistic_arrays

    return logistic_arrays
