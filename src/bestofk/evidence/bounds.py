"""Values that a known measure cannot have, and percent mixed with shares."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.evidence.measures import is_bounded, is_larger_better

Place = Callable[[tuple[int, ...]], str]


def refuse_impossible(values: Array, measure: str, place: Place) -> None:
    """Refuse values of a rate below 0 or above 100, and rates of which some are percent and some are shares.

    ``place`` says where a value is, by its index. Small percentages of errors look like shares and are let pass.
    """
    if not is_bounded(measure):
        return
    wrong = (values < 0) | ((values > 100) & np.isfinite(values))  # infinities are refused elsewhere
    if wrong.any():
        where = _first(wrong)
        raise InputError(
            f"{measure} is {values[where]:g}.", place(where), f"give {measure} between 0 and 1, or in percent."
        )
    if is_larger_better(measure) and "percent" not in measure.lower():
        _refuse_mixture(values, measure, place)


def _refuse_mixture(values: Array, measure: str, place: Place) -> None:
    percent, shares = values > 1, (values > 0) & (values <= 1)
    if percent.any() and shares.any():
        here, there = _first(shares), _first(percent)
        raise InputError(
            f"{measure} is {values[here]:g} here and {values[there]:g} in {place(there)}: "
            "shares and percent are mixed.",
            place(here),
            "write all values as shares (0.87), or all in percent (87).",
        )


def _first(flags: Flags) -> tuple[Any, ...]:
    return tuple(int(i) for i in np.unravel_index(int(np.argmax(flags)), flags.shape))
