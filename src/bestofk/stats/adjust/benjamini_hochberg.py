"""Benjamini and Hochberg's false discovery rate."""

from __future__ import annotations

from typing import Any

from bestofk.core.arrays import Array
from bestofk.stats.adjust.family import step_up


def benjamini_hochberg(p: Any) -> Array:
    r"""Benjamini–Hochberg: m/i·p₍ᵢ₎, stepping up; controls the false discovery rate, not the family-wise error.

    References
    ----------
    Benjamini and Hochberg 1995.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.04])
    """
    return step_up(p, lambda ordered, place: len(place) / place * ordered, where="benjamini-hochberg")
