"""Bonferroni's adjustment."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.stats.adjust.family import pvalues


def bonferroni(p: Any) -> Array:
    r"""Bonferroni: m·p, at most 1.

    References
    ----------
    Dunn 1961.

    Examples
    --------
    >>> bonferroni([0.01, 0.04, 0.03])
    array([0.03, 0.12, 0.09])
    """
    array = pvalues(p, where="bonferroni")
    return np.asarray(np.minimum(1.0, array.shape[-1] * array))
