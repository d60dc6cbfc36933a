"""Penalised logistic regressions of many folds of one data set: scores and gradients by products of matrices."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bestofk.collecting.sharing.fold_fillings import FilledFolds
from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled_wanted

#: Bytes of scores that are made, turned into residuals and summed while they are in a near cache, and fewest rows.
NEAR, FEWEST = 1_000_000, 256


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns of the matrix, a column of 1, then the gap columns, in single or double precision; and turned."""

    rows: Any
    turned: Any

    @classmethod
    def of(cls, rows: Array, kind: Any) -> Columns:
        """In this precision."""
        kept = np.ascontiguousarray(rows, dtype=kind)
        return cls(kept, np.ascontiguousarray(kept.T))


@dataclass(frozen=True, eq=False)
class Models:
    """M models on the same rows: ``times[which[i]]`` says how often the i-th trains on each row.

    Weights of gap columns follow from the others by what each fold fills in. ``penalty`` (M, columns) is that of each
    weight, 0 for the column of 1; ``units`` (M, columns) are the fold's own, 0 for columns without a weight. Weights
    are (M, scores, columns); two classes have one score, of the second, and ``y`` in floating point. Scores are
    (M · scores, rows).
    """

    y: Any
    times: Any
    which: Any
    present: Any
    penalty: Array
    units: Array
    filled: FilledFolds

    @property
    def scores_each(self) -> int:
        """Scores per model and row."""
        return 1 if self.present.shape[1] == 2 else int(self.present.shape[1])

    def whole(self, weights: Array) -> Array:
        """Weights of all columns, those of the gaps as well."""
        if not self.filled.sources.shape[1]:
            return weights
        return np.concatenate([weights, self.filled.gap_weights(weights)], axis=2)

    def scores(self, weights: Array, columns: Columns) -> Any:
        """Scores of all rows in the precision of the columns."""
        return self._lines(weights, columns) @ columns.turned

    def _lines(self, weights: Array, columns: Columns) -> Any:
        whole = self.whole(weights)
        return whole.reshape(-1, whole.shape[2]).astype(columns.turned.dtype, copy=False)

    def gradient(self, weights: Array, columns: Columns) -> Array:
        """Gradient of the penalised loss in all weights; 0 for columns without one."""
        count, sums = weights.shape[2], self._sums(self._lines(weights, columns), columns)
        slopes = sums.reshape(*weights.shape[:2], -1)
        if self.scores_each > 1:  # residuals of a row add up to 0 over the classes: what does not is rounding
            share = self.present / self.present.sum(axis=1, keepdims=True)
            slopes -= share[:, :, None] * slopes.sum(axis=1, keepdims=True)
        own: Array = slopes[:, :, :count] + self.penalty[:, None, :] * weights
        if self.filled.sources.shape[1]:
            self.filled.add_gap_slopes(own, slopes[:, :, count:])
        own *= (self.units > 0)[:, None, :]
        return own

    def _sums(self, lines: Any, columns: Columns) -> Array:
        """Sums of the columns, each row times its residual, some rows after the others."""
        loops, rows = loops_of_rows(), len(columns.rows)
        loop = loops.two_classes if self.scores_each == 1 else loops.several_classes
        length = max(FEWEST, NEAR // (len(lines) * lines.itemsize))
        length = -(-rows // -(-rows // length))
        sums, room = np.zeros((len(lines), columns.rows.shape[1])), np.empty(len(lines) * length, dtype=lines.dtype)
        for first in range(0, rows, length):
            turned = columns.turned[:, first : first + length]
            scores = np.matmul(lines, turned, out=room[: len(lines) * turned.shape[1]].reshape(len(lines), -1))
            loop(scores, self.y, self.times, self.which, self.present, first)
            sums += scores @ columns.rows[first : first + length]
        return sums

    def only(self, models: Any) -> Models:
        """Some of the models."""
        return replace(
            self,
            which=self.which[models],
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
