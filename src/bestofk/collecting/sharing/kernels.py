"""The loops of one fold: compiled where numba is there, in numpy elsewhere; the predictions are the same."""

from __future__ import annotations

import os
from typing import Any

from bestofk.core.extras import available

#: Set to ``numpy`` it leaves numba out, as if the extra ``fast`` were not installed.
CHOICE = "BESTOFK_KERNELS"


def compiled_wanted() -> bool:
    """Whether the compiled loops are used."""
    return os.environ.get(CHOICE, "") != "numpy" and available("numba")


def kernels() -> Any:
    """The module with the loops over rows and classes."""
    if compiled_wanted():
        from bestofk.collecting.sharing import compiled

        return compiled
    from bestofk.collecting.sharing import arrays_only

    return arrays_only
