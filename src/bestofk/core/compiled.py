"""Compiled loops (extra ``fast``), or the same in numpy: one choice for the whole package."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from bestofk.core.extras import available, need

#: Set to ``numpy`` it leaves numba out, as if the extra ``fast`` were not installed.
CHOICE = "BESTOFK_KERNELS"


def compiled_wanted() -> bool:
    """Whether compiled loops are used: numba is there, and the environment does not say otherwise."""
    return os.environ.get(CHOICE, "") != "numpy" and available("numba")


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Return the function compiled, from the cache of an earlier run where it is there."""
    numba: Any = need("numba", purpose="compiled loops")
    return numba.njit(cache=True, nogil=True, **options)(function)


def reordered(function: Callable[..., Any]) -> Any:
    """The same; sums may be taken in another order, so that they run in vector registers."""
    return compiled(function, fastmath={"reassoc", "nsz", "contract"})


def inlined(function: Callable[..., Any]) -> Any:
    """The same, put in the place of every call before that is compiled: many arrays take long to hand over."""
    numba: Any = need("numba", purpose="compiled loops")
    return numba.njit(inline="always")(function)
