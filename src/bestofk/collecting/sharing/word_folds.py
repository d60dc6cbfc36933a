"""Nearest neighbour on many folds at once: words of folds, weights of all folds, one walk along the lists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from bestofk.collecting.sharing import fold_words, near_loops, own_numbers, word_lanes, word_lists, word_search
from bestofk.collecting.sharing.fold_weights import FoldWeigher, FoldWeights
from bestofk.collecting.sharing.near_clearest import Clearest
from bestofk.collecting.sharing.near_lists import NearLists, near_lists
from bestofk.collecting.sharing.near_rare import rare_values
from bestofk.collecting.sharing.neighbour_rows import NeighbourRows
from bestofk.collecting.sharing.way import Predictions
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Fold

#: Entries of words and answers that are held at once, and folds at most and at least.
ENTRIES, MOST, FEWEST = 3_000_000, 512, 64


class WordFolds:
    """Answers whole chunks of folds; those with repeated rows or unusual fillings are left to others (None)."""

    def __init__(self, dataset: Dataset, rows: NeighbourRows, lists: NearLists, scaled: bool | None) -> None:
        self.rows, self.y, self.scaled = rows, dataset.y.astype(np.int64), scaled
        self.lists = (lists.kinds, lists.least, lists.most, lists.beyond)
        self.whole = lists.whole
        self.weigher = FoldWeigher(rows, lists, fold_words)
        numbers, levels = rows.known()
        self.table = (numbers, levels)
        counts = np.bincount(rows.kind, minlength=rows.count)
        self.members = (np.append(0, np.cumsum(counts)), np.argsort(rows.kind, kind="stable"))
        self.pure = _classes_of_kinds(self.y, *self.members)
        self.differs = word_lists.first_different(lists.kinds, self.pure)
        columns = numbers.shape[1]
        self.low = (lists.low[:columns], np.append(lists.low[columns:], 0.0))
        self.apart = np.zeros((0, 0, 4), dtype=np.int32)
        if not columns and not rows.filling.learns:
            self.apart = word_lists.few_mismatches(lists.kinds, levels, rows.level_count)
        self.rare = rare_values(numbers, levels, lists.low, lists.fillings.likely)
        self.clearest = Clearest(numbers, lists)
        self.small = np.min_scalar_type(max(1, len(dataset.classes) - 1))
        self._room = (*(np.empty(word_lanes.LANES, np.float32) for _ in range(3)), np.empty(word_lanes.LANES, np.int32))
        self.ties = self.looked = 0

    @property
    def folds_at_once(self) -> int:
        """Folds in a chunk."""
        return min(MOST, max(FEWEST, ENTRIES // max(1, len(self.y)) // 64 * 64))

    def predict(self, folds: Sequence[Fold]) -> list[Predictions | None]:
        """Class codes of the test rows of each fold."""
        step = self.folds_at_once
        return [
            answer for start in range(0, len(folds), step) for answer in self._chunk([*folds[start : start + step]])
        ]

    def _chunk(self, folds: list[Fold]) -> list[Predictions | None]:
        lengths = np.array([len(fold.train) for fold in folds])
        trains, _, rising = self._words([fold.train for fold in folds])
        if not rising.all() or not lengths.all():
            return self._without(folds, rising & (lengths > 0))
        weights = self.weigher.weigh(trains, lengths)
        if not weights.sure.all():
            return self._without(folds, weights.sure)
        tested, (starts, flat), _ = self._words([fold.test for fold in folds])
        answer = np.empty((len(folds), self.rows.count), dtype=self.small)
        self._search(trains, tested, weights, answer)
        out = word_search.answers(answer, self.rows.kind, flat, starts)
        return [out[start:stop] for start, stop in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]

    def _without(self, folds: list[Fold], good: Any) -> list[Predictions | None]:
        """Answer the good ones only."""
        answers = iter(
            self._chunk([fold for fold, fine in zip(folds, good, strict=True) if fine]) if good.any() else []
        )
        return [next(answers) if fine else None for fine in good]

    def _words(self, rows: list[Any]) -> Any:
        starts = np.append(0, np.cumsum([len(each) for each in rows]))
        flat = np.concatenate(rows)
        words = np.zeros(((len(rows) + 63) // 64, len(self.y)), dtype=np.uint64)
        rising = fold_words.mark(flat, starts, words)
        return words, (starts, flat), rising

    def _search(self, trains: Any, tested: Any, weights: FoldWeights, answer: Any) -> None:
        same = self.rows.count == len(self.y)  # then every kind is a row, in the same order
        of_kind = trains if same else fold_words.together(trains, self.rows.kind, self.rows.count)
        kinds_tested = tested if same else fold_words.together(tested, self.rows.kind, self.rows.count)
        columns = weights.number.shape[1]
        told = (np.ascontiguousarray(weights.told[:, :columns]), np.pad(weights.told[:, columns:], ((0, 0), (0, 1))))
        lost = ~weights.told.all(axis=1)
        learnt = (weights.number, weights.level, weights.filled, weights.modes, weights.least, weights.spread)
        aids = (self.whole, (self.clearest.table, *self.clearest.weights(weights)))
        settled = (*learnt, *told, lost, self.low, self.rows.filling.learns, self.apart, self.rare, aids)
        rows = (trains, self.members, self.y)
        kinds = (of_kind, self.pure, self.differs)
        lanes = word_lanes.lane_weights(weights, self.low)
        more = (self.rows.filling.learns, self.apart, word_lanes.ABSENT, self._room)
        ties, places, equals, looked = word_search.search_words(
            self.table, self.lists, settled, lanes, more, kinds, rows, (kinds_tested, tested), answer
        )
        self.ties += int(ties.sum())
        self.looked += looked
        if self.scaled is not None and len(places):
            self._settle(places, equals, trains, weights, answer)

    def _settle(self, places: Any, equals: Any, trains: Any, weights: FoldWeights, answer: Any) -> None:
        """Decide in the learner's very numbers what rounding might decide."""
        order = np.argsort(places[:, 0], kind="stable")
        places = places[order]
        data, learnt = (*self._own, self.scaled), (weights.medians, weights.modes)
        settled = (places, equals[order], data, learnt, trains, self.rows.first_rows, self.rows.level_count)
        answer[places[:, 0], places[:, 1]] = self.y[own_numbers.own_nearest(*settled)]

    @cached_property
    def _own(self) -> tuple[Any, Any, Any]:
        data = self.rows.data
        levels = np.where(data.codes < 0, -1, data.codes + data.offsets)
        numbers, nominal = np.cumsum(~data.is_nominal) - 1, -np.cumsum(data.is_nominal, dtype=np.intp)
        return data.numbers, levels, np.where(data.is_nominal, nominal, numbers)


def word_folds(dataset: Dataset, rows: NeighbourRows, scaled: bool | None) -> WordFolds | None:
    """Prepare for many folds; ``scaled`` is None where any of equally near rows will do."""
    if scaled is not None and not own_numbers.sums_agree():
        return None
    lists = near_lists(rows, near_loops)
    return None if lists is None else WordFolds(dataset, rows, lists, scaled)


def _classes_of_kinds(y: Any, starts: Any, rows: Any) -> Any:
    """The class of all rows of a kind, or -1 where they differ."""
    least, most = (each.reduceat(y[rows], starts[:-1]) for each in (np.minimum, np.maximum))
    return np.where(least == most, least, -1)
