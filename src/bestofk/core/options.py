"""Levels, counts, flags and words that a test is called with."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from bestofk.core.errors import InputError, glimpse
from bestofk.core.names import unknown


def level_inside(value: Any, *, name: str, where: str) -> float:
    """Take a level such as alpha: strictly between 0 and 1."""
    return number_inside(value, name=name, where=where, low=0.0, high=1.0)


def alpha_of(value: Any) -> float:
    """Take the level of a verdict: strictly between 0 and 0.5."""
    return number_inside(value, name="alpha", where="", low=0.0, high=0.5)


def number_inside(value: Any, *, name: str, where: str, low: float, high: float) -> float:
    """Take one number strictly between two ends."""
    if isinstance(value, bool | str) or not _is_between(value, low, high):
        ends = [f"{words} {end:g}" for words, end in (("above", low), ("below", high)) if np.isfinite(end)]
        raise InputError(
            f"{name} is {glimpse(value)}.",
            f"{where}, argument {name}" if where else f"argument {name}",
            f"give a number {' and '.join(ends) or 'that is finite'}.",
        )
    return float(value)


def _is_between(value: Any, low: float, high: float) -> bool:
    try:
        return np.size(value) == 1 and np.ndim(value) == 0 and bool(low < float(value) < high)
    except (TypeError, ValueError, OverflowError):
        return False


def count_of(value: Any, *, name: str, where: str, at_least: int = 1) -> int:
    """Take a whole number from ``at_least`` up."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < at_least:
        raise InputError(
            f"{name} is {glimpse(value)}.",
            f"{where}, argument {name}",
            f"give a whole number from {at_least} up.",
        )
    return int(value)


def flag_of(value: Any, *, name: str, where: str) -> bool:
    """Take True or False."""
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{name} is {glimpse(value)}.", f"{where}, argument {name}", "give True or False.")
    return bool(value)


def one_of(value: Any, allowed: Iterable[str], *, name: str, where: str) -> str:
    """Take one of the known words."""
    allowed = tuple(allowed)
    if not isinstance(value, str) or value not in allowed:
        raise unknown(value, allowed, what=name, where=f"{where}, argument {name}")
    return value


ALTERNATIVES = ("two-sided", "greater", "less")


def alternative_of(value: Any, *, where: str) -> str:
    """Take the direction of a test; ``greater`` means that the first loses more."""
    return one_of(value, ALTERNATIVES, name="alternative", where=where)


def refuse_duplicates(names: Iterable[Any], *, what: str, where: str) -> None:
    """Refuse a list that names the same thing twice."""
    seen: set[Any] = set()
    for name in names:
        if name in seen:
            raise InputError(f"{what} {name!r} is named twice.", where, f"give every {what} a name of its own.")
        seen.add(name)
