"""The descent of the paper's logistic learner as compiled loops (extra ``fast``): a few hundred rows at a time.

First the shares of the classes, by an exponential that runs in vector registers. Nominal columns are never spread out
into 0 and 1: the output of a row is a sum of entries of a table, one entry per group of nominal columns, and its
gradient is added back into the same entries.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bestofk.core.extras import need
from bestofk.replications.multitest.table import LOWEST

numba = need("numba", purpose="the compiled kernel of the paper's logistic learner")
_options = {"cache": True, "nogil": True, "error_model": "numpy"}  # a division that may raise is never in vectors


def _compiled(function: Callable[..., Any]) -> Any:
    """Compile; sums stay in their order, for any other would cancel the rounder."""
    return numba.njit(**_options, fastmath={"nnan", "nsz", "contract"})(function)


def _fast(function: Callable[..., Any]) -> Any:
    """Compile, sums in any order."""
    return numba.njit(**_options, fastmath={"nnan", "nsz", "contract", "reassoc"})(function)


LOG2_E = 1.4426950408889634
#: ln 2 in two parts, so that x − k ln 2 keeps all digits.
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
#: Added to a number it leaves the nearest whole number in the last bits.
ROUNDER = 6755399441055744.0
#: Rows taken at once: their outputs stay in the nearest cache.
CHUNK = 256


def _seen_as(result: Any, argument: Any) -> Any:
    """The same 64 bits as another type."""

    def typed(context: Any, value: Any) -> Any:
        def code(target: Any, builder: Any, signature: Any, given: Any) -> Any:
            return builder.bitcast(given[0], target.get_value_type(result))

        return result(argument), code

    return numba.extending.intrinsic(typed)


_bits_of = _seen_as(numba.types.int64, numba.types.float64)
_float_of = _seen_as(numba.types.float64, numba.types.int64)


@_compiled
def _exponential(x: float) -> Any:
    """e^x for −700 ≤ x ≤ 0, exact to the last digit or two.

    x = k ln 2 + r with |r| ≤ ln 2 / 2; e^r is its series to the 13th power, and k is added to its exponent.
    """
    rounded = x * LOG2_E + ROUNDER
    k = rounded - ROUNDER
    r = (x - k * LN2_HIGH) - k * LN2_LOW
    square = r * r  # pairs, then pairs of pairs: the sums do not wait for each other as in a chain of thirteen
    fourth = square * square
    p = (1.0 / 40320 + r * (1.0 / 362880)) + square * (1.0 / 3628800 + r * (1.0 / 39916800))
    p += fourth * (1.0 / 479001600 + r * (1.0 / 6227020800))
    p = ((1.0 / 24 + r * (1.0 / 120)) + square * (1.0 / 720 + r * (1.0 / 5040))) + fourth * p
    p = ((1.0 + r) + square * (0.5 + r * (1.0 / 6))) + fourth * p
    return _float_of(_bits_of(p) + (_bits_of(rounded) << 52))


@_compiled
def _shares(outputs: Any, n: int, most: Any, total: Any) -> None:
    """Turn the first ``n`` of ``outputs`` (classes, CHUNK) into exponentials, ``total`` into 1 / their sum."""
    most[:n] = outputs[0, :n]
    for c in range(1, len(outputs)):
        row = outputs[c, :n]
        for i in range(n):
            most[i] = row[i] if row[i] > most[i] else most[i]
    total[:n] = 0.0
    for c in range(len(outputs)):
        row = outputs[c, :n]
        for i in range(n):
            x = row[i] - most[i]
            row[i] = _exponential(x if x > LOWEST else LOWEST)
            total[i] += row[i]
    for i in range(n):
        total[i] = 1.0 / total[i]


# Groups of nominal columns: entries added to outputs, residuals summed up.


#: Tables that the sums of an entry are spread over.
LANES = 4
#: Runs shorter than this on average are not worth a loop of their own.
SHORT = 6


@_fast
def _ends_of_runs(codes: Any) -> Any:
    """For every row where the run of its code in the first group ends; no rows: the runs are too short to be used."""
    rows = codes.shape[1]
    ends, runs = np.empty(rows, np.int64), 0
    if len(codes) == 0:
        return ends[:0]
    for i in range(rows - 1, -1, -1):
        same = i + 1 < rows and codes[0, i] == codes[0, min(i + 1, rows - 1)]
        ends[i] = ends[i + 1] if same else i + 1
        runs += 0 if same else 1
    return ends if runs * SHORT <= rows else ends[:0]


@_fast
def _add_runs(codes: Any, ends: Any, start: int, table: Any, out: Any) -> None:
    place = 0
    while place < len(out):
        stop = min(ends[start + place] - start, len(out))
        value, own = table[codes[place]], out[place:stop]
        for i in range(len(own)):
            own[i] += value
        place = stop


@_fast
def _sum_runs(codes: Any, ends: Any, start: int, out: Any, added: Any) -> None:
    place = 0
    while place < len(out):
        stop = min(ends[start + place] - start, len(out))
        own, total = out[place:stop], 0.0
        for i in range(len(own)):
            total += own[i]
        added[codes[place]] += total
        place = stop


@_fast
def _add_looked_up(codes: Any, table: Any, out: Any) -> None:
    for i in range(len(out)):
        out[i] += table[codes[i]]


@_fast
def _sum_looked_up(codes: Any, out: Any, added: Any) -> None:
    one, two, three, four = added[0], added[1], added[2], added[3]
    whole = len(out) // LANES * LANES
    for i in range(0, whole, LANES):
        one[codes[i]] += out[i]
        two[codes[i + 1]] += out[i + 1]
        three[codes[i + 2]] += out[i + 2]
        four[codes[i + 3]] += out[i + 3]
    for i in range(whole, len(out)):
        one[codes[i]] += out[i]


@_fast
def _add_entries(codes: Any, ends: Any, start: int, n: int, table: Any, out: Any) -> None:
    """Add the entries of ``table`` (classes, entries) to the outputs (classes, CHUNK) of the rows from ``start`` on."""
    for group in range(len(codes)):
        own = codes[group, start : start + n]
        for c in range(len(table)):
            if group == 0 and len(ends):
                _add_runs(own, ends, start, table[c], out[c, :n])
            else:
                _add_looked_up(own, table[c], out[c, :n])


@_fast
def _sum_entries(codes: Any, ends: Any, start: int, n: int, out: Any, added: Any) -> None:
    """Add the residuals (classes, CHUNK) of the rows from ``start`` on to ``added`` (classes, LANES, entries)."""
    for group in range(len(codes)):
        own = codes[group, start : start + n]
        for c in range(len(added)):
            if group == 0 and len(ends):
                _sum_runs(own, ends, start, out[c, :n], added[c, 0])
            else:
                _sum_looked_up(own, out[c, :n], added[c])


# The descent.


@_fast
def _table_of(weights: Any, members: Any, table: Any) -> None:
    """Entry of every combination of levels in a group: the sum of the weights of its levels."""
    table[:] = 0.0
    for entry in range(len(members)):
        for level in members[entry]:
            if level >= 0:
                for c in range(len(table)):
                    table[c, entry] += weights[level, c]


@_fast
def in_chunks(numbers: Any, rows: Any) -> Any:
    """Some rows of ``numbers`` (columns, rows) as (chunks, columns, CHUNK): a chunk is read from end to end."""
    chunks = np.zeros((-(-len(rows) // CHUNK), len(numbers), CHUNK))
    for start in range(0, len(rows), CHUNK):
        some = rows[start : start + CHUNK]
        for j in range(len(numbers)):
            own, column = chunks[start // CHUNK, j], numbers[j]
            for i in range(len(some)):
                own[i] = column[some[i]]
    return chunks


@_fast
def _four(numbers: Any, j: int, n: int) -> Any:
    """Four columns side by side, so that a sum over them goes through memory once."""
    return numbers[j, :n], numbers[j + 1, :n], numbers[j + 2, :n], numbers[j + 3, :n]


@_fast
def _add_columns(four: Any, weights: Any, j: int, c: int, out: Any) -> None:
    x, y, z, w = four
    a, b, d, e = weights[j, c], weights[j + 1, c], weights[j + 2, c], weights[j + 3, c]
    for i in range(len(out)):
        out[i] += a * x[i] + b * y[i] + d * z[i] + e * w[i]


@_fast
def _sum_columns(four: Any, slopes: Any, j: int, c: int, out: Any) -> None:
    x, y, z, w = four
    a, b, d, e = 0.0, 0.0, 0.0, 0.0
    for i in range(len(out)):
        a += out[i] * x[i]
        b += out[i] * y[i]
        d += out[i] * z[i]
        e += out[i] * w[i]
    for place, value in enumerate((a, b, d, e)):
        slopes[j + place, c] += value


@_fast
def _outputs(numbers: Any, n: int, bias: Any, weights: Any, out: Any) -> None:
    """What the numbers (columns, CHUNK) of ``n`` rows add to their outputs (c, n); the columns come in fours."""
    for c in range(len(bias)):
        out[c, :n] = bias[c]
    for j in range(0, len(numbers), 4):
        four = _four(numbers, j, n)
        for c in range(len(bias)):
            _add_columns(four, weights, j, c, out[c, :n])


@_fast
def _add_gradient(numbers: Any, n: int, out: Any, slopes: Any, total: Any) -> None:
    """Add Σ residual · input of ``n`` rows; ``out`` holds the residuals."""
    for c in range(len(total)):
        total[c] += out[c, :n].sum()
    for j in range(0, len(numbers), 4):
        four = _four(numbers, j, n)
        for c in range(len(total)):
            _sum_columns(four, slopes, j, c, out[c, :n])


@_fast
def _scaled(weights: Any, mean: Any, inverse: Any, scaled: Any, bias: Any) -> None:
    """Weights of the columns as they are, from those of z-scores: w (x − mean) / sd."""
    inputs = len(mean)
    for c in range(len(bias)):
        bias[c] = weights[inputs, c]
        for j in range(inputs):
            scaled[j, c] = weights[j, c] * inverse[j]
            bias[c] -= scaled[j, c] * mean[j]


@_compiled
def _residuals(out: Any, y: Any, start: int, n: int, most: Any, total: Any) -> None:
    """Turn outputs into target − share; one output stands for the second of two classes, the first having 0."""
    if len(out) == 1:
        own = out[0, :n]
        for i in range(n):
            x = -own[i] if own[i] > 0 else own[i]
            e = _exponential(x if x > LOWEST else LOWEST)
            share = (1.0 if own[i] > 0 else e) / (1.0 + e)
            own[i] = (1.0 if y[start + i] == 1 else 0.0) - share
        return
    _shares(out, n, most, total)
    for c in range(len(out)):
        own = out[c, :n]
        for i in range(n):
            own[i] = (1.0 if y[start + i] == c else 0.0) - own[i] * total[i]


@_fast
def descend(numbers: Any, codes: Any, y: Any, members: Any, mean: Any, inverse: Any, weights: Any, steps: Any) -> None:
    """Change ``weights`` (inputs + 1, outputs) by one step after the other along the sum of the gradients."""
    inputs, count, rows = len(mean), weights.shape[1], len(y)
    scaled, slopes = np.zeros((inputs, count)), np.zeros((inputs, count))
    bias, total = np.zeros(count), np.zeros(count)
    table, added, ends = np.zeros((count, len(members))), np.zeros((count, LANES, len(members))), _ends_of_runs(codes)
    out, most, inverse_sum = np.zeros((count, CHUNK)), np.zeros(CHUNK), np.zeros(CHUNK)
    for step in steps:
        _scaled(weights, mean, inverse, scaled, bias)
        _table_of(scaled, members, table)
        slopes[:], added[:], total[:] = 0.0, 0.0, 0.0
        for start in range(0, rows, CHUNK):
            n = min(CHUNK, rows - start)
            _outputs(numbers[start // CHUNK], n, bias, scaled, out)
            _add_entries(codes, ends, start, n, table, out)
            _residuals(out, y, start, n, most, inverse_sum)
            _add_gradient(numbers[start // CHUNK], n, out, slopes, total)
            _sum_entries(codes, ends, start, n, out, added)
        for entry in range(len(members)):
            for level in members[entry]:
                if level >= 0:
                    for c in range(count):
                        slopes[level, c] += added[c, :, entry].sum()
        for c in range(count):
            for j in range(inputs):
                weights[j, c] += step * (slopes[j, c] - mean[j] * total[c]) * inverse[j]
            weights[inputs, c] += step * total[c]


@_fast
def labels(numbers: Any, codes: Any, members: Any, mean: Any, inverse: Any, weights: Any, labels: Any) -> None:
    """Class with the largest output of every row, the first on a tie."""
    inputs, count = len(mean), weights.shape[1]
    scaled, bias = np.zeros((inputs, count)), np.zeros(count)
    table, out, ends = np.zeros((count, len(members))), np.zeros((count, CHUNK)), _ends_of_runs(codes)
    _scaled(weights, mean, inverse, scaled, bias)
    _table_of(scaled, members, table)
    for start in range(0, len(labels), CHUNK):
        n = min(CHUNK, len(labels) - start)
        _outputs(numbers[start // CHUNK], n, bias, scaled, out)
        _add_entries(codes, ends, start, n, table, out)
        for i in range(n):
            best = 0
            for c in range(1, count):
                if out[c, i] > out[best, i]:
                    best = c
            labels[start + i] = (1 if out[0, i] > 0 else 0) if count == 1 else best
