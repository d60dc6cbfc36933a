"""Rows of a table put into the cells of a grid: one axis per key, one scatter, duplicates by what is seen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.names import spellings, unprintable
from bestofk.core.phrases import listed
from bestofk.evidence.layouts.roles import noun
from bestofk.evidence.natural_order import natural
from bestofk.tables.table import Table, Text

Codes = npt.NDArray[np.integer[Any]]

MOST_CELLS = 10_000_000  # a grid above this size …
MOST_PER_ROW = 50  # … and this many times larger than the rows is not a grid
STRETCH = 1_000_000  # rows

#: What the last row of a table is called that sums the others up.
SUMMARY_ROWS = frozenset(
    {
        *("mean", "average", "avg", "std", "sd", "median", "min", "max", "total", "sum", "rank"),
        *(f"{word}{between}rank" for word in ("average", "avg", "mean") for between in " _-"),
    }
)
SUMMED_UP = ("dataset", "task", "replication", "run", "seed", "fold", "item")


@frozen
class Key:
    """One axis of a grid: a code per row, and the name of every code."""

    role: str
    codes: Codes
    names: tuple[str, ...]

    def carry(self, codes: Codes) -> Codes:
        """For every name, the code that one of its rows has elsewhere."""
        found = np.zeros(len(self.names), dtype=np.int64)
        found[self.codes] = codes
        return found

    def names_in(self, other: Key) -> tuple[str, ...]:
        """For every name, the one that one of its rows has on another axis."""
        return tuple(other.names[code] for code in self.carry(other.codes))


def key_of(table: Table, role: str, column: str | None, *, sort: bool = False) -> Key:
    """Return the axis that a column gives; without a column everything has the one name ``1``."""
    if column is None:
        return Key(role, np.zeros(len(table), dtype=np.int32), ("1",))
    words = table.text(column)
    _refuse_empty(table, role, column, words)
    order = _used(words)
    if sort:
        order = sorted(order, key=lambda code: natural(words.categories[code]))
    names = tuple(words.categories[code] for code in order)
    _refuse_names(table, role, column, words, order)
    if order == list(range(len(words.categories))):
        return Key(role, words.codes, names)
    place = np.zeros(len(words.categories) + 1, dtype=np.int32)
    place[order] = np.arange(len(order))
    return Key(role, place[words.codes], names)


def joined(role: str, keys: Sequence[Key]) -> Key:
    """Return one axis for the combinations of several that occur, in the order of the given axes."""
    if len(keys) == 1:
        return Key(role, keys[0].codes, keys[0].names)
    flat = np.zeros(len(keys[0].codes), dtype=np.int64)
    for key in keys:
        flat = flat * len(key.names) + key.codes
    found, codes = np.unique(flat, return_inverse=True)
    parts = np.unravel_index(found, tuple(len(key.names) for key in keys))
    names = zip(*([key.names[i] for i in part] for key, part in zip(keys, parts, strict=True)), strict=True)
    return Key(role, codes, tuple("/".join(each) for each in names))


def _used(words: Text) -> list[int]:
    """Codes that occur: a data frame may list categories that no row has."""
    used = np.zeros(len(words.categories), dtype=bool)
    for part in stretches(len(words.codes)):
        used[words.codes[part]] = True
    return [int(code) for code in np.flatnonzero(used)]


def stretches(rows: int) -> Iterator[slice]:
    """Rows in stretches: numpy widens the codes that it indexes by, which for all rows at once doubles the memory."""
    return (slice(start, start + STRETCH) for start in range(0, rows, STRETCH))


def _refuse_empty(table: Table, role: str, column: str, words: Text) -> None:
    blank = [code for code, word in enumerate(words.categories) if not word.strip()]
    empty = words.empty | np.isin(words.codes, blank) if blank else words.empty
    table.refuse(empty, lambda row: f"the {noun(role)} is empty.", f"name the {noun(role)}.", column=column)


def _refuse_names(table: Table, role: str, column: str, words: Text, used: list[int]) -> None:
    """Refuse learners that cannot be printed in one line, and rows that sum up the others."""
    if role == "learner":
        wrong = [code for code in used if unprintable(words.categories[code])]
        what = f", and {unprintable(words.categories[wrong[0]])} in it cannot be printed" if wrong else ""
        fix = "name it in printable text, without line breaks or tabs."
    else:
        wrong = [code for code in used if words.categories[code].lower().rstrip(".") in SUMMARY_ROWS]
        what, fix = ": this looks like a summary row", "remove it, and keep one row per result."
    if wrong and role in ("learner", *SUMMED_UP):
        said = f"the {noun(role)} is {words.categories[wrong[0]]!r}{what}."
        table.refuse(words.codes == wrong[0], lambda row: said, fix, column=column)


def places_within(codes: Codes) -> Codes:
    """Place of every row among those of the same code, from 0.

    Examples
    --------
    >>> places_within(np.array([5, 7, 5, 5])).tolist()
    [0, 0, 1, 2]
    """
    order = np.argsort(codes, kind="stable")
    starts = np.r_[0, np.flatnonzero(np.diff(codes[order])) + 1]
    places = np.empty(len(codes), dtype=np.int64)
    places[order] = np.arange(len(codes)) - np.repeat(starts, np.diff(np.r_[starts, len(codes)]))
    return places


@frozen(eq=False)
class Grid:
    """Which cell of a grid of this shape every row of a table is in."""

    cells: Codes
    shape: tuple[int, ...]

    @property
    def seen(self) -> Flags:
        """Which cells have a row."""
        seen = np.zeros(prod(self.shape), dtype=bool)
        for part in stretches(len(self.cells)):
            seen[self.cells[part]] = True
        return seen.reshape(self.shape)

    def spread(self, values: Array) -> Array:
        """Put one value per row into the cells; NaN where there is no row."""
        grid = np.full(prod(self.shape), np.nan)
        for part in stretches(len(self.cells)):
            grid[self.cells[part]] = values[part]
        return grid.reshape(self.shape)

    @property
    def rows_each(self) -> tuple[int, int]:
        """The smallest and the largest number of rows that a cell has; cells without a row do not count."""
        number = np.bincount(self.cells)
        return int(number[number > 0].min()), int(number.max())

    def mean(self, values: Array) -> Array:
        """The mean of the values of every cell; NaN where there is no row, or a value is missing."""
        total, number = np.zeros((2, prod(self.shape)))
        for part in stretches(len(self.cells)):
            total += np.bincount(self.cells[part], weights=values[part], minlength=len(total))
            number += np.bincount(self.cells[part], minlength=len(total))
        return np.divide(total, number, out=np.full_like(total, np.nan), where=number > 0).reshape(self.shape)


def grid_of(table: Table, keys: Sequence[Key], repeat: Key | None = None) -> Grid:
    """Return the grid of the keys; no cell may have two rows, unless they are of different repeats."""
    shape = tuple(len(key.names) for key in keys)
    if is_absurd(prod(shape), len(table)):
        raise _absurd(table, keys, prod(shape))
    cells: Codes = np.zeros(len(table), dtype=np.int32 if prod(shape) < 2**31 else np.int64)  # half the memory
    for key in keys:
        np.multiply(cells, len(key.names), out=cells, casting="same_kind")
        np.add(cells, key.codes, out=cells, casting="same_kind")
    grid = Grid(cells, shape)
    if int(grid.seen.sum()) == len(cells):
        return grid
    if repeat is not None:
        keys, cells = [*keys, repeat], cells.astype(np.int64) * len(repeat.names) + repeat.codes
    if repeat is None or len(np.unique(cells)) < len(cells):
        raise twice(table, keys, cells, OF_ITEMS if any(key.role == "item" for key in keys) else TELLING)
    return grid


def is_absurd(cells: int, rows: int) -> bool:
    """Whether so many cells for so few rows are no grid."""
    return cells > MOST_CELLS and cells > MOST_PER_ROW * rows


def refuse_shifted_folds(table: Table, column: str | None, keys: Sequence[Key], seen: Flags) -> None:
    """Refuse learners whose folds are as many as those of the others and are numbered from another number on.

    ``keys`` are learners, data sets, replications and folds, ``seen`` which of their cells have a row.
    """
    learners, found = keys[0].names, [_NUMBERED.fullmatch(name) for name in keys[3].names]
    numbers = [int(each[2]) for each in found if each]
    if len(numbers) < len(found) or len({each[1] for each in found if each}) > 1 or (seen == seen[:1]).all():
        return
    for each in np.asarray(seen.any(axis=2)).swapaxes(0, 1):
        folds = [tuple(number for number, there in zip(numbers, row, strict=True) if there) for row in each]
        usual = max(folds, key=folds.count)
        odd = [k for k, own in enumerate(folds) if _is_shifted(own, usual)]
        if odd:
            mine, theirs = (f"{own[0]} to {own[-1]}" for own in (folds[odd[0]], usual))
            raise InputError(
                f"folds of {learners[odd[0]]} are numbered {mine}, those of {learners[folds.index(usual)]} {theirs}.",
                table.where(row=int(np.argmax(keys[0].codes == odd[0])), column=column),
                "number the folds of all learners alike, so that the same number is the same test set.",
            )


_NUMBERED = re.compile(r"(\D*)(\d{1,18})")


def _is_shifted(own: tuple[int, ...], usual: tuple[int, ...]) -> bool:
    """Whether equally many numbers in a row begin at another one."""
    in_a_row = all(each == tuple(range(each[0], each[0] + len(each))) for each in (own, usual) if each)
    return len(own) == len(usual) > 1 and own != usual and in_a_row


def refuse_two_spellings(table: Table, column: str | None, key: Key, seen: Flags) -> None:
    """Refuse names that differ in capitals alone and never occur together, as if one were written two ways.

    ``seen`` (names, …) says where each occurs. Names that occur side by side are two.
    """
    for words in spellings(key.names) if column is not None else ():
        codes = [key.names.index(word) for word in words]
        if int(seen[codes].sum(axis=0).max()) < 2:
            row = int(np.argmax(key.codes == codes[-1]))
            raise InputError(
                f"the {noun(key.role)}s {listed([repr(word) for word in words])} differ in capitals alone, and are "
                "nowhere side by side.",
                table.where(row=row, column=column),
                f"write the {noun(key.role)} one way; if these are two, give them names that differ in more.",
            )


def refuse_unpaired(table: Table, keys: Sequence[Key], seen: Flags) -> None:
    """Refuse learners of which no two have a result in the same cell: there is nothing to compare."""
    if len(seen) > 1 and int(seen.sum(axis=0).max()) < 2:
        telling = [(axis, key) for axis, key in enumerate(keys[1:]) if len(key.names) > 1]
        shown = []
        for learner, each in zip(keys[0].names, seen[:2], strict=False):
            place = np.argwhere(each)[0]
            shown.append(f"{learner} has " + ", ".join(f"{noun(k.role)} {k.names[place[axis]]}" for axis, k in telling))
        raise InputError(
            f"no two learners share a result: {', '.join(shown)}.",
            table.source,
            "give the same fold, seed or item the same name for every learner: results must be paired.",
        )


def _absurd(table: Table, keys: Sequence[Key], size: int) -> InputError:
    sizes = " × ".join(f"{len(key.names):,} {noun(key.role)}s" for key in keys)
    return InputError(
        f"{sizes} are {size:,} cells for {len(table):,} rows: the learners do not share their folds.",
        table.source,
        "give folds the same names for every learner and data set (1, 2, 3 …).",
    )


TELLING = "keep one row each, or add the column that tells the rows apart: fold, replication, dataset, item or step."

OF_ITEMS = (
    "keep one row each (--filter COLUMN=VALUE), or add the column that tells the rows apart: epoch, attempt or sample, "
    "over which outcomes are averaged; group, dataset, fold or replication."
)


def twice(table: Table, keys: Sequence[Key], cells: Codes, fix: str) -> InputError:
    """The error of two rows in one cell."""
    row = int(np.argmax(places_within(cells) > 0))
    first = int(np.argmax(cells == cells[row]))
    telling = [key for key in keys if len(key.names) > 1 or key.role in ("learner", "item")]
    if table.file_of(first) != table.file_of(row):
        fix = "if every file is of another data set (or run), add a column dataset (or seed) to each that says so."
    names = ", ".join(f"{noun(key.role)} {key.names[key.codes[row]]}" for key in telling)
    return InputError(
        f"{names} appears twice: first in {table.row_place(first)}.",
        table.where(row=row),
        fix,
    )


def one_per_cell(table: Table, column: str, cells: Codes, size: int, *, what: str) -> npt.NDArray[np.object_]:
    """Return the word of every cell from a column that must say the same in all rows of the cell; "" where none."""
    words = table.text(column)
    code_of = np.full(size, -1, dtype=np.int32)
    said = ~words.empty
    code_of[cells[said][::-1]] = words.codes[said][::-1]  # the first row of a cell is written last and stays

    def differs(row: int) -> str:
        first = int(np.argmax(said & (cells == cells[row])))
        here, there = (words.categories[words.codes[each]] for each in (row, first))
        return f"the {what} is {here}, but {there} in {table.row_place(first)}."

    fix = f"give all learners the same {'folds' if what == 'fingerprint' else 'items'}: results must be paired."
    table.refuse(said & (code_of[cells] != words.codes), differs, fix, column=column)
    return np.array([*words.categories, ""], dtype=object)[code_of]
