"""Nearest neighbour where no fold changes distances: numbers without gaps that nothing scales (extra ``fast``).

One list of near rows for all folds, searched for 64 of them at a time. Classes are found digit by digit, each binary
digit a word that holds it for 64 folds, and kept as bytes: eight folds in a word of eight bytes, the class in the lower
seven bits and a tie in the highest.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.compiled import compiled, inlined
from bestofk.core.frozen import frozen
from bestofk.design.encoding.matrices import matrices_of
from bestofk.design.folds.base import Fold
from bestofk.sharing.case import Case
from bestofk.sharing.neighbours import fold_words
from bestofk.sharing.neighbours.fold_words import ONE, lowest_bit
from bestofk.sharing.neighbours.loops import EQUAL
from bestofk.sharing.way import Predictions

#: Rows in a list at least, itself among them; entries of all lists at most; distances held at once.
LENGTH, LIST_ENTRIES, BLOCK = 20, 20_000_000, 500_000
#: Squares of whole numbers that single precision adds and multiplies without rounding.
WHOLE = 2**22
#: Columns above which ``KNeighborsClassifier`` takes distances from products of matrices, unless told otherwise.
TREE_COLUMNS = 15


@frozen(eq=False)
class FixedLists:
    """``near[starts[i]:starts[i + 1]]`` are the rows near row i, nearest first, of equally near ones the lowest first.

    ``ends`` has, where rows begin that are equally near but for rounding and differ in class, the place where these
    end, less than 0; elsewhere the place where the next rows begin that have another class or are mixed.
    ``rounding[i]`` is what the plain way's own rounding may add to a squared distance of row i.
    """

    rows: Array
    starts: npt.NDArray[np.int64]
    near: npt.NDArray[np.int32]
    ends: npt.NDArray[np.int64]
    rounding: Array


def fixed_lists(rows: Array, y: Any, products: bool) -> FixedLists | None:
    """List the rows near every row; None where so many are equally near that lists would be endless.

    ``products``: the plain way takes distances from products of matrices, which round.
    """
    rows = np.ascontiguousarray(rows)
    whole = _whole(rows)
    table = rows.astype(np.float32) if whole else rows - rows.mean(axis=0)
    share = 0.0 if whole else np.finfo(float).eps * (rows.shape[1] + 4)
    squares, own = (np.einsum("ij,ij->i", each, each) for each in (table, rows))
    rounding = share * (own + own.max()) if products else np.zeros(len(rows))
    unsure = 2.0 * np.maximum(rounding, share * (squares + squares.max()))
    left = np.column_stack([table, squares, np.ones_like(squares)])
    right = np.ascontiguousarray(np.column_stack([-2.0 * table, np.ones_like(squares), squares]).T, dtype=table.dtype)
    length, step = min(LENGTH, len(rows)), max(1, BLOCK // len(rows))
    starts, parts = np.zeros(len(rows) + 1, dtype=np.int64), []
    for start in range(0, len(rows), step):
        block = slice(start, min(start + step, len(rows)))
        distances = left[block] @ right
        counts, near, ends = near_in_block(distances, start, length, rows, y, rounding, unsure)
        starts[start + 1 : block.stop + 1] = starts[start] + np.cumsum(counts)
        parts.append((near, ends + np.where(ends < 0, -starts[start], starts[start])))
        if starts[block.stop] > LIST_ENTRIES:
            return None
    near, ends = (np.concatenate(each) for each in zip(*parts, strict=True))
    return FixedLists(rows, starts, near, ends, rounding)


def takes_products(estimator: Any, columns: int) -> bool:
    """Whether scikit-learn would take distances from products of matrices."""
    return estimator.algorithm == "brute" or (estimator.algorithm == "auto" and columns > TREE_COLUMNS)


def _whole(rows: Array) -> bool:
    """Whether single precision has all products and distances exactly."""
    return bool((rows == np.rint(rows)).all()) and float((rows * rows).sum(axis=1).max()) < WHOLE / 4


#: Rows of all folds that are answered at once, and folds at most.
ENTRIES, MOST = 1_000_000, 512
#: Wide enough for ``CLASSES``: memory that is touched for the first time costs more than the search.
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
        tables = (MASKS, SPREAD)
        search(self.lists, self.y, trains, len(folds), tables, self.digits, codes)
        self.ties += int(read(codes.view(np.uint8), *self._flat([fold.test for fold in folds]), out))

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
    if len(case.dataset.classes) > CLASSES:
        return None
    y = case.dataset.y.astype(np.int64)
    lists = fixed_lists(data.numbers, y, takes_products(case.estimator, data.numbers.shape[1]))
    return None if lists is None else FixedFolds(lists, y, len(case.dataset.classes))


@compiled
def squared_distance(rows: Any, i: int, j: int) -> float:
    """Column after column, as trees of scikit-learn do."""
    total = 0.0
    for f in range(rows.shape[1]):
        apart = rows[i, f] - rows[j, f]
        total += apart * apart
    return total


@compiled
def cutoff(line: Any, length: int, held: Any) -> Any:
    """The distance of the nearest row but so many."""
    count, last = 0, np.inf
    for other in range(line.shape[0]):
        distance = line[other]
        if distance < last:
            place = count if count < length else length - 1
            count = min(count + 1, length)
            while place > 0 and held[place - 1] > distance:
                held[place] = held[place - 1]
                place -= 1
            held[place] = distance
            if count == length:
                last = held[length - 1]
    return held[length - 1]


@compiled
def in_order(near: Any, distances: Any) -> None:
    """Sort by distance, and rows that are equally near but for rounding by number."""
    if near.shape[0] > 300:
        order = np.argsort(distances, kind="mergesort")
        near[:], distances[:] = near[order], distances[order]
    for k in range(1, near.shape[0]):
        row, distance, place = near[k], distances[k], k
        while place > 0 and distances[place - 1] > distance:
            near[place], distances[place] = near[place - 1], distances[place - 1]
            place -= 1
        near[place], distances[place] = row, distance
    begin = 0
    for k in range(1, near.shape[0] + 1):
        if k == near.shape[0] or distances[k] > distances[k - 1] * (1.0 + EQUAL):
            for later in range(begin + 1, k):
                if near[later] < near[later - 1]:
                    near[begin:k] = np.sort(near[begin:k])
                    break
            begin = k


@compiled
def marked(near: Any, distances: Any, y: Any, rounding: float, reach: float, ends: Any) -> int:
    """Write where equally near rows of mixed classes, and else rows of one class, end; the length that is complete."""
    begin, mixed, complete, run = 0, False, 0, 0
    for k in range(1, near.shape[0] + 1):
        if k < near.shape[0] and distances[k] <= distances[k - 1] * (1.0 + EQUAL) + rounding:
            mixed = mixed or y[near[k]] != y[near[begin]]
            continue
        if k == near.shape[0] and distances[k - 1] * (1.0 + EQUAL) + rounding > reach:
            break  # more rows may be as near as these
        if mixed or (begin > run and y[near[begin]] != y[near[run]]):
            ends[run:begin], run = begin, begin
        if mixed:
            ends[begin], run = -k, k
        complete, begin, mixed = k, k, False
    ends[run:complete] = complete
    return complete


@compiled
def near_in_block(distances: Any, first: int, length: int, rows: Any, y: Any, rounding: Any, unsure: Any) -> Any:
    """Lengths of the lists of some rows, the lists one after the other, and where mixed classes in them end."""
    lines, count = distances.shape[0], distances.shape[1]
    room = lines * (length + 8) + count
    near, ends, lengths = np.empty(room, np.int32), np.empty(room, np.int64), np.empty(lines, np.int64)
    held, exact, at = np.empty(length), np.empty(count), 0
    for line in range(lines):
        i = first + line
        limit = cutoff(distances[line], length, held) * (1.0 + 4.0 * EQUAL) + 4.0 * unsure[i]
        if at + count > room:
            near, ends = np.append(near, np.empty(room, np.int32)), np.append(ends, np.empty(room, np.int64))
            room *= 2
        found = 0
        for j in range(count):
            if distances[line, j] <= limit:
                near[at + found] = j
                found += 1
        for k in range(found):
            exact[k] = squared_distance(rows, i, near[at + k])
        in_order(near[at : at + found], exact[:found])
        reach = np.inf if found == count else limit - unsure[i]
        lengths[line] = marked(near[at : at + found], exact[:found], y, rounding[i], reach, ends[at : at + found])
        for k in range(at, at + lengths[line]):
            ends[k] += at if ends[k] > 0 else -at
        at += lengths[line]
    return lengths, near[:at].copy(), ends[:at].copy()


#: Classes that can be told apart, and the binary digits of their codes.
CLASSES, DIGITS = 32, 5
#: For every class and digit a word of ones where the digit is one.
MASKS = np.where((np.arange(CLASSES)[:, None] >> np.arange(DIGITS)) & 1, ~np.uint64(0), np.uint64(0))
#: The eight bits of a byte as eight bytes.
SPREAD = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").view(np.uint64).ravel()

NONE = np.uint64(0)


@compiled
def by_all(i: int, bit: Any, rows: Any, line: Any, y: Any, rounding: float, apart: Any) -> Any:
    """The class of the nearest training row in one fold, among all rows, and whether another class is as near."""
    best, row, tied = np.inf, 0, False
    for j in range(rows.shape[0]):
        apart[j] = squared_distance(rows, i, j) if line[j] & bit else np.inf
        best = min(best, apart[j])
    while apart[row] > best * (1.0 + EQUAL):
        row += 1
    for j in range(rows.shape[0]):
        tied = tied or (apart[j] <= best * (1.0 + EQUAL) + rounding and y[j] != y[row])
    return y[row], tied


@inlined
def write(own: Any, ties: Any, digits: int, spread: Any, i: int, out: Any) -> None:
    """Keep the classes of row i in 64 folds as eight words of eight bytes."""
    for part in range(8):
        shift, whole = np.uint64(8 * part), np.uint64(0)
        for b in range(digits):
            whole |= spread[(own[b] >> shift) & np.uint64(255)] << np.uint64(b)
        out[part, i] = whole | (spread[(ties >> shift) & np.uint64(255)] << np.uint64(7))


@inlined
def with_class(own: Any, folds: Any, mask: Any) -> Any:
    """The digits of all folds, in these folds those of one class."""
    a, b, c, d, e = own
    return (
        a | (folds & mask[0]),
        b | (folds & mask[1]),
        c | (folds & mask[2]),
        d | (folds & mask[3]),
        e | (folds & mask[4]),
    )


@inlined
def other_class(own: Any, mask: Any) -> Any:
    """Folds whose digits are not those of the class."""
    a, b, c, d, e = own
    return (a ^ mask[0]) | (b ^ mask[1]) | (c ^ mask[2]) | (d ^ mask[3]) | (e ^ mask[4])


@compiled
def search(lists: Any, y: Any, trains: Any, folds: int, tables: Any, digits: int, codes: Any) -> None:
    """Fill in the class of every row in every fold, (words, 8, rows, 8 bytes); every fold trains on a row."""
    rows, starts, near, ends, rounding = lists
    masks, spread = tables
    apart = np.empty(trains.shape[1])
    for w in range(trains.shape[0]):
        line, every = trains[w], ~np.uint64(0)
        if folds < 64 * w + 64:
            every = (ONE << np.uint64(folds - 64 * w)) - ONE
        for i in range(trains.shape[1]):
            left, ties, at, stop = every, NONE, starts[i], starts[i + 1]
            own = (NONE, NONE, NONE, NONE, NONE)
            while left != 0 and at < stop:
                code = y[near[at]]
                if ends[at] > 0:  # one class: whichever of these rows is nearest
                    end, open_ones = ends[at], left
                    while at + 4 <= end and open_ones != 0:
                        trained = line[near[at]] | line[near[at + 1]] | line[near[at + 2]] | line[near[at + 3]]
                        open_ones &= ~trained
                        at += 4
                    while at < end and open_ones != 0:
                        open_ones &= ~line[near[at]]
                        at += 1
                    own = with_class(own, left ^ open_ones, masks[code])
                    left, at = open_ones, end
                    continue
                before, end = left, -ends[at]
                while at < end and (before & ~ties) != 0:
                    code, trained = y[near[at]], before & line[near[at]]
                    hit = left & trained
                    own = with_class(own, hit, masks[code])
                    ties |= trained & other_class(own, masks[code])
                    left ^= hit
                    at += 1
                at = end
            while left != 0:
                bit = ONE << lowest_bit(left)
                left ^= bit
                code, tied = by_all(i, bit, rows, line, y, rounding[i], apart)
                own = with_class(own, bit, masks[code])
                ties |= bit if tied else NONE
            write(own, ties, digits, spread, i, codes[w])


@compiled
def read(codes: Any, tests: Any, starts: Any, out: Any) -> Any:
    """Class codes of the test rows, fold after fold; returns how many an exact tie left open."""
    ties = np.int64(0)
    for fold in range(starts.shape[0] - 1):
        of_eight, lane = codes[fold // 64, fold % 64 // 8], fold % 8
        for place in range(starts[fold], starts[fold + 1]):
            code = of_eight[8 * tests[place] + lane]
            out[place] = np.int8(code & np.uint8(127))
            ties += np.int64(code >> np.uint8(7))
    return ties
