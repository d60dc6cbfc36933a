"""What many folds learn about columns, all at once: fillings, variances, shares of categories, weights of distances."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.collecting.sharing.filling import _joined
from bestofk.collecting.sharing.fold_matrix import CONSTANT
from bestofk.collecting.sharing.near_lists import NearLists
from bestofk.collecting.sharing.neighbour_loops import EQUAL
from bestofk.collecting.sharing.neighbour_rows import NeighbourRows
from bestofk.core.arrays import Array

#: Variances that are small beside the mean's square are summed again without its loss.
SMALL = 1e-3


@dataclass(frozen=True, eq=False)
class FoldWeights:
    """One line per fold: weights of numbers and levels, what is filled in, and how weights differ from the list's.

    ``least`` is the least ratio of the fold's weights to the list's low ones, ``spread`` the largest to its high ones
    over that; both over the columns that vary in the training rows, which are ``told``. ``sure`` marks folds for which
    the bounds of the list hold.
    """

    number: Array
    level: Array
    filled: Array
    modes: npt.NDArray[np.int32]
    medians: Array
    least: Array
    spread: Array
    told: npt.NDArray[np.bool_]
    sure: npt.NDArray[np.bool_]


class FoldWeigher:
    """Learns for many folds from words that say which folds train on a row."""

    def __init__(self, rows: NeighbourRows, lists: NearLists, words: Any) -> None:
        self.rows, self.lists, self.loops = rows, lists, words
        filling, data = rows.filling, rows.data
        gaps = [np.flatnonzero(np.isnan(data.numbers[:, each])) for each in filling.gappy]
        gaps += [np.flatnonzero(data.codes[:, each] < 0) for each in filling.open]
        levels = np.split(filling.level_rows, filling.level_starts[1:-1]) if data.nominal else []
        self._parts = _joined([*levels, *gaps])
        self._known = (data.numbers - rows.mean) / rows.deviation
        filled = np.nan_to_num(self._known)
        self._both = np.ascontiguousarray(np.hstack([filled, filled * filled]))
        self._totals = self._both.sum(axis=0)

    def weigh(self, train: Any, lengths: Any) -> FoldWeights:
        """Learn from the words of the training rows; every fold has at least one."""
        folds, split = len(lengths), self.rows.level_count
        filling = self.rows.filling
        counted = self.loops.counts(train, *self._parts, folds)
        gaps = counted[:, split : split + len(filling.gappy)]
        modes, shares = self._categories(counted, lengths)
        medians, filled = self._medians(train, lengths[:, None] - gaps)
        variance = self._variances(train, lengths, gaps, filled)
        number, varies = self._number_weights(variance)
        level, told = self._level_weights(shares)
        both = np.hstack([varies, told])
        least, spread = self._ratios(number, level, both)
        sure = self._sure(filled, modes) & (spread < np.inf)
        if self.rows.preparation.refuses_unseen:
            sure &= (shares > 0).all(axis=1)
        return FoldWeights(number, level, filled, modes, medians, least, spread, both, sure)

    def _categories(self, counted: Any, lengths: Any) -> tuple[npt.NDArray[np.int32], Array]:
        """Levels that are filled in, and shares of all levels after that."""
        data, filling, split = self.rows.data, self.rows.filling, self.rows.level_count
        counts = counted[:, :split]
        modes = np.full((len(lengths), data.nominal), split, dtype=np.int32)
        for place, feature in enumerate(filling.open):
            start = data.offsets[feature]
            part = counts[:, start : start + data.sizes[feature]]
            some = np.flatnonzero(part.any(axis=1))
            modes[some, feature] = start + part.argmax(axis=1)[some]
            counts[some, modes[some, feature]] += counted[some, split + len(filling.gappy) + place]
        return modes, counts / lengths[:, None]

    def _medians(self, train: Any, known: Any) -> tuple[Array, Array]:
        """Medians in the units of the data and of the kinds, one column for every number."""
        rows, filling = self.rows, self.rows.filling
        medians = np.zeros((len(known), rows.numbers.shape[1]))
        if len(filling.gappy):
            medians[:, filling.gappy] = self.loops.medians(train, *filling.in_order, np.ascontiguousarray(known))
        return medians, (medians - rows.mean) / rows.deviation

    def _variances(self, train: Any, lengths: Any, gaps: Any, filled: Array) -> Array:
        columns = self._known.shape[1]
        if not columns:
            return np.zeros((len(lengths), 0))
        sums = self._sums(train, len(lengths))
        first, second = sums[:, :columns], sums[:, columns:]
        gappy = self.rows.filling.gappy
        first[:, gappy] += gaps * filled[:, gappy]
        second[:, gappy] += gaps * filled[:, gappy] ** 2
        mean = first / lengths[:, None]
        variance: Array = second / lengths[:, None] - mean * mean
        again = np.nonzero(variance <= SMALL * (1.0 + mean * mean))
        if len(again[0]):
            self.loops.variances(train, *again, self._known, filled, variance)
        return variance

    def _sums(self, train: Any, folds: int) -> Array:
        """Sums and sums of squares; of two folds that share no row and leave none out, the second by subtraction."""
        paired = np.flatnonzero(self.loops.complements(train, folds))
        alone = np.setdiff1d(np.arange(folds), paired + 1, assume_unique=True)
        sums = np.empty((folds, self._both.shape[1]))
        sums[alone] = self.loops.as_numbers(train, alone) @ self._both
        sums[paired + 1] = self._totals - sums[paired]
        return sums

    def _number_weights(self, variance: Array) -> tuple[Array, Any]:
        varies = variance > CONSTANT**2
        plain = np.broadcast_to(self.rows.deviation**2, variance.shape)
        if not self.rows.preparation.scaled_numbers:
            return np.ascontiguousarray(plain), varies
        return np.where(varies, 1.0 / np.where(varies, variance, 1.0), plain), varies

    def _level_weights(self, shares: Array) -> tuple[Array, Any]:
        varies = (shares > 0) & (shares < 1)
        weights = np.zeros((len(shares), shares.shape[1] + 1))
        weights[:, :-1] = shares > 0
        if self.rows.preparation.scaled_ones:
            scaled = np.where(varies, shares * (1.0 - shares), 1.0)
            weights[:, :-1] = np.where(varies, 1.0 / scaled, weights[:, :-1])
        return weights, varies

    def _ratios(self, number: Array, level: Array, told: Any) -> tuple[Array, Array]:
        share = np.hstack([number, level[:, :-1]])
        bound = told & (self.lists.low > 0)
        low, high = (np.where(each > 0, each, 1.0) for each in (self.lists.low, self.lists.high))
        least = np.where(bound, share / low, np.inf).min(axis=1, initial=np.inf) * (1.0 - EQUAL)
        least[least == np.inf] = 1.0  # no column bounds anything: any ratio does
        # A column that no half told apart has no largest weight: pairs that differ in it have no bound from above.
        most = np.where(told, np.where(self.lists.high > 0, share / high, np.inf), 0.0).max(axis=1, initial=0.0)
        most[most == 0.0] = 1.0
        return least, most / least * (1.0 + EQUAL)

    def _sure(self, filled: Array, modes: Any) -> Any:
        fillings, filling = self.lists.fillings, self.rows.filling
        inside = (filled >= fillings.low) & (filled <= fillings.high)
        return inside[:, filling.gappy].all(axis=1) & fillings.likely[modes[:, filling.open]].all(axis=1)
