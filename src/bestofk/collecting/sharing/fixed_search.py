"""The nearest training row in 64 folds at a time where no fold changes distances, as compiled loops (extra ``fast``).

Classes are found digit by digit, each binary digit a word that holds it for 64 folds, and kept as bytes: eight folds
in a word of eight bytes, the class in the lower seven bits and a tie in the highest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.collecting.sharing.fixed_loops import squared_distance
from bestofk.collecting.sharing.fold_words import ONE
from bestofk.collecting.sharing.lowest_bit import lowest_bit
from bestofk.collecting.sharing.neighbour_loops import EQUAL, numba

#: Classes that can be told apart, and the binary digits of their codes.
CLASSES, DIGITS = 32, 5
#: For every class and digit a word of ones where the digit is one.
MASKS = np.where((np.arange(CLASSES)[:, None] >> np.arange(DIGITS)) & 1, ~np.uint64(0), np.uint64(0))
#: The eight bits of a byte as eight bytes.
SPREAD = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").view(np.uint64).ravel()

_compiled = numba.njit(cache=True, nogil=True)
_inlined = numba.njit(inline="always")


def _by_all(i: int, bit: Any, rows: Any, line: Any, y: Any, rounding: float, apart: Any) -> Any:
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


by_all: Any = _compiled(_by_all)


def _write(own: Any, ties: Any, digits: int, spread: Any, i: int, out: Any) -> None:
    """Keep the classes of row i in 64 folds as eight words of eight bytes."""
    for part in range(8):
        shift, whole = np.uint64(8 * part), np.uint64(0)
        for b in range(digits):
            whole |= spread[(own[b] >> shift) & np.uint64(255)] << np.uint64(b)
        out[part, i] = whole | (spread[(ties >> shift) & np.uint64(255)] << np.uint64(7))


write: Any = _inlined(_write)


def _search(lists: Any, y: Any, trains: Any, folds: int, tables: Any, digits: int, codes: Any) -> None:
    """Fill in the class of every row in every fold, (words, 8, rows, 8 bytes); every fold trains on a row."""
    rows, starts, near, ends, rounding = lists
    masks, spread = tables
    apart = np.empty(trains.shape[1])
    for w in range(trains.shape[0]):
        line, every = trains[w], ~np.uint64(0)
        if folds < 64 * w + 64:
            every = (ONE << np.uint64(folds - 64 * w)) - ONE
        for i in range(trains.shape[1]):
            left, ties, at, stop = every, np.uint64(0), starts[i], starts[i + 1]
            first = second = third = fourth = fifth = np.uint64(0)
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
                    hit = left ^ open_ones
                    first, second, third = (
                        first | (hit & masks[code, 0]),
                        second | (hit & masks[code, 1]),
                        third | (hit & masks[code, 2]),
                    )
                    fourth, fifth = fourth | (hit & masks[code, 3]), fifth | (hit & masks[code, 4])
                    left, at = open_ones, end
                    continue
                before, end = left, -ends[at]
                while at < end and (before & ~ties) != 0:
                    code, trained = y[near[at]], before & line[near[at]]
                    hit = left & trained
                    first, second, third = (
                        first | (hit & masks[code, 0]),
                        second | (hit & masks[code, 1]),
                        third | (hit & masks[code, 2]),
                    )
                    fourth, fifth = fourth | (hit & masks[code, 3]), fifth | (hit & masks[code, 4])
                    other = (first ^ masks[code, 0]) | (second ^ masks[code, 1]) | (third ^ masks[code, 2])
                    ties |= trained & (other | (fourth ^ masks[code, 3]) | (fifth ^ masks[code, 4]))
                    left ^= hit
                    at += 1
                at = end
            while left != 0:
                bit = ONE << lowest_bit(left)
                left ^= bit
                code, tied = by_all(i, bit, rows, line, y, rounding[i], apart)
                first, second, third = (
                    first | (bit & masks[code, 0]),
                    second | (bit & masks[code, 1]),
                    third | (bit & masks[code, 2]),
                )
                fourth, fifth = fourth | (bit & masks[code, 3]), fifth | (bit & masks[code, 4])
                ties |= bit if tied else np.uint64(0)
            write((first, second, third, fourth, fifth), ties, digits, spread, i, codes[w])


search: Any = _compiled(_search)


def _read(codes: Any, tests: Any, starts: Any, out: Any) -> Any:
    """Class codes of the test rows, fold after fold; returns how many an exact tie left open."""
    ties = np.int64(0)
    for fold in range(starts.shape[0] - 1):
        of_eight, lane = codes[fold // 64, fold % 64 // 8], fold % 8
        for place in range(starts[fold], starts[fold + 1]):
            code = of_eight[8 * tests[place] + lane]
            out[place] = np.int8(code & np.uint8(127))
            ties += np.int64(code >> np.uint8(7))
    return ties


read: Any = _compiled(_read)
