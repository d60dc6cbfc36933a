"""Nearest neighbours: one list of near rows per data set; a fold looks along it for rows that it trains on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled_wanted
from bestofk.core.frozen import frozen
from bestofk.design.encoding import encoded
from bestofk.design.folds.base import Fold
from bestofk.sharing.case import Case
from bestofk.sharing.neighbours.rows import NeighbourRows, Weights
from bestofk.sharing.way import FoldByFold, Predictions, answers_of_good

#: Kinds in a list: as many as make so many entries in all, within these limits, and more for each vote.
LONGEST, SHORT, LONG, PER_VOTE = 1_500_000, 48, 256, 4


def share(case: Case) -> NearestNeighbours | None:
    """Recognise ``KNeighborsClassifier`` with equal votes and Euclidean distances, and the exact one of bestofk."""
    settings = ("n_neighbors", "algorithm", "leaf_size", "n_jobs", "metric", "p")
    if not (case.is_a("KNeighborsClassifier") or case.is_ours("ExactNeighbours")) or not case.differs_only_in(
        *settings
    ):
        return None
    estimator = case.estimator
    euclidean = estimator.metric == "euclidean" or (estimator.metric == "minkowski" and estimator.p == 2)
    counted = isinstance(estimator.n_neighbors, int) and estimator.n_neighbors >= 1
    if not euclidean or not counted or not case.preparation.usable or case.dataset.rows < 3:
        return None
    if not compiled_wanted():
        return None  # without compiled loops nothing is faster than the plain way's own search
    return NearestNeighbours(case)


def _loops() -> Any:
    from bestofk.sharing.neighbours import loops  # needs numba

    return loops


class NearestNeighbours(FoldByFold):
    """Exact although every fold scales its columns: the list's distances bound those of the fold from below.

    Where equally near rows differ in class, the lowest row of the data set wins. For bestofk's own learner, which
    compares distances to the last bit, rows that are equally near but for rounding are compared in its very numbers.
    """

    name = "one neighbour list"

    def __init__(self, case: Case) -> None:
        super().__init__(case.learner, case.dataset)
        self.case, self.search = case, _loops()
        self.votes = int(case.estimator.n_neighbors)
        self.exact = case.is_ours("ExactNeighbours")
        self.direct = case.learner.make().__class__ is case.estimator.__class__  # no pipeline before it
        self.searched = 0  # kinds of test rows for which the list was too short

    @cached_property
    def rows(self) -> NeighbourRows:
        """Made when first asked for: fixed distances do without."""
        return NeighbourRows(self.dataset, self.case.preparation, self.search.spreads)

    @cached_property
    def lists(self) -> NeighbourLists:
        """Made when the first fold comes."""
        length = min(max(LONGEST // self.rows.count, SHORT), LONG) + PER_VOTE * self.votes
        return neighbour_lists(self.rows, length, self.search.nearest_in_block)

    @cached_property
    def together(self) -> Any:
        """What answers many folds at once; None where that cannot be done."""
        from bestofk.sharing.neighbours.fixed_distances import fixed_folds
        from bestofk.sharing.neighbours.many_folds import word_folds

        if self.votes > 1 or (self.exact and not self.direct):
            return None
        fixed = None if self.exact else fixed_folds(self.case)
        return fixed or word_folds(self.dataset, self.rows, self.learner.encoding.scale if self.exact else None)

    def at_once(self, folds: Sequence[Fold]) -> list[Predictions | None]:
        """Predict many folds with one walk along the lists, where that can be done."""
        if self.together is None:
            return super().at_once(folds)
        before = self.together.ties
        answers = answers_of_good(folds, [len(fold.test) and len(fold.train) for fold in folds], self.together.predict)
        self.ties += self.together.ties - before
        return answers

    def shared(self, fold: Fold) -> Predictions | None:
        """Predict one fold; None where the plain way refuses it or numbers its rows in another order."""
        unsorted = self.exact and bool((fold.train[1:] < fold.train[:-1]).any())
        if unsorted or not len(fold.test) or len(fold.train) < self.votes:
            return None
        lists = self.lists
        counted = self.search.tally(fold.train, self.rows.kind, self.y, self.rows.count)
        weights = self.rows.learn(fold.train, counted[0])
        if weights is None:
            return None
        answer, doubtful, ties, searched, equals = self._search(fold, counted, lists, weights)
        self.ties += int(ties)
        self.searched += int(searched)
        if self.exact and doubtful.any():
            if not self.direct:
                return None
            answer[doubtful] = self._in_its_own_numbers(fold, doubtful, equals)
        codes: Predictions = self.y[answer] if self.votes == 1 else answer
        return codes

    def _search(self, fold: Fold, counted: Any, lists: NeighbourLists, weights: Weights) -> Any:
        settled = (
            (self.rows.numbers, self.rows.levels),
            (weights.number, weights.level, lists.shrink(weights)),
            (lists.kinds, lists.bounds),
            (weights.odd, weights.changed),
        )
        if self.votes == 1:
            return self.search.search_one(*settled, counted, fold.test, self.rows.kind, self.y)
        row_times = np.bincount(fold.train, minlength=len(self.y))
        pairs = self.rows.kind[fold.train] * self.classes + self.y[fold.train]
        by_class = np.bincount(pairs, minlength=self.rows.count * self.classes).reshape(-1, self.classes)
        of_fold = (counted[0], row_times, by_class, self.rows.members, self.votes)
        return self.search.search_many(*settled, of_fold, fold.test, self.rows.kind, self.y)

    def _in_its_own_numbers(self, fold: Fold, doubtful: Any, equals: Any) -> Any:
        """Decide as the learner does, from encoded rows: the nearest row for one vote, the class for more."""
        train, test = encoded(self.dataset, self.learner.encoding, fold.train, fold.test[doubtful])
        if self.votes > 1:
            return self.learner.make().fit(train, self.y[fold.train]).predict(test)
        place = np.full(len(self.y) + 1, -1)  # the last one stands for -1
        place[fold.train] = np.arange(len(fold.train))
        return fold.train[self.search.first_nearest(test, np.ascontiguousarray(train), place[equals[doubtful]])]


#: Distances held at once, random halves that show how much weights vary, and what rounding may take off a distance.
BLOCK, HALVES, SLACK = 2_000_000, 32, 1e-12


@frozen(eq=False)
class NeighbourLists:
    """``kinds[i]`` are near kind i, ``bounds[i]`` their squared distances under the weights ``number`` and ``level``.

    Kinds that are not listed are at least as far as the last one that is. With other weights, at least ``shrink`` times
    these, no distance falls below ``shrink`` times its bound: that is how a fold with its own scaling knows when to
    stop looking.
    """

    kinds: npt.NDArray[np.int32]
    bounds: npt.NDArray[np.float32]
    weights: Array

    def shrink(self, weights: Weights) -> float:
        """The least share of the list's weights that a fold's weights have, over columns that matter in the fold."""
        share = np.concatenate([weights.number, weights.level[:-1]]) / self.weights
        told = share if weights.told.all() else share[weights.told]
        return float(told.min()) * (1.0 - SLACK) if len(told) else 0.0


def neighbour_lists(rows: NeighbourRows, length: int, nearest: Any) -> NeighbourLists:
    """List the nearest kinds of every kind, up to a length."""
    weights = _steady_weights(rows)
    ones = np.zeros((len(rows.numbers), rows.level_count + 1))
    np.put_along_axis(ones, rows.levels.astype(np.intp), 1.0, axis=1)
    table = np.hstack([rows.numbers, ones[:, :-1]]) * np.sqrt(weights)
    return NeighbourLists(*_listed(table, max(1, min(length, len(table) - 1)), nearest), weights)


def _steady_weights(rows: NeighbourRows) -> Array:
    """Weights of the whole data set, less for columns that weigh much less in some halves than others do.

    Those are rare categories and columns with outliers; a bound that holds for them at full weight would be loose for
    every row, although they tell few rows apart.
    """
    count = len(rows.kind)
    usual, _ = rows.weights_in(np.arange(count))
    rng, least = np.random.default_rng(0), np.ones(len(usual))
    for _ in range(HALVES):
        half, told = rows.weights_in(np.sort(rng.permutation(count)[: (count + 1) // 2]))
        least = np.where(told, np.minimum(least, half / np.where(usual > 0, usual, 1.0)), least)
    rows.weights_in(np.arange(count))
    reduced = usual * np.minimum(1.0, least / np.median(least))
    reduced[reduced <= 0] = 1.0  # a category that never occurs
    return reduced


def _listed(table: Array, length: int, nearest: Any) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    squares = np.einsum("ij,ij->i", table, table)
    turned = np.ascontiguousarray(-2.0 * table.T)
    listed = np.empty((len(table), length), dtype=np.int32)
    bounds = np.zeros((len(table), length), dtype=np.float32)
    step = max(1, BLOCK // len(table))
    for start in range(0, len(table), step):
        block = slice(start, min(start + step, len(table)))
        distances = table[block] @ turned
        distances += squares
        found = np.empty((len(distances), length))
        nearest(distances, start, listed, found)
        # Products of matrices and single precision round: a bound must not be above the distance.
        found = (found + squares[block, None] - SLACK * (squares[block, None] + squares.max())) * (1.0 - 1e-6)
        bounds[block] = np.maximum(found, 0.0)
    return listed, bounds
