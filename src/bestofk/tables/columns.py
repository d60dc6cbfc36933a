"""Columns in the making: from cells of text, a block at a time, and from Python values that have types of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from datetime import date, time, timedelta
from decimal import Decimal
from functools import cache
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.tables.cells import Purpose, as_number, as_word, not_a_number, unguarded
from bestofk.tables.table import Column, Numbers, Text

DECIDING = 1 << 16  # cells that are looked at before a column is one of numbers or of words

Entry = TypeVar("Entry", bound=np.generic)

_NUMBERS = (bool, int, float, Decimal, np.number, np.bool_)
_TRUTH = (bool, np.bool_)
_MOMENTS = (date, time, timedelta, np.datetime64, np.timedelta64)
_NESTED = (Mapping, Sequence, Set, bytes, bytearray, memoryview, np.ndarray)

NESTED = "lists or objects"
DATES = "dates or times"


class NotANumber(Exception):
    """A word in a column that has been one of numbers so far."""

    def __init__(self, word: str, row: int) -> None:
        super().__init__(word, row)
        self.word = word
        self.row = row


class GrowingArray(Generic[Entry]):
    """An array that grows in place, by an eighth at a time: no second copy is made to join its parts."""

    def __init__(self, dtype: type[Entry]) -> None:
        self._array = np.empty(0, dtype=dtype)
        self._used = 0

    def append(self, part: npt.NDArray[Entry]) -> None:
        """Append the entries of another array."""
        end = self._used + len(part)
        if end > len(self._array):
            self._array.resize(end + end // 8, refcheck=False)
        self._array[self._used : end] = part
        self._used = end

    def finished(self) -> npt.NDArray[Entry]:
        """Return the array, cut to what is in it."""
        self._array.resize(self._used, refcheck=False)
        return self._array


class Words(dict[str, int]):
    """Code of every cell, learnt at first sight: −1 when it is blank or one of ``dropped``; blanks around do not count.

    Examples
    --------
    >>> words = Words()
    >>> words.codes(["lda", " lda", "", "knn"]).tolist(), words.categories
    ([0, 0, -1, 1], ('lda', 'knn'))
    """

    def __init__(self, dropped: frozenset[str] = frozenset({""})) -> None:
        super().__init__()
        self._known: dict[str, int] = {}
        self._dropped = dropped

    def __missing__(self, cell: str) -> int:
        word = cell.strip()
        code = -1 if word.lower() in self._dropped else self._known.setdefault(word, len(self._known))
        self[cell] = code
        return code

    def codes(self, cells: Sequence[str]) -> npt.NDArray[np.int32]:
        """Return the codes of cells."""
        return np.fromiter(map(self.__getitem__, cells), np.int32, len(cells))

    def column(self, cells: Sequence[str]) -> Text:
        """Return cells as a column of words."""
        return Text(self.codes(cells), self.categories)

    @property
    def categories(self) -> tuple[str, ...]:
        """Words in order of first appearance."""
        return tuple(self._known)


class _WrittenWords(Words):
    """Words as they stand in a file: an apostrophe before what looks like a formula is none of the word."""

    def __missing__(self, cell: str) -> int:
        self[cell] = code = super().__missing__(unguarded(cell.strip()))
        return code


class GrowingColumn:
    """A column of cells as they stand in a file.

    The first ``DECIDING`` cells are kept until they decide whether these are numbers; cells that are all missing
    decide nothing, so that a column of reasons may start at the first failure.
    """

    def __init__(self, purpose: Purpose, *, words_only: bool) -> None:
        self._purpose = purpose
        self._undecided: list[str] = []
        self._kind: type[Text] | type[Numbers] | None = Text if words_only else None
        self._words = _WrittenWords(purpose.dropped)
        self._codes = GrowingArray(np.int32)
        self._values = GrowingArray(np.float64)
        self._rows = 0

    def add(self, cells: Sequence[str]) -> None:
        """Append a block of cells."""
        while self._kind is None and cells:
            room = DECIDING - len(self._undecided)
            self._undecided.extend(cells[:room])
            cells = cells[room:]
            if len(self._undecided) == DECIDING:
                self._decide()
        if cells:
            self._append(cells)

    def finished(self) -> Column:
        """Return the column: one without any value is of missing numbers, one of words of absence alone keeps them."""
        if self._kind is None:
            self._decide()
        if self._kind is Text or (self._kind is None and self._words.categories):
            return Text(self._codes.finished(), self._words.categories)
        if self._kind is None:
            self._values.append(np.full(self._rows, np.nan))
        return Numbers(self._values.finished())

    def _decide(self) -> None:
        cells, self._undecided = self._undecided, []
        self._kind = _kind_of(cells, self._purpose)
        if self._kind is Numbers:
            self._values.append(np.full(self._rows, np.nan))
            self._codes = GrowingArray(np.int32)
        self._append(cells)

    def _append(self, cells: Sequence[str]) -> None:
        if self._kind is Numbers:
            self._values.append(numbers_of(cells, self._purpose, self._rows))
        else:
            self._codes.append(self._words.codes(cells))
        self._rows += len(cells)


def numbers_of(cells: Sequence[str], purpose: Purpose, rows_before: int = 0) -> Array:
    """Return cells as numbers; the first that is none is raised as ``NotANumber``."""
    try:
        values = np.fromiter(map(float, cells), np.float64, len(cells))
    except ValueError:  # a missing value, or a word
        return _one_by_one(cells, purpose, rows_before)
    joined = "".join(cells)
    if np.isfinite(values).all() and joined.isascii() and "_" not in joined:
        return values
    return _one_by_one(cells, purpose, rows_before)


def _one_by_one(cells: Sequence[str], purpose: Purpose, rows_before: int) -> Array:
    meanings = {cell: as_number(cell, purpose.missing, finite=purpose.strict) for cell in dict.fromkeys(cells)}
    for cell, number in meanings.items():
        if number is None:
            raise NotANumber(cell, rows_before + list(cells).index(cell))
    return np.array([meanings[cell] for cell in cells], dtype=np.float64)


def _kind_of(cells: Iterable[str], purpose: Purpose) -> type[Text] | type[Numbers] | None:
    """The kind that cells decide: numbers, words, or nothing when all are missing."""
    found = [as_number(cell, purpose.missing, finite=purpose.strict) for cell in dict.fromkeys(cells)]
    if None in found:
        return Text
    return None if np.isnan(np.array(found, dtype=np.float64)).all() else Numbers


def column_of(name: str, values: Sequence[Any], purpose: Purpose, where: Callable[[int], str]) -> Column | str:
    """Return values as a column, or what they hold that is no plain value. ``where(row)`` is for an infinity.

    Keys are words, also where they are dicts. Other columns are numbers when they have some, and no word that is
    neither a number nor one of absence; a column without any value is one of missing numbers, one of words of absence
    alone is one of words.
    """
    kinds = set(map(type, values)) - {type(None)}
    named = purpose.is_key(name) and all(issubclass(kind, dict) for kind in kinds)
    if not named and any(is_nested(kind) for kind in kinds):
        return NESTED
    if not purpose.dates and any(issubclass(kind, _MOMENTS) for kind in kinds):
        return DATES
    if purpose.is_key(name) or not _mean_numbers(values, kinds, purpose):
        return Words(purpose.dropped).column([word_of(value, purpose) for value in values])
    numbers = np.array([_number_of(value, purpose) for value in values], dtype=np.float64)
    return Numbers(finite(name, numbers, where) if purpose.strict else numbers)


@cache
def is_nested(kind: type) -> bool:
    """Whether values of a type hold other values, or are bytes."""
    return issubclass(kind, _NESTED) and not issubclass(kind, str)


def word_of(value: Any, purpose: Purpose) -> str:
    """Return a value as a word: empty where it is missing, whole numbers without a point; true is 1 among results."""
    if isinstance(value, str):
        return value
    if value is None or value != value:  # NaN and NaT are not equal to themselves
        return ""
    if isinstance(value, bool | np.bool_):
        return str(int(value)) if purpose.strict else str(value)
    if isinstance(value, int | np.integer):
        return str(int(value))
    return as_word(float(value)) if isinstance(value, float | np.floating | Decimal) else str(value)


def finite(name: str, values: Array, where: Callable[[int], str]) -> Array:
    """Return the values, or say where the first infinity is."""
    infinite = np.isinf(values)
    if infinite.any():
        row = int(np.argmax(infinite))
        raise not_a_number(name, str(values[row]), where(row))
    return values


def text_of_codes(codes: npt.NDArray[Any], words: Sequence[Any], purpose: Purpose) -> Text:
    """Return words by code as every reader gives them: stripped, in order of first appearance, −1 where empty."""
    first = np.full(len(words) + 1, len(codes))  # the last is for −1
    first[codes[::-1]] = np.arange(len(codes))[::-1]  # of equal places the last one written stays: the first row
    used = np.flatnonzero(first[:-1] < len(codes))
    known = Words(purpose.dropped)
    new = np.full(len(words) + 1, -1, dtype=np.int32)
    for code in used[np.argsort(first[used])].tolist():
        new[code] = known[word_of(words[code], purpose)]
    return Text(new[codes], known.categories)


def _mean_numbers(values: Sequence[Any], kinds: set[type], purpose: Purpose) -> bool:
    truth_counts = purpose.strict or not any(issubclass(kind, _TRUTH) for kind in kinds)
    if not truth_counts or any(not issubclass(kind, (*_NUMBERS, str)) for kind in kinds):
        return False
    words = {value for value in values if isinstance(value, str)} if any(issubclass(k, str) for k in kinds) else set()
    if None in (as_number(word, purpose.missing, finite=purpose.strict) for word in words):
        return False
    return any(issubclass(kind, _NUMBERS) for kind in kinds) or not any(word.strip() for word in words)


def _number_of(value: Any, purpose: Purpose) -> float:
    if isinstance(value, str):
        number = as_number(value, purpose.missing, finite=purpose.strict)
        return float("nan") if number is None else number
    return float_of(value)


def float_of(value: Any) -> float:
    """Return a number as a float: NaN for None, infinite for a whole number beyond all floats."""
    if value is None:
        return float("nan")
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
