"""Exponentials without branches for compiled loops (extra ``fast``), in single and in double precision."""

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
