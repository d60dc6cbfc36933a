"""Holland's step-down adjustment."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.stats.adjust.family import log_complement, step_down


def holland(p: Any) -> Array:
    r"""Holland: 1 − (1 − p₍ᵢ₎)^(m−i+1), stepping down.

    References
    ----------
    Holland and Copenhaver 1987.

    Examples
    --------
    >>> holland([0.01, 0.04, 0.03])
    array([0.029701, 0.0591  , 0.0591  ])
    """

    def rule(ordered: Array, place: Array) -> Array:
        return -np.expm1((len(place) - place + 1.0) * log_complement(ordered))

    return step_down(p, rule, where="holland")
