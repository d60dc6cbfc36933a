"""JSON (a list of objects, or an object of lists) and JSON Lines (an object per line). Keys are columns.

A JSON file is held in memory as a whole; of JSON Lines, one line and the plain values of all.
"""

from __future__ import annotations

import io
import json
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.tables.cells import Purpose
from bestofk.tables.columns import NESTED, column_of, is_nested
from bestofk.tables.table import Column, Table, assembled, column_names
from bestofk.tables.text_files import HashedFile, opened, text_blocks, whole_text

SHAPES = "give a list of objects, one per row, or an object of lists, one per column (pandas: orient='records')."
_HALVES = re.compile(r"\\u[dD][89a-fA-F]")
LONGEST = 1 << 30  # characters of a line: results of language models carry their documents


class _Object(dict[str, Any]):
    """An object and the key that it has twice, if any: a fault only where the object is a row."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.twice = _repeated(pairs) if len(self) < len(pairs) else None


_DECODER = json.JSONDecoder(object_pairs_hook=_Object)
_PLAIN = (
    json.JSONDecoder()
)  # of logs, whose objects are not looked through for keys that appear twice: four times as fast


class ObjectsByName(InputError):
    """The file is an object of objects or of unequal lists, no table; ``content`` may be results by learner."""

    def __init__(self, wrong: str, where: str, content: dict[str, Any], sha256: str, fix: str = SHAPES) -> None:
        super().__init__(wrong, where, fix)
        self.content = content
        self.sha256 = sha256


class _MoreThanOne(Exception):
    """The text goes on after a first object: these may be JSON Lines."""


def table_from_json(path: Path, purpose: Purpose) -> Table:
    """Read a JSON file; one that turns out to have an object per line is read as JSON Lines."""
    source = str(path)
    with opened(path) as file:
        text = whole_text(file, source)
    if not text.strip():
        raise InputError("the file is empty.", source, SHAPES)
    try:
        content = _parsed(text, source)
    except _MoreThanOne:
        return table_from_json_lines(path, purpose)
    content = _rows_inside(content)
    if isinstance(content, _Object):
        return _table_of_columns(content, source, file.sha256, purpose)
    if not isinstance(content, list):
        raise InputError(f"the JSON is {_shown(content)}.", source, SHAPES)
    rows = GatheredRows()
    for number, row in enumerate(content, start=1):
        rows.add(_checked_row(row, f"{source}, row {number}"))
    return rows.table(source, file.sha256, lambda row: f"row {row + 1}", purpose)


def _rows_inside(content: Any) -> Any:
    """The rows of an object that has facts beside them: its only list, where that is one of objects."""
    if not isinstance(content, _Object) or any(isinstance(each, dict) for each in content.values()):
        return content
    lists = [each for each in content.values() if isinstance(each, list)]
    alone = len(lists) == 1 and bool(lists[0]) and all(isinstance(each, dict) for each in lists[0])
    return lists[0] if alone else content


def table_from_json_lines(path: Path, purpose: Purpose) -> Table:
    """Read a file with one JSON object per line."""
    source, lines = str(path), JsonLines(path, _DECODER)
    rows, numbers = GatheredRows(), array("q")
    for number, row in lines:
        rows.add(_checked_row(row, f"{source}, line {number}"))
        numbers.append(number)
    if not numbers:
        raise InputError("the file is empty.", source, "give one object per line.")
    return rows.table(source, lines.sha256, lambda row: f"line {numbers[row]}", purpose)


class JsonLines:
    """Objects of a file, one per line, with the numbers of their lines; ``sha256`` is known after the last one."""

    def __init__(self, path: Path, decoder: json.JSONDecoder = _PLAIN) -> None:
        self._path, self._decoder = path, decoder
        self.sha256 = ""

    def __iter__(self) -> Iterator[tuple[int, dict[str, Any]]]:
        source = str(self._path)
        with opened(self._path) as file:
            for number, line in enumerate(_lines(file, source), start=1):
                if line.strip():
                    row = _parsed(line.removesuffix("\n"), source, first_line=number, decoder=self._decoder)
                    if not isinstance(row, dict):
                        raise _no_object(row, f"{source}, line {number}")
                    yield number, row
        self.sha256 = file.sha256


def json_content(path: Path) -> tuple[dict[str, Any], str]:
    """The object in a JSON file, and the hash of the file."""
    content, digest = json_value(path)
    if not isinstance(content, dict):
        raise InputError(
            f"the JSON is {_shown(content)}, not an object.", str(path), "give the file as it was written."
        )
    return content, digest


def json_list(path: Path) -> tuple[list[Any], str]:
    """The list of objects in a JSON file, and the hash of the file."""
    content, digest = json_value(path)
    if not isinstance(content, list) or not all(isinstance(each, dict) for each in content):
        raise InputError("the JSON is no list of objects.", str(path), "give the file as it was written.")
    return content, digest


def json_value(path: Path) -> tuple[Any, str]:
    """Whatever is in a JSON file, and the hash of the file."""
    with opened(path) as file:
        content = _parsed(whole_text(file, str(path)), str(path), first_line=1, decoder=_PLAIN)
    return content, file.sha256


def _lines(file: HashedFile, source: str) -> Any:
    for text in text_blocks(file, source, longest=LONGEST):
        yield from io.StringIO(text, newline="")


def _parsed(text: str, source: str, *, first_line: int | None = None, decoder: json.JSONDecoder | None = None) -> Any:
    decoder = decoder or _DECODER
    try:
        content = decoder.decode(text)
        return _whole_characters(content, decoder) if _HALVES.search(text) else content
    except json.JSONDecodeError as error:
        if error.msg == "Extra data" and first_line is None and text.lstrip().startswith("{"):
            raise _MoreThanOne from None
        line = error.lineno + (first_line or 1) - 1
        raise InputError(
            f"the JSON is broken or cut off: {error.msg}.",
            f"{source}, line {line}, column {error.colno}",
            "copy the whole file again, or mend it there.",
        ) from None
    except (RecursionError, ValueError) as error:  # nested too deep, or a number of thousands of digits
        where = source if first_line is None else f"{source}, line {first_line}"
        raise InputError(f"the JSON cannot be read: {error}.", where, SHAPES) from None


def _whole_characters(content: Any, decoder: json.JSONDecoder) -> Any:
    """The content with ? for halves of a character, which cannot be written anywhere; programs cut texts there."""
    text = json.dumps(content, ensure_ascii=False)
    whole = text.encode("utf-8", "replace").decode()
    return content if whole == text else decoder.decode(whole)


def _checked_row(row: Any, where: str) -> _Object:
    if not isinstance(row, _Object):
        raise _no_object(row, where)
    return _without_repeats(row, where)


def _no_object(row: Any, where: str) -> InputError:
    return InputError(f"a row is {_shown(row)}, not an object.", where, "give every row as an object: {...}.")


def _without_repeats(row: _Object, where: str) -> _Object:
    if row.twice is not None:
        raise InputError(f"key {row.twice!r} appears twice.", f"{where}, column {row.twice}", "keep one of them.")
    return row


def _table_of_columns(content: _Object, source: str, sha256: str, purpose: Purpose) -> Table:
    _without_repeats(content, source)
    length = None
    for name, values in content.items():
        if not isinstance(values, list):
            wrong = f"the JSON is an object whose {name!r} is {_shown(values)}."
            raise ObjectsByName(wrong, source, content, sha256)
        length = len(values) if length is None else length
        if len(values) != length:
            wrong = f"column {name!r} has {counted(len(values), 'value')}, the first column {length}."
            raise ObjectsByName(wrong, f"{source}, column {name}", content, sha256, "give lists of equal length.")
    if not length:
        raise InputError("there are no rows.", source, SHAPES)
    return table_of_lists(dict(content), source, sha256, lambda row: f"row {row + 1}", purpose)


def _repeated(pairs: list[tuple[str, Any]]) -> str:
    seen: set[str] = set()
    return next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]


def _shown(value: Any) -> str:
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}…"


class GatheredRows:
    """Values by column; a key that a row lacks is an empty cell, a column with a nested value is not kept."""

    def __init__(self) -> None:
        self._columns: dict[str, list[Any]] = {}
        self._nested: dict[str, None] = {}
        self._count = 0

    def add(self, row: Mapping[str, Any]) -> None:
        """Append a row."""
        for key, value in row.items():
            if key in self._nested:
                continue
            if is_nested(type(value)):  # type: ignore[arg-type]  # mypy doubts that a class can be hashed
                self._nested[key] = None
                self._columns.pop(key, None)
                continue
            column = self._columns.setdefault(key, [])
            if len(column) < self._count:
                column.extend([None] * (self._count - len(column)))
            column.append(value)
        self._count += 1

    def table(self, source: str, sha256: str, row_name: Callable[[int], str], purpose: Purpose) -> Table:
        """Return the table; the values are let go as their columns are made."""
        if not self._count:
            raise InputError("there are no rows.", source, f"give one row per {purpose.row}.")
        for values in self._columns.values():
            values.extend([None] * (self._count - len(values)))
        return table_of_lists(self._columns, source, sha256, row_name, purpose, nested=self._nested)


def table_of_lists(
    lists: dict[str, list[Any]],
    source: str,
    sha256: str,
    row_name: Callable[[int], str],
    purpose: Purpose,
    *,
    nested: Iterable[str] = (),
) -> Table:
    """Return lists of equal length as a table; ``lists`` is emptied, those with nested values are left out."""
    names = column_names(lists, source, purpose)

    def place(name: str) -> Callable[[int], str]:
        return lambda row: f"{source}, {row_name(row)}, column {name}"

    columns: Iterator[tuple[str, Column | str]] = (
        (name, column_of(name, lists.pop(key), purpose, place(name))) for name, key in zip(names, [*lists], strict=True)
    )
    return assembled(chain(((name, NESTED) for name in nested), columns), source, sha256, row_name)
