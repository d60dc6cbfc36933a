"""Truth and scores of a two-class problem."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, numbers, zero_one
from bestofk.core.errors import InputError


def positives(y: Any, *, where: str) -> npt.NDArray[np.bool_]:
    """Take the truth as 0/1 with both classes present."""
    truth = zero_one(y, name="y", where=where)
    if truth.ndim != 1 or not 0 < truth.sum() < truth.size:
        raise InputError(
            f"y has the shape {truth.shape} and {int(truth.sum())} positives.",
            f"{where}, argument y",
            "give one 0 or 1 per item, with both classes present.",
        )
    return np.asarray(truth == 1)


def scores_of(scores: Any, items: int, *, name: str, where: str) -> Array:
    """Take scores (..., items): the larger, the more positive."""
    array = numbers(scores, name=name, where=where)
    if array.ndim < 1 or array.shape[-1] != items:
        raise InputError(
            f"{name} has the shape {array.shape} for {items} items.",
            f"{where}, argument {name}",
            "give one score per item, in the order of y.",
        )
    return array
