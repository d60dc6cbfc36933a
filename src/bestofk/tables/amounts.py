"""Columns of numbers that are written as words: per cent signs, decimal commas, and amounts such as 11M or $0.70."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from bestofk.core.frozen import frozen
from bestofk.tables.cells import as_number, is_absent
from bestofk.tables.table import Numbers, Table, Text, is_nameless

_PERCENT = re.compile(r"([+-]?\d+(?:[.,]\d+)?)\s*%")
_COMMA = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
_AMOUNT = re.compile(r"([$€£]?)\s*(\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d+)?)\s*([a-zA-Zµ]*)")
_MONEY = re.compile(r",(?=\d{3}(?:,|\.|$))")  # commas of thousands, which amounts of money have

#: What is written behind a number, and what it is then multiplied with.
_TIMES = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9, "G": 1e9, "T": 1e12}
_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0, "min": 60.0, "h": 3600.0}
_BYTES = {"KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "KiB": 2.0**10, "MiB": 2.0**20, "GiB": 2.0**30}
#: Units of amounts and what they are in; a plain number is one of a kind only beside others with a letter. Any other
#: unit must be the same in all cells.
_UNITS: tuple[tuple[str, Mapping[str, float]], ...] = (("", _TIMES), (" seconds", _SECONDS), (" bytes", _BYTES))


@frozen
class Written:
    """The table with its written numbers as numbers, what was done, and the columns of amounts and of per cents."""

    table: Table
    notes: tuple[str, ...]
    amounts: tuple[str, ...]
    percents: tuple[str, ...]


def with_written_numbers(table: Table, names: Sequence[str]) -> Written:
    """Read words of these columns as numbers where all of a column are written in one way."""
    columns, notes, amounts, percents = {}, [], [], []
    words = {name: _words(table, name) for name in names}
    commas = any(map(_has_commas, words.values()))
    for name, cells in words.items():
        if not cells or all(as_number(cell) is not None for cell in cells):
            continue
        if all(map(_PERCENT.fullmatch, cells)):
            values = [float(cell.rstrip("% ").replace(",", ".")) for cell in cells]
            notes.append(f"{name}: per cent signs removed")
            percents.append(name)
        elif commas and all(_COMMA.fullmatch(cell) or cell.lstrip("+-").isdecimal() for cell in cells):
            values = [float(cell.replace(",", ".")) for cell in cells]
            notes.append(f"{name}: decimal commas read as points")
        else:
            found = None if is_nameless(name) or name == table.names[0] else _amounts(cells)
            if found is None:  # the first column may name the rows: 7B, 13B
                continue
            values, unit = found
            notes.append(f"{name}: {cells[0]!r} was read as {values[0]:,.10g}{unit}")
            amounts.append(name)
        columns[name] = _numbers(table, name, dict(zip(cells, values, strict=True)))
    return Written(table.with_columns(columns), tuple(notes), tuple(amounts), tuple(percents))


def _words(table: Table, name: str) -> list[str]:
    """The words of a column that may be numbers; none where its first ones cannot be."""
    column = table.column(name)
    if not isinstance(column, Text) or not all(map(_may_be_number, column.categories[:FIRST])):
        return []
    return [word for word in column.used if not is_absent(word)]


def _may_be_number(word: str) -> bool:
    return is_absent(word) or (len(word) <= LONGEST and any(map(str.isdigit, word)))


#: So many words of a column tell whether the others are looked at, and so long is a number at most.
FIRST, LONGEST = 50, 30


def _has_commas(cells: Sequence[str]) -> bool:
    """Whether commas are decimal ones for certain: all cells are numbers then, and some comma parts no thousands."""
    found = [cell for cell in cells if _COMMA.fullmatch(cell)]
    rest = all(cell in found or cell.lstrip("+-").isdecimal() for cell in cells)
    return bool(found) and rest and not all(map(_THOUSANDS.fullmatch, found))


def _amounts(cells: Sequence[str]) -> tuple[list[float], str] | None:
    """Numbers and their unit, where every cell is an amount of one kind and one currency."""
    parts = [match.groups() for cell in cells if (match := _AMOUNT.fullmatch(cell))]
    parts = [(sign, _MONEY.sub("", number) if sign else number, letter) for sign, number, letter in parts]
    if len(parts) < len(cells) or any("," in number for _, number, _ in parts):
        return None
    currencies, letters = ({part[at] for part in parts} for at in (0, 2))
    alike = [(f" {letter}", {letter: 1.0}) for letter in letters if len(letters) == 1]  # 1.8 GFLOPs, 4.1 GFLOPs
    for unit, times in (*_UNITS, *alike):
        if len(currencies) == 1 and letters <= set(times) and (letters != {""} or currencies != {""}):
            values = [float(f"{float(number) * times[letter]:.12g}") for _, number, letter in parts]
            return values, unit or "".join(f" {each}" for each in currencies if each)
    return None


def first_odd(table: Table, name: str) -> str | None:
    """The first word of a column that is no amount of one kind with those before it; None where it has no words."""
    column = table.column(name)
    words = [word for word in column.used if not is_absent(word)] if isinstance(column, Text) else []
    return next((word for i, word in enumerate(words) if not _is_amount(words[: i + 1])), None)


def _is_amount(cells: Sequence[str]) -> bool:
    return all(as_number(cell) is not None for cell in cells) or _amounts(cells) is not None


def _numbers(table: Table, name: str, values: Mapping[str, float]) -> Numbers:
    column = table.text(name)
    return Numbers(np.array([*(values.get(word, np.nan) for word in column.categories), np.nan])[column.codes])
