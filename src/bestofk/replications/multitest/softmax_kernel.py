"""Shares of the classes as a compiled loop (extra ``fast``): an exponential that runs in vector registers."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need
from bestofk.replications.multitest.logistic import LOWEST

numba = need("numba", purpose="the compiled kernel of the paper's logistic learner")

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


def _shares(outputs: Any, n: int, most: Any, total: Any) -> None:
    """Turn the first ``n`` of ``outputs`` (classes, CHUNK) into exponentials, ``total`` into 1 / their sum."""
    most[:n] = outputs[0, :n]
    for c in range(1, len(outputs)):
        row = outputs[c, :n]
        for i in range(n):
            most[i] = row[i] if row[i] > most[i] else most[i]
    total[:n] = 0.0
    for c in range(0, len(outputs) - 1, 2):
        _exponentials_of_two(outputs[c, :n], outputs[c + 1, :n], most, total)
    if len(outputs) % 2:
        row = outputs[len(outputs) - 1, :n]
        for i in range(n):
            x = row[i] - most[i]
            row[i] = exponential(x if x > LOWEST else LOWEST)
            total[i] += row[i]
    for i in range(n):
        total[i] = 1.0 / total[i]


def _exponentials_of_two(row: Any, other: Any, most: Any, total: Any) -> None:
    """Two classes at once: the constants of the series are loaded once for both."""
    for i in range(len(row)):
        x, z = row[i] - most[i], other[i] - most[i]
        row[i] = exponential(x if x > LOWEST else LOWEST)
        other[i] = exponential(z if z > LOWEST else LOWEST)
        total[i] = (total[i] + row[i]) + other[i]


# Not "reassoc": it would cancel the rounder.
_compiled = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath={"nnan", "nsz", "contract"})
exponential: Any = _compiled(_exponential)
_exponentials_of_two = _compiled(_exponentials_of_two)
shares: Any = _compiled(_shares)


def softmax(outputs: Any) -> None:
    """Turn outputs (..., classes, rows) into shares of the classes, in place."""
    some, most, total = np.empty((outputs.shape[-2], CHUNK)), np.empty(CHUNK), np.empty(CHUNK)
    for each in outputs.reshape(-1, *outputs.shape[-2:]):
        for start in range(0, each.shape[1], CHUNK):
            n = min(CHUNK, each.shape[1] - start)
            some[:, :n] = each[:, start : start + n]
            shares(some, n, most, total)
            each[:, start : start + n] = some[:, :n] * total[:n]
