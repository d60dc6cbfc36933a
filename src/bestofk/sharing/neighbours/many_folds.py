"""Nearest neighbour on many folds at once: words of folds, weights of all folds, one walk along the lists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.frozen import frozen
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Fold
from bestofk.sharing.fold_matrix import SMALL, joined
from bestofk.sharing.neighbours import fold_words, pair_distances, word_search
from bestofk.sharing.neighbours.loops import EQUAL, nearest_in_block
from bestofk.sharing.neighbours.rows import NeighbourRows
from bestofk.sharing.way import Predictions, answers_of_good

#: Entries of words and answers that are held at once, and folds at most and at least.
ENTRIES, MOST, FEWEST = 3_000_000, 512, 64


class WordFolds:
    """Answers whole chunks of folds; those with repeated rows or unusual fillings are left to others (None)."""

    def __init__(self, dataset: Dataset, rows: NeighbourRows, lists: NearLists, scaled: bool | None) -> None:
        self.rows, self.y, self.scaled = rows, dataset.y.astype(np.int64), scaled
        self.lists = (lists.kinds, lists.least, lists.most, lists.beyond)
        self.whole = lists.whole
        self.weigher = FoldWeigher(rows, lists)
        numbers, levels = rows.known()
        self.table = (numbers, levels)
        self.pure = _classes_of_kinds(self.y, *rows.members)
        self.differs = pair_distances.first_different(lists.kinds, self.pure)
        columns = numbers.shape[1]
        self.low = (lists.low[:columns], np.append(lists.low[columns:], 0.0))
        self.small = np.min_scalar_type(max(1, len(dataset.classes) - 1))
        self._room = (
            *(np.empty(word_search.LANES, np.float32) for _ in range(3)),
            np.empty(word_search.LANES, np.int32),
        )
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
            return answers_of_good(folds, rising & (lengths > 0), self._chunk)
        weights = self.weigher.weigh(trains, lengths)
        if not weights.sure.all():
            return answers_of_good(folds, weights.sure, self._chunk)
        tested, (starts, flat), _ = self._words([fold.test for fold in folds])
        answer = np.empty((len(folds), self.rows.count), dtype=self.small)
        self._search(trains, tested, weights, answer)
        out = word_search.answers(answer, self.rows.kind, flat, starts)
        return [out[start:stop] for start, stop in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True)]

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
        settled = (*learnt, *told, lost, self.low, self.rows.filling.learns, self.whole)
        rows = (trains, self.rows.members, self.y)
        kinds = (of_kind, self.pure, self.differs)
        lanes = word_search.lane_weights(weights, self.low)
        more = (self.rows.filling.learns, word_search.ABSENT, self._room)
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
        answer[places[:, 0], places[:, 1]] = self.y[pair_distances.own_nearest(*settled)]

    @cached_property
    def _own(self) -> tuple[Any, Any, Any]:
        data = self.rows.data
        levels = np.where(data.codes < 0, -1, data.codes + data.offsets)
        numbers, nominal = np.cumsum(~data.is_nominal) - 1, -np.cumsum(data.is_nominal, dtype=np.intp)
        return data.numbers, levels, np.where(data.is_nominal, nominal, numbers)


def word_folds(dataset: Dataset, rows: NeighbourRows, scaled: bool | None) -> WordFolds | None:
    """Prepare for many folds; ``scaled`` is None where any of equally near rows will do."""
    if scaled is not None and not pair_distances.sums_agree():
        return None
    lists = near_lists(rows)
    return None if lists is None else WordFolds(dataset, rows, lists, scaled)


def _classes_of_kinds(y: Any, starts: Any, rows: Any) -> Any:
    """The class of all rows of a kind, or -1 where they differ."""
    least, most = (each.reduceat(y[rows], starts[:-1]) for each in (np.minimum, np.maximum))
    return np.where(least == most, least, -1)


@frozen(eq=False)
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

    def __init__(self, rows: NeighbourRows, lists: NearLists) -> None:
        self.rows, self.lists = rows, lists
        filling, data = rows.filling, rows.data
        gaps = [np.flatnonzero(np.isnan(data.numbers[:, each])) for each in filling.gappy]
        gaps += [np.flatnonzero(data.codes[:, each] < 0) for each in filling.open]
        levels = np.split(filling.level_rows, filling.level_starts[1:-1]) if data.nominal else []
        self._parts = joined([*levels, *gaps])
        self._known = (data.numbers - rows.mean) / rows.deviation
        filled = np.nan_to_num(self._known)
        self._both = np.ascontiguousarray(np.hstack([filled, filled * filled]))
        self._totals = self._both.sum(axis=0)

    def weigh(self, train: Any, lengths: Any) -> FoldWeights:
        """Learn from the words of the training rows; every fold has at least one."""
        folds, split = len(lengths), self.rows.level_count
        filling = self.rows.filling
        counted = fold_words.counts(train, *self._parts, folds)
        gaps = counted[:, split : split + len(filling.gappy)]
        modes, shares = self._categories(counted, lengths)
        medians, filled = self._medians(train, lengths[:, None] - gaps)
        variance = self._variances(train, lengths, gaps, filled)
        number, varies = self.rows.number_weights(variance)
        level, told = self.rows.level_weights(shares)
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
            medians[:, filling.gappy] = fold_words.medians(train, *filling.in_order, np.ascontiguousarray(known))
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
            fold_words.variances(train, *again, self._known, filled, variance)
        return variance

    def _sums(self, train: Any, folds: int) -> Array:
        """Sums and sums of squares; of two folds that share no row and leave none out, the second by subtraction."""
        paired = np.flatnonzero(fold_words.complements(train, folds))
        alone = np.setdiff1d(np.arange(folds), paired + 1, assume_unique=True)
        sums = np.empty((folds, self._both.shape[1]))
        sums[alone] = fold_words.as_numbers(train, alone) @ self._both
        sums[paired + 1] = self._totals - sums[paired]
        return sums

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


#: Kinds in a short and a long list, kinds with varying fillings that are compared pair by pair, distances at once.
LENGTH, LONG, MOST_PAIRWISE, BLOCK = 40, 600, 2_500, 1_000_000
#: Ratio of the largest weight of a column to its least one above which lists are long.
LOOSE = 1.5
#: What single precision may take off a squared distance, as a share of the squared lengths.
SINGLE = 1e-5
#: Random halves that show what folds weigh, and how much further others may go.
HALVES, FURTHER = 64, 0.3
#: Random halves that show what folds fill in: a fold that fills in something else costs as much as a hundred others.
FILLED = 512


@frozen(eq=False)
class Fillings:
    """What folds fill in: numbers from ``low`` to ``high``, categories that are ``likely``; ``steady``: always one."""

    low: Array
    high: Array
    likely: npt.NDArray[np.bool_]
    steady: bool


@frozen(eq=False)
class NearLists:
    """``kinds[i]`` are near kind i in order of ``least``, the least squared distance that any filling gives.

    ``most`` is the largest; kinds that are not listed are at least as far as ``beyond[i]``. Least distances are under
    the weights ``low``, largest under ``high``: those that columns had at least and at most in some random halves. A
    fold's own weights may lie outside; the bounds then hold times the ratios that it finds. ``whole`` are complete
    lists for outliers.
    """

    kinds: npt.NDArray[np.int32]
    least: npt.NDArray[np.float32]
    most: npt.NDArray[np.float32]
    beyond: Array
    low: Array
    high: Array
    fillings: Fillings
    whole: tuple[Any, Any, Any, Any]


def near_lists(rows: NeighbourRows) -> NearLists | None:
    """Make the lists; None where there are too many kinds with gaps for a comparison pair by pair."""
    fillings = _fillings(rows)
    if not fillings.steady and rows.count > MOST_PAIRWISE:
        return None
    low, high = _ranges(rows)
    numbers, levels = rows.known()
    split = numbers.shape[1]
    level_low, level_high = np.append(low[split:], 0.0), np.append(high[split:], 0.0)
    spans = _spans(rows, fillings, level_low, level_high)
    weights = (low[:split], high[:split], level_low, level_high)
    table = (numbers, levels, weights, fillings.low, fillings.high, fillings.likely, *spans)
    length = max(1, min(_length(low, high), rows.count - 1))
    if fillings.steady:
        chosen, beyond = _nearest(_joined(rows, low), length)
    else:
        chosen, beyond = pair_distances.nearest_pairwise(table, length)
    least, most = pair_distances.bounds_of(table, chosen)
    order = np.argsort(least, axis=1, kind="stable")
    listed, least, most = (np.take_along_axis(each, order, axis=1) for each in (chosen, least, most))
    if rows.count - 1 <= length:
        beyond[:] = np.inf
    return NearLists(listed, least, most, beyond, low, high, fillings, whole_lists(table, most, beyond))


def _fillings(rows: NeighbourRows) -> Fillings:
    """Ranges of medians and sets of modes in random halves; a range that is not a point is widened."""
    filling, count = rows.filling, len(rows.kind)
    rng = np.random.default_rng(1)
    likely = np.zeros(rows.level_count + 1, dtype=bool)
    low, high = np.zeros(rows.numbers.shape[1]), np.zeros(rows.numbers.shape[1])
    if not filling.learns:
        return Fillings(low, high, likely, True)
    halves = [np.sort(rng.permutation(count)[: (count + 1) // 2]) for _ in range(FILLED)]
    learnt = [rows.first, *(filling.learn(half) for half in halves)]
    for place, column in enumerate(filling.gappy):
        values = [(each.medians[place] - rows.mean[column]) / rows.deviation[column] for each in learnt]
        wider = 0.5 * (max(values) - min(values))
        low[column], high[column] = min(values) - wider, max(values) + wider
    for place, feature in enumerate(filling.open):
        likely[[rows.level(feature, each.modes[place]) for each in learnt]] = True
    return Fillings(low, high, likely, bool((low == high).all()) and likely.sum() == len(filling.open))


def _ranges(rows: NeighbourRows) -> tuple[Array, Array]:
    """Least and largest weights of the columns in random halves; least 0 for one that is constant in some half."""
    count, rng = len(rows.kind), np.random.default_rng(0)
    halves = [rows.weights_in(np.sort(rng.permutation(count)[: (count + 1) // 2])) for _ in range(HALVES)]
    usual, _ = rows.weights_in(np.arange(count))
    weights, told = (np.stack(each) for each in zip(*halves, strict=True))
    low = np.minimum(usual, np.where(told, weights, 0.0).min(axis=0))
    high = np.maximum(usual, np.where(told, weights, 0.0).max(axis=0))
    safe = np.where(usual > 0, usual, 1.0)  # other halves go further, and most so in columns that vary much
    return low * (low / safe) ** FURTHER, high * np.maximum(1.0, high / safe) ** FURTHER


def _length(low: Array, high: Array) -> int:
    """Longer lists where weights vary much from half to half: more rows may then be nearest."""
    ratio = np.median(high / np.where(low > 0, low, high / LOOSE)) if len(low) else 1.0
    return LENGTH if ratio < LOOSE else LONG


def _spans(rows: NeighbourRows, fillings: Fillings, low: Array, high: Array) -> tuple[Array, Array, Any]:
    """Least and largest weight of what may be filled into each nominal feature, and how many categories may be."""
    least, most = np.zeros(rows.data.nominal), np.zeros(rows.data.nominal)
    several = np.zeros(rows.data.nominal, dtype=np.int64)
    for feature, (start, size) in enumerate(zip(rows.data.offsets, rows.data.sizes, strict=True)):
        may = [*(start + np.flatnonzero(fillings.likely[start : start + size]))]
        if fillings.likely[-1]:
            may.append(len(low) - 1)
        if may:
            least[feature], most[feature], several[feature] = low[may].min(), high[may].max(), len(may)
    return least, most, several


def _joined(rows: NeighbourRows, weights: Array) -> npt.NDArray[np.float32]:
    ones = np.zeros((rows.count, rows.level_count + 1), dtype=np.float32)
    np.put_along_axis(ones, rows.levels.astype(np.intp), np.float32(1.0), axis=1)
    return np.hstack([rows.numbers, ones[:, :-1]]).astype(np.float32) * np.sqrt(weights).astype(np.float32)


def _nearest(table: Any, length: int) -> tuple[npt.NDArray[np.int32], Array]:
    """The nearest kinds by products of matrices in single precision, and what all others are at least as far as."""
    squares = np.einsum("ij,ij->i", table, table)
    turned = np.ascontiguousarray(np.float32(-2.0) * table.T)
    listed, beyond = np.empty((len(table), length), dtype=np.int32), np.empty(len(table))
    step = max(1, BLOCK // len(table))
    for start in range(0, len(table), step):
        block = slice(start, min(start + step, len(table)))
        distances = table[block] @ turned
        distances += squares
        found = np.empty(len(distances))
        if length <= LENGTH:
            near = np.empty((len(distances), length))
            nearest_in_block(distances, start, listed, near)
            found[:] = near[:, -1]
        else:
            _nearest_by_partition(distances, start, listed, found)
        rounding = SINGLE * (squares[block].astype(np.float64) + squares.max())
        beyond[block] = np.maximum(found + squares[block] - rounding, 0.0)
    return listed, beyond


def _nearest_by_partition(distances: Any, start: int, listed: Any, last_of: Array) -> None:
    """What ``nearest_in_block`` does, faster for long lists."""
    lines, length = np.arange(len(distances)), listed.shape[1]
    distances[lines, start + lines] = np.inf
    near = np.argpartition(distances, length - 1, axis=1)[:, :length]
    listed[start : start + len(lines)] = near
    last_of[:] = distances[lines, near[:, -1]]


#: The neighbour that a training half hardly ever lacks all before; entries of whole lists that are held.
USUAL, LINE_ENTRIES = 7, 2_000_000
#: Columns of an outlier in which distances are measured before all others.
FIRST = 8


def whole_lists(table: Any, most: Any, beyond: Array) -> tuple[Any, Any, Any, Any]:
    """The line of each kind or -1, and for every line all kinds with their least distances, nearest first.

    Last, for every line, the columns in which the weights of folds may add most to the least distances.

    A kind has a line where its usual neighbours may be farther than what its list leaves out: it is an outlier, in
    columns whose weights vary much from half to half.
    """
    kinds = len(beyond)
    ratio = most[:, min(USUAL, most.shape[1] - 1)] / np.maximum(beyond, 1e-300)
    chosen = np.argsort(-ratio, kind="stable")[: LINE_ENTRIES // kinds]
    chosen = np.ascontiguousarray(chosen[ratio[chosen] > 1.0])
    least = pair_distances.least_of(table, chosen, kinds)
    order = np.argsort(least, axis=1).astype(np.int32)
    lines = np.full(kinds, -1, dtype=np.int64)
    lines[chosen] = np.arange(len(chosen))
    return lines, order, np.take_along_axis(least, order, axis=1), _telling(table, chosen, order)


def _telling(table: Any, chosen: Any, order: Any) -> Any:
    numbers, (low, high, *_) = table[0], table[2]
    out = np.empty((len(chosen), min(FIRST, numbers.shape[1])), dtype=np.int64)
    for line, kind in enumerate(chosen):
        apart = np.nan_to_num(numbers[order[line, :100]] - numbers[kind])
        out[line] = np.argsort(-(apart * apart).sum(axis=0) * (high - low), kind="stable")[: out.shape[1]]
    return out
