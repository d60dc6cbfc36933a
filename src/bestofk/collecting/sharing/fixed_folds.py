"""Nearest neighbour on many folds at once where no fold changes distances: one list, a bit for each fold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bestofk.collecting.sharing import fixed_loops, fold_words
from bestofk.collecting.sharing.case import Case
from bestofk.collecting.sharing.fixed_lists import FixedLists, fixed_lists, takes_products
from bestofk.collecting.sharing.way import Predictions
from bestofk.design.encoding.matrices import matrices_of
from bestofk.design.folds.base import Fold

#: Rows of all folds that are answered at once, and folds at most.
ENTRIES, MOST = 1_000_000, 512


class FixedFolds:
    """Answers every fold: of equally near training rows the lowest, however often and in what order they are there."""

    def __init__(self, lists: FixedLists, y: np.typing.NDArray[np.int64], classes: int) -> None:
        self.lists = (lists.rows, lists.starts, lists.near, lists.ends, lists.rounding)
        self.y, self.digits = y, max(1, (classes - 1).bit_length())
        self.ties = 0

    def predict(self, folds: Sequence[Fold]) -> list[Predictions]:
        """Class codes of the test rows of each fold."""
        step = min(MOST, max(64, ENTRIES // len(self.y) // 64 * 64))
        return [answer for start in range(0, len(folds), step) for answer in self._chunk(folds[start : start + step])]

    def _chunk(self, folds: Sequence[Fold]) -> list[Predictions]:
        words, rows = (len(folds) + 63) // 64, len(self.y)
        trains = np.zeros((words, rows), dtype=np.uint64)
        fold_words.mark(*_flat([fold.train for fold in folds]), trains)
        planes, tied = np.empty((words, self.digits, rows), np.uint64), np.empty((words, rows), np.uint64)
        fixed_loops.search(self.lists, self.y, trains, len(folds), planes, tied)
        tests, starts = _flat([fold.test for fold in folds])
        out = np.empty(len(tests), dtype=np.intp)
        self.ties += fixed_loops.read(planes, tied, tests, starts, out)
        return [out[start:stop] for start, stop in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]


def fixed_folds(case: Case) -> FixedFolds | None:
    """Prepare for many folds; None where folds scale, fill in or encode, or too many rows are equally near."""
    data = matrices_of(case.dataset)
    if case.preparation.scaled_numbers or data.gaps or data.nominal or not np.isfinite(data.numbers).all():
        return None
    y = case.dataset.y.astype(np.int64)
    lists = fixed_lists(data.numbers, y, takes_products(case.estimator, data.numbers.shape[1]))
    return None if lists is None else FixedFolds(lists, y, len(case.dataset.classes))


def _flat(rows: list[np.typing.NDArray[np.intp]]) -> tuple[np.typing.NDArray[np.intp], np.typing.NDArray[np.int64]]:
    """All rows behind one another, and where those of each fold begin."""
    return np.concatenate(rows), np.append(0, np.cumsum([len(each) for each in rows]))
