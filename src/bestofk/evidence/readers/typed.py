"""A column from Python values that have types of their own: JSON, spreadsheets, data frames of mixed objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from decimal import Decimal
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.evidence.columns import is_key_name
from bestofk.evidence.readers.growing import Words
from bestofk.evidence.table import Column, Numbers, Text, as_number, as_word, not_a_number

_NUMBERS = (bool, int, float, Decimal, np.number, np.bool_)
_NESTED = (Mapping, Sequence, Set, bytes, bytearray, memoryview, np.ndarray)


def column_of(name: str, values: Sequence[Any], where: Callable[[int], str]) -> Column | None:
    """Return values as a column, or None when some are nested. ``where(row)`` is for the three lines of an infinity.

    Keys are words. Other columns are numbers when they have some, and no word that is neither a number nor one of
    absence; a column without any value is one of missing numbers, one of words of absence alone is one of words.
    """
    kinds = set(map(type, values)) - {type(None)}
    if any(is_nested(kind) for kind in kinds):
        return None
    if is_key_name(name) or not _mean_numbers(values, kinds):
        words = Words()
        return Text(words.codes([word_of(value) for value in values]), words.categories)
    return Numbers(finite(name, np.array([_number_of(value) for value in values], dtype=np.float64), where))


@cache
def is_nested(kind: type) -> bool:
    """Whether values of a type hold other values, or are bytes."""
    return issubclass(kind, _NESTED) and not issubclass(kind, str)


def word_of(value: Any) -> str:
    """Return a value as a word: empty where it is missing, 1 and 0 for true and false, whole numbers without a point.

    Examples
    --------
    >>> word_of(None), word_of(True), word_of(3.0), word_of(10**20), word_of("lda")
    ('', '1', '3', '100000000000000000000', 'lda')
    """
    if isinstance(value, str):
        return value
    if value is None or value != value:  # NaN and NaT are not equal to themselves
        return ""
    if isinstance(value, bool | np.bool_ | int | np.integer):
        return str(int(value))
    return as_word(float(value)) if isinstance(value, float | np.floating | Decimal) else str(value)


def finite(name: str, values: Array, where: Callable[[int], str]) -> Array:
    """Return the values, or say where the first infinity is."""
    infinite = np.isinf(values)
    if infinite.any():
        row = int(np.argmax(infinite))
        raise not_a_number(name, str(values[row]), where(row))
    return values


def text_of_codes(codes: npt.NDArray[Any], words: Sequence[Any]) -> Text:
    """Return words by code as every reader gives them: stripped, in order of first appearance, −1 where empty."""
    first = np.full(len(words) + 1, len(codes))  # the last is for −1
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # of equal places the last one written stays: the first row
    used = np.flatnonzero(first[:-1] < len(codes))
    known = Words()
    new = np.full(len(words) + 1, -1, dtype=np.int32)
    for code in used[np.argsort(first[used])].tolist():
        new[code] = known[word_of(words[code])]
    return Text(new[codes], known.categories)


def _mean_numbers(values: Sequence[Any], kinds: set[type]) -> bool:
    if any(not issubclass(kind, (*_NUMBERS, str)) for kind in kinds):
        return False
    words = {value for value in values if isinstance(value, str)} if any(issubclass(k, str) for k in kinds) else set()
    meanings = [as_number(word) for word in words]
    if None in meanings:
        return False
    return any(issubclass(kind, _NUMBERS) for kind in kinds) or not any(word.strip() for word in words)


def _number_of(value: Any) -> float:
    if value is None:
        return float("nan")
    if isinstance(value, str):
        number = as_number(value)
        return float("nan") if number is None else number
    try:
        return float(value)
    except OverflowError:  # a whole number beyond all floats
        return float("inf") if value > 0 else float("-inf")
