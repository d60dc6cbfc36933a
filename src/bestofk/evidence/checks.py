"""Checks that evidence makes once, when it is put together: shapes, lengths and names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError, glimpse
from bestofk.core.options import refuse_duplicates


def frozen(array: Any, *, name: str = "values", where: str = "evidence") -> Array:
    """Copy into a float array that nobody else can write to."""
    try:
        copy = np.array(array, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} is {glimpse(array)}.", f"{where}, {name}", "give an array of numbers.") from None
    copy.flags.writeable = False
    return copy


def entries_of(entries: Any, *, name: str, where: str) -> tuple[Any, ...]:
    """Take a list of names or of other single things; a text is one thing and no list."""
    if isinstance(entries, str | bytes | Mapping) or not isinstance(entries, Iterable):
        raise InputError(f"{name} is {glimpse(entries)}.", f"{where}, {name}", "give a list with one entry each.")
    return tuple(entries)


def mapping_of(given: Any, *, name: str, where: str) -> Mapping[Any, Any]:
    """Take a mapping of names."""
    if not isinstance(given, Mapping):
        raise InputError(f"{name} is {glimpse(given)}.", f"{where}, {name}", "give a dict by name.")
    return given


def read_only(copy: Any) -> Any:
    """Close an array, which must be a copy, to writing."""
    copy.flags.writeable = False
    return copy


def is_binary(values: Array) -> bool:
    """Whether there are values, and all are 0 or 1."""
    there = values[~np.isnan(values)]
    return there.size > 0 and bool(((there == 0) | (there == 1)).all())


#: Fourth powers of larger values, or of smaller ones, are no numbers.
_LARGEST, _SMALLEST = 1e75, 1e-75


def refuse_infinite(values: Array, where: str) -> None:
    """Refuse infinite values, and those too large or all too small to reckon with."""
    if np.isinf(values).any():
        raise InputError("values are infinite.", f"{where}, values", "give finite scores.")
    largest = float(np.max(np.abs(values), initial=0.0, where=~np.isnan(values)))
    if largest > _LARGEST or 0 < largest < _SMALLEST:
        raise InputError(f"values reach {largest:.3g}.", f"{where}, values", "give them in another unit, nearer to 1.")


def refuse_shape(array: Any, shape: tuple[int, ...], *, name: str, where: str) -> None:
    """Refuse an array that does not have the shape that ``values`` asks for."""
    if np.shape(array) != shape:
        raise InputError(
            f"{name} has the shape {np.shape(array)}, values ask for {shape}.",
            f"{where}, {name}",
            f"give {name} in the shape {shape}.",
        )


def settled_names(names: Iterable[str], length: int, *, what: str, where: str) -> tuple[str, ...]:
    """Return names of something, each of its own; 1, 2, 3 … where none are given."""
    settled = entries_of(names, name=f"{what}s", where=where)
    if not settled:
        return tuple(map(str, range(1, length + 1)))
    refuse_length(settled, length, name=f"{what}s", where=where)
    if len(set(settled)) < length:
        refuse_duplicates(settled, what=what, where=where)
    return settled


def refuse_length(entries: Sized, length: int, *, name: str, where: str) -> None:
    """Refuse a list that has not one entry for each."""
    if len(entries) != length:
        raise InputError(
            f"{name} has {len(entries):,} entries, values ask for {length:,}.",
            f"{where}, {name}",
            f"give {length:,} entries.",
        )


def refuse_other_learners(mapping: Mapping[str, Any], learners: Sequence[str], *, name: str, where: str) -> None:
    """Refuse what is no mapping, or has not exactly the learners for keys."""
    mapping = mapping_of(mapping, name=name, where=where)
    wrong = [each for each in learners if each not in mapping] or [each for each in mapping if each not in learners]
    if wrong:
        raise InputError(
            f"{name} {'does not have' if wrong[0] in learners else 'has'} {wrong[0]!r}.",
            f"{where}, {name}",
            f"give one entry per learner: {', '.join(learners)}.",
        )
