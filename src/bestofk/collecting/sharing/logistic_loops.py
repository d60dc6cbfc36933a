"""Residuals of many logistic regressions and which predictions are settled, as compiled loops (extra ``fast``).

Scores are (models · classes, rows), the classes of the first model first, so that inner loops run over rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need

numba = need("numba", purpose="the compiled residuals of shared logistic regressions")

#: Rows that are worked on together.
BLOCK = 128
#: Adding this to a number of moderate size leaves its nearest whole number in the lowest bits.
ROUND = 1.5 * 2.0**52
LOG2_E, LN2_HIGH, LN2_LOW = 1.4426950408889634, 0.6931471803691238, 1.9082149292705877e-10
LEAST, MOST, ONE_AS_BITS, EXPONENT = -700.0, 700.0, 1023, 52


@numba.extending.intrinsic  # type: ignore[untyped-decorator]
def bits_of(context: Any, number: Any) -> Any:
    """The bits of a number as an integer."""

    def generate(target: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.bitcast(values[0], target.get_value_type(numba.types.int64))

    return numba.types.int64(numba.types.float64), generate


@numba.extending.intrinsic  # type: ignore[untyped-decorator]
def number_of(context: Any, bits: Any) -> Any:
    """The number that has these bits."""

    def generate(target: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.bitcast(values[0], target.get_value_type(numba.types.float64))

    return numba.types.float64(numba.types.int64), generate


@numba.njit(inline="always")  # type: ignore[untyped-decorator]
def exponential(x: float) -> Any:
    """e to the x between -700 and 700 without branches, so that loops run in vector registers; right to 1e-14."""
    shifted = x * LOG2_E + ROUND
    whole = shifted - ROUND
    r = (x - whole * LN2_HIGH) - whole * LN2_LOW
    p = 1.0 / 39916800.0
    p = p * r + 1.0 / 3628800.0
    p = p * r + 1.0 / 362880.0
    p = p * r + 1.0 / 40320.0
    p = p * r + 1.0 / 5040.0
    p = p * r + 1.0 / 720.0
    p = p * r + 1.0 / 120.0
    p = p * r + 1.0 / 24.0
    p = p * r + 1.0 / 6.0
    p = p * r + 0.5
    p = p * r + 1.0
    p = p * r + 1.0
    return p * number_of((bits_of(shifted) + ONE_AS_BITS) << EXPONENT)


def _two_classes(scores: Any, y: Any, times: Any, present: Any, out: Any) -> None:
    for m in range(scores.shape[0]):
        line, to, often = scores[m], out[m], times[m]
        for i in range(line.shape[0]):
            less = -line[i]
            less = less if less > LEAST else LEAST
            less = less if less < MOST else MOST
            to[i] = often[i] / (1.0 + exponential(less)) - often[i] * y[i]


def _several_classes(scores: Any, y: Any, times: Any, present: Any, out: Any) -> None:
    models, classes = present.shape
    rows = scores.shape[1]
    largest, total = np.empty(BLOCK), np.empty(BLOCK)
    for m in range(models):
        first = m * classes
        for start in range(0, rows, BLOCK):
            count = min(BLOCK, rows - start)
            largest[:] = -np.inf
            total[:] = 0.0
            for c in range(classes):
                if present[m, c]:
                    line = scores[first + c, start : start + count]
                    for i in range(count):
                        largest[i] = line[i] if line[i] > largest[i] else largest[i]
            for c in range(classes):
                to = out[first + c, start : start + count]
                if not present[m, c]:
                    to[:] = 0.0
                    continue
                line = scores[first + c, start : start + count]
                for i in range(count):
                    less = line[i] - largest[i]
                    value = exponential(less if less > LEAST else LEAST)
                    to[i] = value
                    total[i] += value
            often = times[m, start : start + count]
            for i in range(count):
                total[i] = often[i] / total[i]
            for c in range(classes):
                to = out[first + c, start : start + count]
                for i in range(count):
                    to[i] *= total[i]
            for i in range(count):
                out[first + y[start + i], start + i] -= often[i]


def _settled(scores: Any, moved: Any, tests: Any, present: Any, ahead: float, hints: Any) -> Any:
    """Models in which every test row's best class is ahead by so many times what the step changes.

    ``hints`` remember the last row of each model that was not: it is looked at first.
    """
    starts, rows = tests
    models = present.shape[0]
    each = scores.shape[0] // models
    out = np.ones(models, dtype=np.bool_)
    for m in range(models):
        for at in range(starts[m] - 1, starts[m + 1]):
            i = hints[m] if at < starts[m] else rows[at]
            best, second, change = -np.inf, -np.inf, 0.0
            for c in range(each):
                if each > 1 and not present[m, c]:
                    continue
                score = scores[m * each + c, i]
                change = max(change, abs(moved[m * each + c, i]))
                if score > best:
                    best, second = score, best
                elif score > second:
                    second = score
            margin = abs(best) if each == 1 else best - second
            if not margin > ahead * change:
                out[m] = False
                hints[m] = i
                break
    return out


def _winners(scores: Any, model: int, rows: Any, present: Any) -> Any:
    """The best class of some rows in one model."""
    classes = present.shape[1]
    each = scores.shape[0] // present.shape[0]
    out = np.empty(rows.shape[0], dtype=np.intp)
    for at in range(rows.shape[0]):
        i = rows[at]
        if each == 1:
            out[at] = 1 if scores[model, i] > 0.0 else 0
            continue
        best = -np.inf
        for c in range(classes):
            if present[model, c] and scores[model * each + c, i] > best:
                best = scores[model * each + c, i]
                out[at] = c
    return out


# No sum may be taken in another order here: adding and subtracting ROUND would cancel.
# A division that asks whether it may be done does not run in vector registers: numpy's does not ask.
_compiled = numba.njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")
two_classes: Any = _compiled(_two_classes)
several_classes: Any = _compiled(_several_classes)
settled: Any = _compiled(_settled)
winners: Any = _compiled(_winners)
