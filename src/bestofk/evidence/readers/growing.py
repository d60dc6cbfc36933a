"""Columns that grow a block of cells at a time: int32 codes for words, float64 for numbers, nothing else per row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.evidence.table import Column, Numbers, Text, as_number

DECIDING = 1 << 16  # cells that are looked at before a column is one of numbers or of words


Entry = TypeVar("Entry", bound=np.generic)


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
    """Code of every cell, learnt at first sight: −1 when it is blank; blanks around a word do not count.

    Examples
    --------
    >>> words = Words()
    >>> words.codes(["lda", " lda", "", "knn"]).tolist(), words.categories
    ([0, 0, -1, 1], ('lda', 'knn'))
    """

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[str, int] = {}

    def __missing__(self, cell: str) -> int:
        word = cell.strip()
        code = self._known.setdefault(word, len(self._known)) if word else -1
        self[cell] = code
        return code

    def codes(self, cells: Sequence[str]) -> npt.NDArray[np.int32]:
        """Return the codes of cells."""
        return np.fromiter(map(self.__getitem__, cells), np.int32, len(cells))

    @property
    def categories(self) -> tuple[str, ...]:
        """Words in order of first appearance."""
        return tuple(self._known)


class GrowingColumn:
    """A column of cells as they stand in a file.

    The first ``DECIDING`` cells are kept until they decide whether these are numbers; cells that are all missing
    decide nothing, so that a column of reasons may start at the first failure.
    """

    def __init__(self, *, words_only: bool) -> None:
        self._undecided: list[str] = []
        self._kind: type[Text] | type[Numbers] | None = Text if words_only else None
        self._words = Words()
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
        self._kind = _kind_of(cells)
        if self._kind is Numbers:
            self._values.append(np.full(self._rows, np.nan))
            self._codes = GrowingArray(np.int32)
        self._append(cells)

    def _append(self, cells: Sequence[str]) -> None:
        if self._kind is Numbers:
            self._values.append(numbers_of(cells, self._rows))
        else:
            self._codes.append(self._words.codes(cells))
        self._rows += len(cells)


def numbers_of(cells: Sequence[str], rows_before: int = 0) -> Array:
    """Return cells as numbers; the first that is none is raised as ``NotANumber``."""
    try:
        values = np.fromiter(map(float, cells), np.float64, len(cells))
    except ValueError:  # a missing value, or a word
        return _one_by_one(cells, rows_before)
    joined = "".join(cells)
    if np.isfinite(values).all() and joined.isascii() and "_" not in joined:
        return values
    return _one_by_one(cells, rows_before)


def _one_by_one(cells: Sequence[str], rows_before: int) -> Array:
    meanings = {cell: as_number(cell) for cell in dict.fromkeys(cells)}
    for cell, number in meanings.items():
        if number is None:
            raise NotANumber(cell, rows_before + list(cells).index(cell))
    return np.array([meanings[cell] for cell in cells], dtype=np.float64)


def _kind_of(cells: Iterable[str]) -> type[Text] | type[Numbers] | None:
    """The kind that cells decide: numbers, words, or nothing when all are missing."""
    found = [as_number(cell) for cell in dict.fromkeys(cells)]
    if None in found:
        return Text
    return None if np.isnan(np.array(found, dtype=np.float64)).all() else Numbers
