"""No adjustment."""

from __future__ import annotations

from typing import Any

from bestofk.core.arrays import Array
from bestofk.stats.adjust.family import pvalues


def none(p: Any) -> Array:
    r"""Leave p values as they are: no protection against many tests.

    References
    ----------
    Rothman 1990 argues for it.

    Examples
    --------
    >>> none([0.01, 0.04, 0.03])
    array([0.01, 0.04, 0.03])
    """
    return pvalues(p, where="none").copy()
