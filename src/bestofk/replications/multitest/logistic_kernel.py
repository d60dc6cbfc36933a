"""The descent of the paper's logistic learner as compiled loops (extra ``fast``): a few hundred rows at a time.

Nominal columns are never spread out into 0 and 1: the output of a row is a sum of entries of a table, one entry per
group of nominal columns, and its gradient is added back into the same entries.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.compiled import compiled, reordered
from bestofk.sharing.logistic.loops import exponential

#: Rows taken at once: their outputs stay in the nearest cache.
CHUNK = 256
#: Tables that the sums of an entry are spread over: rows of one code do not wait for each other.
LANES = 4
#: Exponentials of less are nothing beside 1.
LEAST = -80.0


@reordered
def _table_of(weights: Any, members: Any, table: Any) -> None:
    """Entry of every combination of levels in a group: the sum of the weights of its levels."""
    table[:] = 0.0
    for entry in range(len(members)):
        for level in members[entry]:
            if level >= 0:
                table[:, entry] += weights[level]


@reordered
def _outputs(numbers: Any, codes: Any, start: int, n: int, bias: Any, weights: Any, table: Any, out: Any) -> None:
    """Outputs (c, n) of the rows of a chunk, from ``start`` on; ``numbers`` (columns, CHUNK)."""
    for c in range(len(bias)):
        own = out[c, :n]
        own[:] = bias[c]
        for j in range(len(numbers)):
            column, weight = numbers[j, :n], weights[j, c]
            for i in range(len(own)):
                own[i] += weight * column[i]
        for group in range(len(codes)):
            some, entries = codes[group, start : start + n], table[c]
            for i in range(len(own)):
                own[i] += entries[some[i]]


@reordered
def _add_gradient(numbers: Any, codes: Any, start: int, n: int, out: Any, slopes: Any, added: Any, total: Any) -> None:
    """Add Σ residual · input of the same rows; ``out`` holds the residuals."""
    for c in range(len(total)):
        own = out[c, :n]
        total[c] += own.sum()
        for j in range(len(numbers)):
            column, slope = numbers[j, :n], 0.0
            for i in range(len(own)):
                slope += own[i] * column[i]
            slopes[j, c] += slope
        for group in range(len(codes)):
            some, entries = codes[group, start : start + n], added[c]
            for i in range(len(own)):
                entries[LANES * some[i] + np.uint32(i % LANES)] += own[i]


@reordered
def _scaled(weights: Any, mean: Any, inverse: Any, scaled: Any, bias: Any) -> None:
    """Weights of the columns as they are, from those of z-scores: w (x − mean) / sd."""
    inputs = len(mean)
    for c in range(len(bias)):
        bias[c] = weights[inputs, c]
        for j in range(inputs):
            scaled[j, c] = weights[j, c] * inverse[j]
            bias[c] -= scaled[j, c] * mean[j]


def _residuals_of(out: Any, y: Any, most: Any, total: Any) -> None:
    """Turn outputs into target − share; one output stands for the second of two classes, the first having 0."""
    n = len(y)
    if len(out) == 1:
        own = out[0, :n]
        for i in range(n):
            x = -own[i] if own[i] > 0 else own[i]
            e = exponential(x if x > LEAST else LEAST)
            own[i] = (1.0 if y[i] == 1 else 0.0) - (1.0 if own[i] > 0 else e) / (1.0 + e)
        return
    most[:n], total[:n] = out[0, :n], 0.0
    for c in range(1, len(out)):
        row = out[c, :n]
        for i in range(n):
            most[i] = row[i] if row[i] > most[i] else most[i]
    for c in range(len(out)):
        row = out[c, :n]
        for i in range(n):
            x = row[i] - most[i]
            row[i] = exponential(x if x > LEAST else LEAST)
            total[i] += row[i]
    for i in range(n):
        total[i] = 1.0 / total[i]
    for c in range(len(out)):
        row = out[c, :n]
        for i in range(n):
            row[i] = (1.0 if y[i] == c else 0.0) - row[i] * total[i]


# Sums stay in their order here, for any other would cancel what the exponential adds to round; and a division that asks
# whether it may be done is never in vectors.
_residuals = compiled(_residuals_of, fastmath={"nnan", "nsz", "contract"}, error_model="numpy")


@reordered
def descend(numbers: Any, codes: Any, y: Any, members: Any, mean: Any, inverse: Any, weights: Any, steps: Any) -> None:
    """Change ``weights`` (inputs + 1, outputs) by one step after the other along the sum of the gradients.

    ``numbers`` (chunks, columns, CHUNK): a chunk is read from end to end.
    """
    inputs, count, rows = len(mean), weights.shape[1], len(y)
    scaled, slopes = np.zeros((inputs, count)), np.zeros((inputs, count))
    bias, total = np.zeros(count), np.zeros(count)
    table, added = np.zeros((count, len(members))), np.zeros((count, LANES * len(members)))
    out, most, inverse_sum = np.zeros((count, CHUNK)), np.zeros(CHUNK), np.zeros(CHUNK)
    for step in steps:
        _scaled(weights, mean, inverse, scaled, bias)
        _table_of(scaled, members, table)
        slopes[:], added[:], total[:] = 0.0, 0.0, 0.0
        for start in range(0, rows, CHUNK):
            n, some = min(CHUNK, rows - start), numbers[start // CHUNK]
            _outputs(some, codes, start, n, bias, scaled, table, out)
            _residuals(out, y[start : start + n], most, inverse_sum)
            _add_gradient(some, codes, start, n, out, slopes, added, total)
        for entry in range(len(members)):
            for level in members[entry]:
                if level >= 0:
                    for c in range(count):
                        slopes[level, c] += added[c, LANES * entry : LANES * (entry + 1)].sum()
        for c in range(count):
            for j in range(inputs):
                weights[j, c] += step * (slopes[j, c] - mean[j] * total[c]) * inverse[j]
            weights[inputs, c] += step * total[c]
