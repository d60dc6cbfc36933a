"""Holm's step-down adjustment."""

from __future__ import annotations

from typing import Any

from bestofk.core.arrays import Array
from bestofk.stats.adjust.family import step_down


def holm(p: Any) -> Array:
    r"""Holm: (m − i + 1)·p₍ᵢ₎, stepping down; valid for any dependence.

    References
    ----------
    Holm 1979.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    return step_down(p, lambda ordered, place: (len(place) - place + 1.0) * ordered, where="holm")
