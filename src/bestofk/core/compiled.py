"""Compiled loops (extra ``fast``), or the same in numpy: one choice for the whole package."""

from __future__ import annotations

import os

from bestofk.core.extras import available

#: Set to ``numpy`` it leaves numba out, as if the extra ``fast`` were not installed.
CHOICE = "BESTOFK_KERNELS"


def compiled_wanted() -> bool:
    """Whether compiled loops are used: numba is there, and the environment does not say otherwise."""
    return os.environ.get(CHOICE, "") != "numpy" and available("numba")
