"""The bits of a machine word that are set: the place of the lowest and their number (extra ``fast``)."""

from __future__ import annotations

from typing import Any

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
