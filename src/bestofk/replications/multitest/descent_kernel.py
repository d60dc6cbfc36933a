"""The descent of the paper's logistic learner as a compiled loop (extra ``fast``): a few hundred rows at a time.

Nominal columns are never spread out into 0 and 1: the output of a row is a sum of entries of a table, one entry per
group of nominal columns, and its gradient is added back into the same entries.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need
from bestofk.replications.multitest.group_kernel import LANES, add_entries, ends_of_runs, sum_entries
from bestofk.replications.multitest.logistic import LOWEST
from bestofk.replications.multitest.softmax_kernel import CHUNK, exponential, shares

numba = need("numba", purpose="the compiled kernel of the paper's logistic learner")


def _table_of(weights: Any, members: Any, table: Any) -> None:
    """Entry of every combination of levels in a group: the sum of the weights of its levels."""
    table[:] = 0.0
    for entry in range(len(members)):
        for level in members[entry]:
            if level >= 0:
                for c in range(len(table)):
                    table[c, entry] += weights[level, c]


def _in_chunks(numbers: Any, rows: Any) -> Any:
    """Some rows of ``numbers`` (columns, rows) as (chunks, columns, CHUNK): a chunk is read from end to end."""
    chunks = np.zeros((-(-len(rows) // CHUNK), len(numbers), CHUNK))
    for start in range(0, len(rows), CHUNK):
        some = rows[start : start + CHUNK]
        for j in range(len(numbers)):
            own, column = chunks[start // CHUNK, j], numbers[j]
            for i in range(len(some)):
                own[i] = column[some[i]]
    return chunks


def _four(numbers: Any, j: int, n: int) -> Any:
    """Four columns side by side, so that a sum over them goes through memory once."""
    return numbers[j, :n], numbers[j + 1, :n], numbers[j + 2, :n], numbers[j + 3, :n]


def _add_to_one(four: Any, weights: Any, j: int, c: int, out: Any) -> None:
    x, y, z, w = four
    a, b, d, e = weights[j, c], weights[j + 1, c], weights[j + 2, c], weights[j + 3, c]
    for i in range(len(out)):
        out[i] += a * x[i] + b * y[i] + d * z[i] + e * w[i]


def _add_to_two(four: Any, weights: Any, j: int, c: int, out: Any, other: Any) -> None:
    """Two classes at once: the columns are loaded once for both."""
    x, y, z, w = four
    a, b, d, e = weights[j, c], weights[j + 1, c], weights[j + 2, c], weights[j + 3, c]
    f, g, h, k = weights[j, c + 1], weights[j + 1, c + 1], weights[j + 2, c + 1], weights[j + 3, c + 1]
    for i in range(len(out)):
        out[i] += a * x[i] + b * y[i] + d * z[i] + e * w[i]
        other[i] += f * x[i] + g * y[i] + h * z[i] + k * w[i]


def _slopes_of_one(four: Any, slopes: Any, j: int, c: int, out: Any) -> None:
    x, y, z, w = four
    a, b, d, e = 0.0, 0.0, 0.0, 0.0
    for i in range(len(out)):
        a += out[i] * x[i]
        b += out[i] * y[i]
        d += out[i] * z[i]
        e += out[i] * w[i]
    for place, value in enumerate((a, b, d, e)):
        slopes[j + place, c] += value


def _slopes_of_two(four: Any, slopes: Any, j: int, c: int, out: Any, other: Any) -> None:
    x, y, z, w = four
    a, b, d, e, f, g, h, k = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(len(out)):
        a += out[i] * x[i]
        b += out[i] * y[i]
        d += out[i] * z[i]
        e += out[i] * w[i]
        f += other[i] * x[i]
        g += other[i] * y[i]
        h += other[i] * z[i]
        k += other[i] * w[i]
    for place, value in enumerate((a, b, d, e)):
        slopes[j + place, c] += value
    for place, value in enumerate((f, g, h, k)):
        slopes[j + place, c + 1] += value


def _outputs(numbers: Any, n: int, bias: Any, weights: Any, out: Any) -> None:
    """What the numbers (columns, CHUNK) of ``n`` rows add to their outputs (c, n); the columns come in fours."""
    for c in range(len(bias)):
        out[c, :n] = bias[c]
    for j in range(0, len(numbers), 4):
        four = _four(numbers, j, n)
        for c in range(0, len(bias) - 1, 2):
            _add_to_two(four, weights, j, c, out[c, :n], out[c + 1, :n])
        if len(bias) % 2:
            _add_to_one(four, weights, j, len(bias) - 1, out[len(bias) - 1, :n])


def _add_gradient(numbers: Any, n: int, out: Any, slopes: Any, total: Any) -> None:
    """Add Σ residual · input of ``n`` rows; ``out`` holds the residuals."""
    for c in range(len(total)):
        total[c] += out[c, :n].sum()
    for j in range(0, len(numbers), 4):
        four = _four(numbers, j, n)
        for c in range(0, len(total) - 1, 2):
            _slopes_of_two(four, slopes, j, c, out[c, :n], out[c + 1, :n])
        if len(total) % 2:
            _slopes_of_one(four, slopes, j, len(total) - 1, out[len(total) - 1, :n])


def _scaled(weights: Any, mean: Any, inverse: Any, scaled: Any, bias: Any) -> None:
    """Weights of the columns as they are, from those of z-scores: w (x − mean) / sd."""
    inputs = len(mean)
    for c in range(len(bias)):
        bias[c] = weights[inputs, c]
        for j in range(inputs):
            scaled[j, c] = weights[j, c] * inverse[j]
            bias[c] -= scaled[j, c] * mean[j]


def _residuals(out: Any, y: Any, start: int, n: int, most: Any, total: Any) -> None:
    """Turn outputs into target − share; one output stands for the second of two classes, the first having 0."""
    if len(out) == 1:
        own = out[0, :n]
        for i in range(n):
            x = -own[i] if own[i] > 0 else own[i]
            e = exponential(x if x > LOWEST else LOWEST)
            share = (1.0 if own[i] > 0 else e) / (1.0 + e)
            own[i] = (1.0 if y[start + i] == 1 else 0.0) - share
        return
    shares(out, n, most, total)
    for c in range(len(out)):
        own = out[c, :n]
        for i in range(n):
            own[i] = (1.0 if y[start + i] == c else 0.0) - own[i] * total[i]


def _descend(numbers: Any, codes: Any, y: Any, members: Any, mean: Any, inverse: Any, weights: Any, steps: Any) -> None:
    """Change ``weights`` (inputs + 1, outputs) by one step after the other along the sum of the gradients."""
    inputs, count, rows = len(mean), weights.shape[1], len(y)
    scaled, slopes = np.zeros((inputs, count)), np.zeros((inputs, count))
    bias, total = np.zeros(count), np.zeros(count)
    table, added, ends = np.zeros((count, len(members))), np.zeros((count, LANES, len(members))), ends_of_runs(codes)
    out, most, inverse_sum = np.zeros((count, CHUNK)), np.zeros(CHUNK), np.zeros(CHUNK)
    for step in steps:
        _scaled(weights, mean, inverse, scaled, bias)
        _table_of(scaled, members, table)
        slopes[:], added[:], total[:] = 0.0, 0.0, 0.0
        for start in range(0, rows, CHUNK):
            n = min(CHUNK, rows - start)
            _outputs(numbers[start // CHUNK], n, bias, scaled, out)
            add_entries(codes, ends, start, n, table, out)
            _residuals(out, y, start, n, most, inverse_sum)
            _add_gradient(numbers[start // CHUNK], n, out, slopes, total)
            sum_entries(codes, ends, start, n, out, added)
        for entry in range(len(members)):
            for level in members[entry]:
                if level >= 0:
                    for c in range(count):
                        slopes[level, c] += added[c, :, entry].sum()
        for c in range(count):
            for j in range(inputs):
                weights[j, c] += step * (slopes[j, c] - mean[j] * total[c]) * inverse[j]
            weights[inputs, c] += step * total[c]


def _labels(numbers: Any, codes: Any, members: Any, mean: Any, inverse: Any, weights: Any, labels: Any) -> None:
    """Class with the largest output of every row, the first on a tie."""
    inputs, count = len(mean), weights.shape[1]
    scaled, bias = np.zeros((inputs, count)), np.zeros(count)
    table, out, ends = np.zeros((count, len(members))), np.zeros((count, CHUNK)), ends_of_runs(codes)
    _scaled(weights, mean, inverse, scaled, bias)
    _table_of(scaled, members, table)
    for start in range(0, len(labels), CHUNK):
        n = min(CHUNK, len(labels) - start)
        _outputs(numbers[start // CHUNK], n, bias, scaled, out)
        add_entries(codes, ends, start, n, table, out)
        for i in range(n):
            best = 0
            for c in range(1, count):
                if out[c, i] > out[best, i]:
                    best = c
            labels[start + i] = (1 if out[0, i] > 0 else 0) if count == 1 else best


_options = {"cache": True, "nogil": True, "error_model": "numpy"}  # a division that may raise is never in vectors
_fast = numba.njit(**_options, fastmath={"nnan", "nsz", "contract", "reassoc"})
_table_of = _fast(_table_of)
in_chunks: Any = _fast(_in_chunks)
_four = _fast(_four)
_add_to_one = _fast(_add_to_one)
_add_to_two = _fast(_add_to_two)
_slopes_of_one = _fast(_slopes_of_one)
_slopes_of_two = _fast(_slopes_of_two)
_outputs = _fast(_outputs)
_add_gradient = _fast(_add_gradient)
_scaled = _fast(_scaled)
_residuals = numba.njit(**_options, fastmath={"nnan", "nsz", "contract"})(_residuals)
descend: Any = _fast(_descend)
labels: Any = _fast(_labels)
