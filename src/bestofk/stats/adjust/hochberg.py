"""Hochberg's step-up adjustment."""

from __future__ import annotations

from typing import Any

from bestofk.core.arrays import Array
from bestofk.stats.adjust.family import step_up


def hochberg(p: Any) -> Array:
    r"""Hochberg: (m − i + 1)·p₍ᵢ₎, stepping up; valid for independent or positively dependent tests.

    References
    ----------
    Hochberg 1988.

    Examples
    --------
    >>> hochberg([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.04])
    """
    return step_up(p, lambda ordered, place: (len(place) - place + 1.0) * ordered, where="hochberg")
