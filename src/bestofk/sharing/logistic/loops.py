"""Residuals of many logistic regressions and which predictions are settled, as compiled loops (extra ``fast``).

Scores are (models · classes, rows), the classes of the first model first, so that inner loops run over rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need

numba = need("numba", purpose="the compiled exponentials of shared logistic regressions")

#: Adding this to a number of moderate size leaves its nearest whole number in the lowest bits.
ROUND, ROUND_SINGLE = 1.5 * 2.0**52, np.float32(1.5 * 2.0**23)
LOG2_E, LN2_HIGH, LN2_LOW = 1.4426950408889634, 0.6931471803691238, 1.9082149292705877e-10
LOG2_E_SINGLE, LN2_HIGH_SINGLE, LN2_LOW_SINGLE = np.float32(LOG2_E), np.float32(0.69314575), np.float32(1.42860677e-6)
#: Exponents beyond this are to be cut: less than 1e-34 is nothing beside 1.
MOST = np.float32(80.0)
#: One over the first factorials.
ONE, HALF, SIXTH = np.float32(1.0), np.float32(0.5), np.float32(1.0 / 6.0)
F4, F5, F6 = np.float32(1.0 / 24.0), np.float32(1.0 / 120.0), np.float32(1.0 / 720.0)


@numba.extending.intrinsic  # type: ignore[untyped-decorator]
def two_to(context: Any, shifted: Any) -> Any:
    """Two to the whole number that rounding has left in the lowest bits."""
    wide = shifted.bitwidth == 64
    whole, exponent, one = (numba.types.int64, 52, 1023) if wide else (numba.types.int32, 23, 127)

    def generate(target: Any, builder: Any, signature: Any, values: Any) -> Any:
        kind = target.get_value_type(whole)
        bits = builder.add(builder.bitcast(values[0], kind), kind(one))
        return builder.bitcast(builder.shl(bits, kind(exponent)), target.get_value_type(shifted))

    return shifted(shifted), generate


def exponential(x: Any) -> Any:
    """E to the x, |x| up to ``MOST``, so that loops run in vector registers; right to 1e-14, or to 3e-7."""
    return np.exp(x)


def _double(x: Any) -> Any:
    shifted = x * LOG2_E + ROUND
    whole = shifted - ROUND
    r = (x - whole * LN2_HIGH) - whole * LN2_LOW
    r2 = r * r
    r4 = r2 * r2
    # In pieces that do not wait for one another, where Horner's rule would.
    low = (1.0 + r) + r2 * (0.5 + r * (1.0 / 6.0))
    middle = (1.0 / 24.0 + r * (1.0 / 120.0)) + r2 * (1.0 / 720.0 + r * (1.0 / 5040.0))
    high = (1.0 / 40320.0 + r * (1.0 / 362880.0)) + r2 * (1.0 / 3628800.0 + r * (1.0 / 39916800.0))
    return ((low + r4 * middle) + (r4 * r4) * high) * two_to(shifted)


def _single(x: Any) -> Any:
    shifted = x * LOG2_E_SINGLE + ROUND_SINGLE
    whole = shifted - ROUND_SINGLE
    r = (x - whole * LN2_HIGH_SINGLE) - whole * LN2_LOW_SINGLE
    r2 = r * r
    return (((ONE + r) + r2 * (HALF + r * SIXTH)) + (r2 * r2) * ((F4 + r * F5) + r2 * F6)) * two_to(shifted)


@numba.extending.overload(exponential, inline="always")  # type: ignore[untyped-decorator]
def _exponential(x: Any) -> Any:
    return _single if x == numba.types.float32 else _double


#: Rows that are worked on together.
BLOCK = 128
LEAST = -MOST


def _two_classes(scores: Any, y: Any, times: Any, which: Any, present: Any, first: int) -> None:
    one = np.ones(1, scores.dtype)[0]  # of their precision: with another one the loop would run in double
    for m in range(scores.shape[0]):
        line = scores[m]
        often, label = times[which[m], first : first + line.shape[0]], y[first : first + line.shape[0]]
        for i in range(line.shape[0]):
            less = -line[i]
            less = less if less > LEAST else LEAST
            less = less if less < MOST else MOST
            line[i] = often[i] / (one + exponential(less)) - often[i] * label[i]


def _several_classes(scores: Any, y: Any, times: Any, which: Any, present: Any, first: int) -> None:
    models, classes = present.shape
    rows = scores.shape[1]
    largest, total = np.empty(BLOCK, scores.dtype), np.empty(BLOCK, scores.dtype)
    for m in range(models):
        for start in range(0, rows, BLOCK):
            count = min(BLOCK, rows - start)
            largest[:] = -np.inf
            total[:] = 0.0
            for c in range(classes):
                if present[m, c]:
                    line = scores[m * classes + c, start : start + count]
                    for i in range(count):
                        largest[i] = line[i] if line[i] > largest[i] else largest[i]
            for c in range(classes):
                line = scores[m * classes + c, start : start + count]
                if not present[m, c]:
                    line[:] = 0.0
                    continue
                for i in range(count):
                    less = line[i] - largest[i]
                    value = exponential(less if less > LEAST else LEAST)
                    line[i] = value
                    total[i] += value
            often = times[which[m], first + start : first + start + count]
            for i in range(count):
                total[i] = often[i] / total[i]
            for c in range(classes):
                line = scores[m * classes + c, start : start + count]
                for i in range(count):
                    line[i] *= total[i]
            for i in range(count):
                scores[m * classes + y[first + start + i], start + i] -= often[i]


def _settled(scores: Any, moved: Any, tests: Any, which: Any, present: Any, ahead: float, hints: Any) -> Any:
    """Models in which every test row's best class is ahead by so many times what the step changes.

    ``hints`` remember the row of each model that is least ahead.
    """
    starts, rows = tests
    models = present.shape[0]
    each = scores.shape[0] // models
    out = np.ones(models, dtype=np.bool_)
    best, second, change = np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK)
    for m in range(models):
        least, end = np.inf, starts[which[m] + 1]
        for start in range(starts[which[m]], end, BLOCK):
            some = rows[start : min(start + BLOCK, end)]
            best[:] = -np.inf
            second[:] = -np.inf
            change[:] = 0.0
            for c in range(each):
                if each > 1 and not present[m, c]:
                    continue
                line, step = scores[m * each + c], moved[m * each + c]
                for i in range(some.shape[0]):
                    score, size = np.float64(line[some[i]]), np.float64(abs(step[some[i]]))
                    # What is no number settles nothing.
                    size = size if size < np.inf and score - score == 0.0 else np.float64(np.inf)
                    under = score if score < best[i] else best[i]
                    best[i] = score if score > best[i] else best[i]
                    second[i] = under if under > second[i] else second[i]
                    change[i] = size if size > change[i] else change[i]
            for i in range(some.shape[0]):
                margin = abs(best[i]) if each == 1 else best[i] - second[i]
                times = margin / (change[i] if change[i] > 1e-300 else 1e-300)
                if not times > ahead:
                    out[m] = False
                if not times >= least:
                    least = times
                    hints[which[m]] = some[i]
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


def _back(turned: Any, which: Any, slots: Any, steps: Any, changes: Any, inverses: Any, shares: Any) -> None:
    """First loop of limited-memory BFGS, the latest step first."""
    for at in range(which.shape[0]):
        m, line = which[at], turned[at]
        for slot in slots[::-1]:
            step, change, share = steps[slot, m], changes[slot, m], 0.0
            for j in range(line.shape[0]):
                share += step[j] * line[j]
            share *= inverses[slot, m]
            for j in range(line.shape[0]):
                line[j] -= share * change[j]
            shares[slot, at] = share


def _forth(turned: Any, which: Any, slots: Any, steps: Any, changes: Any, inverses: Any, shares: Any) -> None:
    """Second loop of limited-memory BFGS, the oldest step first."""
    for at in range(which.shape[0]):
        m, line = which[at], turned[at]
        for slot in slots:
            step, change, share = steps[slot, m], changes[slot, m], 0.0
            for j in range(line.shape[0]):
                share += change[j] * line[j]
            share = shares[slot, at] - inverses[slot, m] * share
            for j in range(line.shape[0]):
                line[j] += share * step[j]


# No sum may be taken in another order here: what an exponential adds to round would cancel.
# A division that asks whether it may be done does not run in vector registers: numpy's does not ask.
_compiled = numba.njit(cache=True, nogil=True, fastmath={"contract"}, error_model="numpy")
two_classes: Any = _compiled(_two_classes)
several_classes: Any = _compiled(_several_classes)
settled: Any = _compiled(_settled)
winners: Any = _compiled(_winners)
_summed = numba.njit(cache=True, nogil=True, fastmath={"contract", "reassoc", "nsz"}, error_model="numpy")
back: Any = _summed(_back)
forth: Any = _summed(_forth)
