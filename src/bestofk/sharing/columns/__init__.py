"""Columns of a data set in many folds: what gaps are filled with, sums and moments, and the loops that take them."""

from __future__ import annotations

from typing import Any

from bestofk.core.compiled import compiled_wanted


def kernels() -> Any:
    """The module with the loops over rows and classes: compiled where numba is there, in numpy elsewhere."""
    if compiled_wanted():
        from bestofk.sharing.columns import loops

        return loops
    from bestofk.sharing.columns import arrays

    return arrays
