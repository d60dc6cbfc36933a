"""The order of names: numbers by value, and digits inside words as numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import isfinite
from typing import TypeAlias

Part: TypeAlias = tuple[str, int, str]
Natural: TypeAlias = tuple[int, float, tuple[Part, ...], str]


def natural(word: str) -> Natural:
    """Sort numbers by value and before words, fold2 before fold10: the order of rows in a file means nothing.

    Examples
    --------
    >>> sorted(["fold10", "fold2", "10", "9.5"], key=natural)
    ['9.5', '10', 'fold2', 'fold10']
    """
    try:
        number = float(word)
    except ValueError:
        number = float("nan")
    return (0, number, (), word) if isfinite(number) else (1, 0.0, _parts(word), word)


def class_order(names: Iterable[str]) -> tuple[str, ...]:
    """Classes as scikit-learn sorts them, so that the second of two is the same one: numbers by value, words as text.

    Examples
    --------
    >>> class_order(["9", "10"]), class_order(["c9", "c10"])
    (('9', '10'), ('c10', 'c9'))
    """
    every = set(names)
    numbers = all(natural(name)[0] == 0 for name in every)
    return tuple(sorted(every, key=natural if numbers else None))


def last_number_first(word: str) -> tuple[tuple[Part, ...], str]:
    """Sort by the last number in a name, then by the one before it: f0r0, f1r0, f0r1.

    Examples
    --------
    >>> sorted(["f0r0", "f0r1", "f1r0"], key=last_number_first)
    ['f0r0', 'f1r0', 'f0r1']
    """
    return _parts(word)[::-1], word


def _parts(word: str) -> tuple[Part, ...]:
    """Letters and the digits after them; digits compare as numbers do, by their length first."""
    found = re.findall(r"([^0-9]*)([0-9]*)", word)
    return tuple((letters, len(digits.lstrip("0")), digits.lstrip("0")) for letters, digits in found)
