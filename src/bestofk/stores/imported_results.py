"""What the rows of a table say of their folds: counts, an error, further measures, and whether these agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.measures.counts import error
from bestofk.stores.exporting import COUNTS
from bestofk.tables.table import Table

Values = np.ndarray[Any, Any]
#: How far a written error may be from that of the counts beside it: numbers are rounded when they are written.
ROUNDING = 1e-6


class RowResults:
    """Results by row; ``scores`` are the measures that the cells of the table keep beside their counts.

    They are one list for the whole table, so that its cells are of one plan. The error is among them unless it follows
    from counts wherever there is a result.
    """

    def __init__(self, table: Table, measures: Sequence[str], words: Mapping[str, Sequence[str]]) -> None:
        self._table, self._words = table, words
        rows, counts = len(table), set(COUNTS) <= set(table.names)
        four = np.array([table.numbers(name) for name in COUNTS]) if counts else np.full((4, rows), np.nan)
        self.counted: Values = ~np.isnan(four).any(axis=0)
        tp, fn, fp, tn = np.where(self.counted, four, 0)
        self.matrices: Values = np.stack([tn, fp, fn, tp], axis=-1).reshape(rows, 2, 2)
        told = [table.numbers(name) for name in measures]
        self.there: Values = self.counted | ~np.isnan(np.array(told).reshape(-1, rows)).all(axis=0)
        self.errors = self._errors() if "error" in measures else np.full(rows, np.nan)
        follows = bool(self.counted[self.there].all()) and counts
        self.scores = tuple(name for name in measures if name != "error" or not follows)
        self._two_classes = self._datasets_of_two_classes("error" in measures) if counts else frozenset()

    def has_counts(self, dataset: str, rows: Sequence[int]) -> bool:
        """Whether the rows of a cell have counts; those of one that failed as a whole have what others have there."""
        of_two = bool(self.counted[rows].any() or not self.there[rows].any())
        return of_two and dataset in self._two_classes

    def _datasets_of_two_classes(self, errors: bool) -> frozenset[str]:
        """Those with counts in some row; a table without errors has nothing but counts for any."""
        names = self._words["dataset"]
        return frozenset(name for name, counted in zip(names, self.counted, strict=True) if counted or not errors)

    def _errors(self) -> Values:
        """The error of every row: as the table has it, else from the counts; one that contradicts them is refused."""
        told, computed = self._table.numbers("error"), error(self.matrices)
        far = np.abs(told - computed) > ROUNDING * np.maximum(np.abs(told), np.abs(computed)) + np.finfo(float).eps
        if far.any():  # a comparison with NaN is False
            raise self._contradiction(int(np.flatnonzero(far)[0]), told, computed)
        return np.where(np.isnan(told), computed, told)

    def _contradiction(self, row: int, told: Values, computed: Values) -> InputError:
        learner, dataset, replication, fold = (
            self._words[name][row] for name in ("learner", "dataset", "replication", "fold")
        )
        (tn, fp), (fn, tp) = self.matrices[row]
        return InputError(
            f"the error of {learner} on {dataset} is {told[row]:.10g}, and its counts tp {tp:g}, fn {fn:g}, fp {fp:g}, "
            f"tn {tn:g} give {computed[row]:.10g}.",
            f"{self._table.where(row=row, column='error')}, replication {replication}, fold {fold}",
            "find out which is right; without the column error, the counts say it.",
        )
