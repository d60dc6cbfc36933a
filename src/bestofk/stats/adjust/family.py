"""What the adjustments share: p values in, sorted, stepped down or up, back in the order given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, numbers
from bestofk.core.errors import InputError


def pvalues(p: Any, *, where: str) -> Array:
    """Take p values along the last axis, all between 0 and 1."""
    array = numbers(p, name="p", where=where)
    if array.ndim == 0 or array.shape[-1] == 0:
        raise InputError(f"p has the shape {array.shape}.", f"{where}, argument p", "give at least one p value.")
    bad = (array < 0) | (array > 1)
    if bad.any():
        first = tuple(int(i) for i in np.argwhere(bad)[0])
        raise InputError(
            f"p has the value {array[first]:g} at position {first[0] if len(first) == 1 else first}.",
            f"{where}, argument p",
            "give p values between 0 and 1.",
        )
    return array


def in_order(p: Any, rule: Callable[[Array, Array], Array], *, where: str) -> Array:
    """Apply a rule to ascending p values and their places 1 … m, and undo the sorting."""
    array = pvalues(p, where=where)
    order = np.argsort(array, axis=-1, kind="stable")
    ordered = np.take_along_axis(array, order, axis=-1)
    adjusted = rule(ordered, np.arange(1.0, array.shape[-1] + 1.0))
    result = np.empty(array.shape)
    # Rounding may put 1 − (1 − p) a unit below p; an adjusted p is never below the raw one.
    np.put_along_axis(result, order, np.clip(adjusted, ordered, 1.0), axis=-1)
    return result


def step_down(p: Any, rule: Callable[[Array, Array], Array], *, where: str) -> Array:
    """From the smallest p up: an adjusted p is the largest so far."""
    return in_order(p, lambda ordered, place: np.maximum.accumulate(rule(ordered, place), axis=-1), where=where)


def step_up(p: Any, rule: Callable[[Array, Array], Array], *, where: str) -> Array:
    """From the largest p down: an adjusted p is the smallest so far."""

    def stepped(ordered: Array, place: Array) -> Array:
        return np.minimum.accumulate(rule(ordered, place)[..., ::-1], axis=-1)[..., ::-1]

    return in_order(p, stepped, where=where)


def log_complement(p: Array) -> Array:
    """Return log(1 − p), minus infinity at p = 1."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log1p(-p))
