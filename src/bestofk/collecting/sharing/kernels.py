"""The loops of one fold: compiled where numba is there, in numpy elsewhere; the predictions are the same."""

from __future__ import annotations

from typing import Any

from bestofk.core.compiled import compiled_wanted


def kernels() -> Any:
    """The module with the loops over rows and classes."""
    if compiled_wanted():
        from bestofk.collecting.sharing import compiled

        return compiled
    from bestofk.collecting.sharing import arrays_only

    return arrays_only
