"""Nearest neighbour on many folds at once where no fold changes distances: one list, a bit for each fold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np

from bestofk.collecting.sharing import fixed_search, fold_words
from bestofk.collecting.sharing.case import Case
from bestofk.collecting.sharing.fixed_lists import FixedLists, fixed_lists, takes_products
from bestofk.collecting.sharing.way import Predictions
from bestofk.design.encoding.matrices import matrices_of
from bestofk.design.folds.base import Fold

#: Rows of all folds that are answered at once, and folds at most.
ENTRIES, MOST = 1_000_000, 512
#: Wide enough for ``fixed_search.CLASSES``: memory that is touched for the first time costs more than the search.
CODE = np.int8


class FixedFolds:
    """Answers every fold: of equally near training rows the lowest, however often and in what order they are there."""

    def __init__(self, lists: FixedLists, y: np.typing.NDArray[np.int64], classes: int) -> None:
        self.lists = (lists.rows, lists.starts, lists.near, lists.ends, lists.rounding)
        self.y, self.digits = y, max(1, (classes - 1).bit_length())
        self.ties, self._room, self._codes = 0, np.empty(0, dtype=np.intp), np.empty(0, dtype=np.uint64)

    def predict(self, folds: Sequence[Fold]) -> list[Predictions]:
        """Class codes of the test rows of each fold."""
        step = min(MOST, max(64, ENTRIES // len(self.y) // 64 * 64))
        ends = [0, *accumulate(len(fold.test) for fold in folds)]
        out: Any = np.empty(ends[-1], dtype=CODE)  # one piece: many small ones would cost more than what is put there
        for start in range(0, len(folds), step):
            chunk = folds[start : start + step]
            self._answer(chunk, out[ends[start] : ends[start + len(chunk)]])
        return [out[start:stop] for start, stop in pairwise(ends)]

    def _answer(self, folds: Sequence[Fold], out: Any) -> None:
        words, rows = (len(folds) + 63) // 64, len(self.y)
        trains = np.zeros((words, rows), dtype=np.uint64)
        fold_words.mark(*self._flat([fold.train for fold in folds]), trains)
        if len(self._codes) < words * 8 * rows:
            self._codes = np.empty(words * 8 * rows, dtype=np.uint64)
        codes = self._codes[: words * 8 * rows].reshape(words, 8, rows)
        tables = (fixed_search.MASKS, fixed_search.SPREAD)
        fixed_search.search(self.lists, self.y, trains, len(folds), tables, self.digits, codes)
        self.ties += int(fixed_search.read(codes.view(np.uint8), *self._flat([fold.test for fold in folds]), out))

    def _flat(self, rows: list[Any]) -> tuple[Any, Any]:
        """All rows behind one another, in memory that is used again, and where those of each fold begin."""
        starts = np.array([0, *accumulate(map(len, rows))])
        if len(self._room) < starts[-1]:
            self._room = np.empty(starts[-1], dtype=np.intp)
        return np.concatenate(rows, out=self._room[: starts[-1]]), starts


def fixed_folds(case: Case) -> FixedFolds | None:
    """Prepare for many folds; None where folds scale, fill in or encode, or too many rows are equally near."""
    data = matrices_of(case.dataset)
    if case.preparation.scaled_numbers or data.gaps or data.nominal or not np.isfinite(data.numbers).all():
        return None
    if len(case.dataset.classes) > fixed_search.CLASSES:
        return None
    y = case.dataset.y.astype(np.int64)
    lists = fixed_lists(data.numbers, y, takes_products(case.estimator, data.numbers.shape[1]))
    return None if lists is None else FixedFolds(lists, y, len(case.dataset.classes))
