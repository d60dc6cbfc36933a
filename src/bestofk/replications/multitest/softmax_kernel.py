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
#: Rows taken at once: their outputs stay in the nearest cache.
CHUNK = 256


def _softmax(outputs: Any, bits: Any, powers: Any) -> None:
    """Turn ``outputs`` (batch, classes, rows) into shares of the classes, in place.

    ``powers`` is the memory of ``bits`` seen as floats: 2^k is made by writing its exponent. The polynomial is the
    series of e^r to the 13th power, exact to the last digit or two for |r| ≤ ln 2 / 2.
    """
    batch, classes, rows = outputs.shape
    most, total = np.empty(CHUNK), np.empty(CHUNK)
    for b in range(batch):
        for start in range(0, rows, CHUNK):
            n = min(CHUNK, rows - start)
            most[:n] = outputs[b, 0, start : start + n]
            total[:n] = 0.0
            for c in range(1, classes):
                row = outputs[b, c, start : start + n]
                for i in range(n):
                    most[i] = row[i] if row[i] > most[i] else most[i]
            for c in range(classes):
                row = outputs[b, c, start : start + n]
                for i in range(n):
                    x = row[i] - most[i]
                    x = x if x > LOWEST else LOWEST
                    k = np.floor(x * LOG2_E + 0.5)
                    r = (x - k * LN2_HIGH) - k * LN2_LOW
                    p = 1.0 / 479001600 + r * (1.0 / 6227020800)
                    p = 1.0 / 3628800 + r * (1.0 / 39916800 + r * p)
                    p = 1.0 / 40320 + r * (1.0 / 362880 + r * p)
                    p = 1.0 / 720 + r * (1.0 / 5040 + r * p)
                    p = 1.0 / 24 + r * (1.0 / 120 + r * p)
                    row[i] = 1.0 + r * (1.0 + r * (0.5 + r * (1.0 / 6 + r * p)))
                    bits[i] = (np.int64(np.int32(k)) + 1023) << 52
                for i in range(n):
                    row[i] *= powers[i]
                    total[i] += row[i]
            for i in range(n):
                total[i] = 1.0 / total[i]
            for c in range(classes):
                row = outputs[b, c, start : start + n]
                for i in range(n):
                    row[i] *= total[i]


_compiled: Any = numba.njit(cache=True, nogil=True, fastmath={"nnan", "nsz", "contract"})(_softmax)


def softmax(outputs: Any) -> None:
    """Turn outputs (..., classes, rows) into shares of the classes, in place."""
    bits = np.zeros(CHUNK, dtype=np.int64)
    _compiled(outputs.reshape(-1, *outputs.shape[-2:]), bits, bits.view(np.float64))
