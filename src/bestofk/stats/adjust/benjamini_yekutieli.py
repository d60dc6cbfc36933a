"""Benjamini and Yekutieli's false discovery rate."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.stats.adjust.family import step_up


def benjamini_yekutieli(p: Any) -> Array:
    r"""Benjamini–Yekutieli: m/i·p₍ᵢ₎·Σ1/j, stepping up; false discovery rate under any dependence.

    References
    ----------
    Benjamini and Yekutieli 2001.

    Examples
    --------
    >>> benjamini_yekutieli([0.01, 0.04, 0.03])
    array([0.055     , 0.07333333, 0.07333333])
    """

    def rule(ordered: Array, place: Array) -> Array:
        return np.asarray(len(place) / place * (1.0 / place).sum() * ordered)

    return step_up(p, rule, where="benjamini-yekutieli")
