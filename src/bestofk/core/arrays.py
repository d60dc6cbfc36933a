"""Array-likes in, finite float arrays out, or a three-line error."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bestofk.core.errors import InputError, glimpse

Array: TypeAlias = npt.NDArray[np.float64]


Flags: TypeAlias = npt.NDArray[np.bool_]


#: Differences up to this share of the data's scale are rounding, not evidence.
ROUNDING = 1e-12


def without_rounding(differences: Any, scale: Any) -> Array:
    """Differences of numbers of this scale, 0 where they are rounding.

    Examples
    --------
    >>> without_rounding([0.3 - 0.1 - 0.2, 0.1], 0.3)
    array([0. , 0.1])
    """
    given = np.asarray(differences, dtype=np.float64)
    return np.where(np.abs(given) <= ROUNDING * np.asarray(scale), 0.0, given)


def numbers(values: Any, *, name: str, where: str) -> Array:
    """Return finite floats; text, gaps (NaN, masked) and infinities are refused, never repaired."""
    place = f"{where}, argument {name}"
    masked = _masked(values)
    if masked:
        raise InputError(f"{name} has {masked} masked values.", place, "fill or drop the masked values first.")
    if isinstance(values, str | bytes | Mapping) or values is None:
        raise InputError(f"{name} is {glimpse(values)}, not numbers.", place, "give a list or an array of numbers.")
    try:
        raw = np.asarray(values)
    except ValueError:
        raise InputError(
            f"{name} is ragged: its rows have unequal lengths.", place, "give rows of equal length."
        ) from None
    if raw.dtype.kind not in "biufO":
        raise InputError(f"{name} holds {raw.dtype} values, not numbers.", place, "give numbers only.")
    if raw.dtype.kind == "O":
        _refuse_text(raw, name, place)
    try:
        array = np.asarray(
            raw, dtype=np.float64
        )  # the caller's own where it can be: nothing in this house writes to it
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"{name} holds values that are not numbers of ordinary size.", place, "give numbers only."
        ) from None
    _refuse_gaps(array, name, place)
    return array


def _masked(values: Any) -> int:
    """How many values are masked; numpy would quietly show what lies under the mask."""
    if "numpy.ma" not in sys.modules:  # and asking numpy for it would load it
        return 0
    if isinstance(values, np.ma.MaskedArray):
        return int(np.ma.getmaskarray(values).sum())
    if isinstance(values, list | tuple):
        return sum(_masked(entry) for entry in values if isinstance(entry, list | tuple | np.ma.MaskedArray))
    return 0


def _refuse_text(raw: npt.NDArray[Any], name: str, place: str) -> None:
    for position, value in np.ndenumerate(raw):
        if isinstance(value, str | bytes | list | tuple | complex):
            raise InputError(
                f"{name} has {glimpse(value)} at position {index_text(position)}.",
                place,
                "give an array of numbers with rows of equal length.",
            )


def _refuse_gaps(array: Array, name: str, place: str) -> None:
    good = np.isfinite(array)
    if good.all():
        return
    first = tuple(int(i) for i in np.argwhere(~good)[0])
    count = int((~good).sum())
    raise InputError(
        f"{name} has {count} value{'s' if count > 1 else ''} that {'are' if count > 1 else 'is'} NaN or infinite, "
        f"the first ({array[first]}) at position {index_text(first)}.",
        place,
        "complete the missing results, or leave the whole pair (data set, fold) out for all learners.",
    )


#: Beyond these sizes squares leave the range of floating point and a variance would be infinite or 0.
LARGEST, SMALLEST = 1e140, 1e-140


def squarable(array: Array, *, name: str, where: str) -> Array:
    """Refuse values whose squares overflow or vanish."""
    if array.size:
        reach = max(float(array.max()), -float(array.min()))
        if reach > LARGEST or 0.0 < reach < SMALLEST:
            raise InputError(
                f"the values of {name} reach {reach:g}, and their squares leave the range of floating point.",
                f"{where}, argument {name}",
                "divide all values by a common factor first; no p value depends on it.",
            )
    return array


def zero_one(
    values: Any, *, name: str, where: str, meaning: str = "give 1 where the outcome holds and 0 where it does not"
) -> Array:
    """Take 0/1 outcomes."""
    array = numbers(values, name=name, where=where)
    bad = (array != 0) & (array != 1)
    if bad.any():
        first = tuple(int(i) for i in np.argwhere(bad)[0])
        raise InputError(
            f"{name} has the value {array[first]:g} at position {index_text(first)}.",
            f"{where}, argument {name}",
            f"{meaning}.",
        )
    return array


def index_text(position: tuple[int, ...]) -> str:
    """Say a position as a person would: 3, or (3, 1)."""
    return str(position[0]) if len(position) == 1 else str(position)


def is_missing(value: Any) -> bool:
    """None, NaN, and pandas' NA, which does not even know whether it differs from itself.

    Examples
    --------
    >>> is_missing(None), is_missing(float("nan")), is_missing("lda")
    (True, True, False)
    """
    try:
        return value is None or bool(value != value)
    except (TypeError, ValueError):
        return type(value).__name__ == "NAType"
