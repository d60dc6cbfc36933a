"""Confusion counts are counts of rows: whole numbers, up to rounding."""

from __future__ import annotations

import numpy as np

from bestofk.core.arrays import Array, Flags

#: What is less is rounding.
ROUNDED = 1e-6


def not_whole(counts: Array) -> Flags:
    """Which counts lie between whole numbers; none where one is missing."""
    return np.asarray(np.abs(counts - np.round(counts)) > ROUNDED * np.maximum(np.abs(counts), 1.0))


def give_whole(columns: str) -> str:
    """What to do about such counts; ``columns`` are what may be given instead."""
    return f"give whole counts of rows; for shares, or means of counts, name {columns}."
