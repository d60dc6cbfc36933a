"""The bits of a machine word that are set: the place of the lowest and their number (extra ``fast``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.compiled import compiled
from bestofk.core.extras import need

numba = need("numba", purpose="the compiled search for neighbours")


@numba.extending.intrinsic  # type: ignore[untyped-decorator]
def lowest_bit(context: Any, word: Any) -> Any:
    """Number of zeros below the lowest one; the word must not be 0."""
    from llvmlite import ir  # type: ignore[import-untyped]

    def generate(target: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))

    return numba.types.uint64(numba.types.uint64), generate


@numba.extending.intrinsic  # type: ignore[untyped-decorator]
def bits_set(context: Any, word: Any) -> Any:
    """Number of ones."""

    def generate(target: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.ctpop(values[0])

    return numba.types.uint64(numba.types.uint64), generate


ONE = np.uint64(1)
#: Binary digits of the largest count.
DIGITS = 40


@compiled
def mark(flat: Any, starts: Any, out: Any) -> Any:
    """Set the bit of each fold in the words of its rows; false for folds whose rows are not in ascending order."""
    rising = np.ones(starts.shape[0] - 1, dtype=np.bool_)
    for fold in range(starts.shape[0] - 1):
        words, bit, before = out[fold // 64], ONE << np.uint64(fold % 64), np.int64(-1)
        up = True
        for place in range(starts[fold], starts[fold + 1]):
            row = flat[place]
            words[row] |= bit
            up = up and row > before
            before = row
        rising[fold] = up
    return rising


@compiled
def together(words: Any, kind: Any, kinds: int) -> Any:
    """Words of kinds: some row of the kind is marked."""
    out = np.zeros((words.shape[0], kinds), dtype=np.uint64)
    for w in range(words.shape[0]):
        for row in range(kind.shape[0]):
            out[w, kind[row]] |= words[w, row]
    return out


@compiled
def counts(words: Any, starts: Any, rows: Any, folds: int) -> Any:
    """Marked rows of every part ``rows[starts[k]:starts[k + 1]]`` in every fold, (folds, parts).

    Counters are kept digit by digit, each digit a word that holds it for 64 folds; eight rows are added at a time.
    """
    parts = starts.shape[0] - 1
    out = np.zeros((folds, parts), dtype=np.int64)
    digits = np.zeros(DIGITS, dtype=np.uint64)
    for w in range(words.shape[0]):
        line = words[w]
        for part in range(parts):
            digits[:] = 0
            at, stop = starts[part], starts[part + 1]
            ones, twos, fours = np.uint64(0), np.uint64(0), np.uint64(0)
            while at + 8 <= stop:
                a, b = line[rows[at]], line[rows[at + 1]]
                u = ones ^ a
                two_a, ones = (ones & a) | (u & b), u ^ b
                a, b = line[rows[at + 2]], line[rows[at + 3]]
                u = ones ^ a
                two_b, ones = (ones & a) | (u & b), u ^ b
                u = twos ^ two_a
                four_a, twos = (twos & two_a) | (u & two_b), u ^ two_b
                a, b = line[rows[at + 4]], line[rows[at + 5]]
                u = ones ^ a
                two_a, ones = (ones & a) | (u & b), u ^ b
                a, b = line[rows[at + 6]], line[rows[at + 7]]
                u = ones ^ a
                two_b, ones = (ones & a) | (u & b), u ^ b
                u = twos ^ two_a
                four_b, twos = (twos & two_a) | (u & two_b), u ^ two_b
                u = fours ^ four_a
                carry, fours = (fours & four_a) | (u & four_b), u ^ four_b
                digit = 3
                while carry != 0:
                    carry, digits[digit] = digits[digit] & carry, digits[digit] ^ carry
                    digit += 1
                at += 8
            digits[0], digits[1], digits[2] = ones, twos, fours
            while at < stop:
                carry, digit = line[rows[at]], 0
                while carry != 0:
                    carry, digits[digit] = digits[digit] & carry, digits[digit] ^ carry
                    digit += 1
                at += 1
            top = DIGITS
            while top > 0 and digits[top - 1] == 0:
                top -= 1
            for fold in range(64 * w, min(64 * w + 64, folds)):
                total, place = np.uint64(0), np.uint64(fold - 64 * w)
                for digit in range(top):
                    total += ((digits[digit] >> place) & ONE) << np.uint64(digit)
                out[fold, part] = np.int64(total)
    return out


@compiled
def medians(words: Any, starts: Any, order: Any, values: Any, known: Any) -> Any:
    """Medians of sorted columns in every fold; ``known`` are the rows with a value, 0 where a fold has none."""
    folds, columns = known.shape
    out = np.zeros((folds, columns))
    for fold in range(folds):
        line, place = words[fold // 64], np.uint64(fold % 64)
        for column in range(columns):
            total = known[fold, column]
            if total == 0:
                continue
            low, high, up_to, at = (total - 1) // 2, total // 2, np.int64(0), starts[column]
            lower = 0.0
            while True:
                up_to += np.int64((line[order[at]] >> place) & ONE)
                if up_to == low + 1 and low >= 0:
                    lower, low = values[at], np.int64(-2)
                if up_to > high:
                    break
                at += 1
            out[fold, column] = (lower + values[at]) / 2
    return out


@compiled
def complements(words: Any, folds: int) -> Any:
    """Whether each fold of an even place trains on just the rows that the next one does not."""
    out = np.zeros(folds, dtype=np.bool_)
    for w in range(words.shape[0]):
        same = ~np.uint64(0)
        for row in range(words.shape[1]):
            same &= words[w, row] ^ (words[w, row] >> ONE)
        for fold in range(64 * w, min(64 * w + 64, folds - 1), 2):
            out[fold] = (same >> np.uint64(fold - 64 * w)) & ONE
    return out


@compiled
def as_numbers(words: Any, chosen: Any) -> Any:
    """Zeros and ones of some folds, (folds, rows)."""
    out = np.empty((chosen.shape[0], words.shape[1]))
    for line in range(chosen.shape[0]):
        of_word, place = words[chosen[line] // 64], np.uint64(chosen[line] % 64)
        for row in range(words.shape[1]):
            out[line, row] = np.float64((of_word[row] >> place) & ONE)
    return out


@compiled
def variances(words: Any, folds: Any, columns: Any, values: Any, fills: Any, out: Any) -> None:
    """Variances of some columns in some folds, summed about the mean; gaps count as the fold fills them."""
    for each in range(folds.shape[0]):
        fold, column = folds[each], columns[each]
        line, place = words[fold // 64], np.uint64(fold % 64)
        total, count = 0.0, 0
        for row in range(values.shape[0]):
            if (line[row] >> place) & ONE:
                value = values[row, column]
                total += fills[fold, column] if np.isnan(value) else value
                count += 1
        mean, squares = total / count, 0.0
        for row in range(values.shape[0]):
            if (line[row] >> place) & ONE:
                value = values[row, column]
                apart = (fills[fold, column] if np.isnan(value) else value) - mean
                squares += apart * apart
        out[fold, column] = squares / count
