"""A column of any values becomes a feature: numbers, or codes of categories."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError, glimpse
from bestofk.design.datasets.dataset import Feature
from bestofk.tables.frames import is_series
from bestofk.tables.table import Column, Numbers, Text

#: Fewer different texts than this are categories, however few rows there are.
FEW = 20


def feature_of(name: str, cells: Column, *, nominal: bool, where: str) -> Feature:
    """Return a feature; numbers stay numbers unless the user calls the column nominal.

    Text in which more than half of the rows have a value of their own is no category but an identifier or free text:
    it is refused, unless the user calls it nominal.
    """
    if isinstance(cells, Numbers) and not nominal:
        _refuse_infinity(cells.values, name, where)
        return Feature(name, cells.values)
    codes, categories = coded(cells)
    if not categories:
        return Feature(name, codes)
    if not nominal and len(categories) > max(FEW, len(codes) / 2):
        raise InputError(
            f"column {name} has {len(categories)} different texts in {len(codes)} rows, {glimpse(categories[0])} for "
            "one: an identifier or free text, no category.",
            where,
            f'leave it out (drop = ["{name}"]), or keep it as it is (nominal = ["{name}"]).',
        )
    return Feature(name, codes, categories)


def coded(column: Column | Sequence[Any]) -> tuple[Array, tuple[str, ...]]:
    """Return codes (NaN where missing) and the categories that occur, sorted; whole numbers by size."""
    if isinstance(column, Text):
        categories = tuple(sorted(column.categories, key=by_size))
        place = {text: float(code) for code, text in enumerate(categories)}
        codes = np.array([*(place[text] for text in column.categories), np.nan])  # the last is for gaps, code −1
        return np.asarray(codes[column.codes], dtype=np.float64), categories
    texts = [text_of(value) for value in (column.values.tolist() if isinstance(column, Numbers) else column)]
    categories = tuple(sorted({text for text in texts if text is not None}, key=by_size))
    code_of: dict[str | None, float] = {text: float(code) for code, text in enumerate(categories)}
    code_of[None] = np.nan
    return np.array([code_of[text] for text in texts], dtype=np.float64), categories


def text_of(value: Any) -> str | None:
    """Write a value as a category: a whole number without a point; None where it is missing."""
    if is_missing(value):
        return None
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def is_missing(value: Any) -> bool:
    """Say whether a value stands for none: None, NaN, or the signs that pandas has for it."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating) and bool(np.isnan(value))


def groups_of(values: Any, rows: int, where: str) -> np.typing.NDArray[np.int64]:
    """Return one code per row for the groups that are to stay together."""
    if not isinstance(values, Text | Numbers):
        values = values.to_list() if is_series(values) else values
        cells = list(values) if isinstance(values, Iterable) and not isinstance(values, str) else [values]
        if len(cells) != rows:
            raise InputError(
                f"groups has {len(cells)} values for {rows} rows.", where, "give one group per row, or a column's name."
            )
        values = [value.item() if isinstance(value, np.generic) else value for value in cells]
    codes, _ = coded(values)
    if np.isnan(codes).any():
        row = int(np.flatnonzero(np.isnan(codes))[0]) + 1
        raise InputError(f"row {row} has no group.", where, "give every row a group.")
    return codes.astype(np.int64)


def by_size(text: str) -> tuple[int, float, str]:
    """Sort key of categories: numbers by size, then the other texts."""
    try:
        size = float(text)
    except ValueError:
        return 1, 0.0, text
    return (0, size, text) if np.isfinite(size) else (1, 0.0, text)


def _refuse_infinity(numbers: Array, name: str, where: str) -> None:
    wrong = np.flatnonzero(np.isinf(numbers))
    if len(wrong):
        raise InputError(
            f"column {name} is infinite in {len(wrong)} row{'s' if len(wrong) > 1 else ''}, "
            f"the first at row {wrong[0] + 1}.",
            where,
            "give a number, leave the cell empty where the value is missing, or leave the column out "
            f'(drop = ["{name}"]).',
        )
