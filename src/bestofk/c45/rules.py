"""The settings that decide a tree, as numbers that compiled code can read."""

from __future__ import annotations

from typing import NamedTuple

PRUNING = ("none", "pessimistic", "reduced-error")
CRITERIA = ("gain-ratio", "gain")


class Rules(NamedTuple):
    """``confidence`` is the chance that bounds a leaf's errors, ``deviate`` the normal deviate that it leaves above."""

    by_ratio: bool
    min_instances: float
    penalty: bool
    collapse: bool
    pessimistic: bool
    raising: bool
    confidence: float
    deviate: float
