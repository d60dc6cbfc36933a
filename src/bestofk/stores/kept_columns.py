"""Predictions, probabilities and truths of folds as text in a table, so that they come back to the last bit."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from bestofk.design.plan.cell import CellResult

#: Columns that a complete table has where cells kept more than counts.
KEPT = ("predictions", "probabilities", "truths")

_Values = np.ndarray[Any, Any]


def kept_columns(cell: CellResult, names: tuple[str, ...]) -> dict[str, list[str]]:
    """One JSON list per fold: a prediction, the probabilities of all classes, or the truth, per test row."""
    rows, folds = cell.fit_seconds.shape
    return {name: [_text(getattr(cell, name), (r, f)) for r in range(rows) for f in range(folds)] for name in names}


def kept_values(
    texts: Callable[[int], str], grid: _Values, classes: int, name: str
) -> dict[tuple[int, int], _Values] | None:
    """What a cell kept, by replication and fold, from the text of every row; None where it kept nothing."""
    found = {at: _values(text, classes, name) for at, row in np.ndenumerate(grid) if (text := texts(int(row)))}
    return found or None


def _text(kept: dict[tuple[int, int], Any] | None, at: tuple[int, int]) -> str:
    values = (kept or {}).get(at)
    return "" if values is None else json.dumps(values.tolist(), ensure_ascii=False)


def _values(text: str, classes: int, name: str) -> _Values:
    values = np.array(json.loads(text))
    if values.ndim != (2 if name == "probabilities" else 1):
        raise ValueError(name)
    codes = values.dtype.kind == "i" and 0 <= values.min(initial=0) <= values.max(initial=0) < classes
    return values.astype(np.min_scalar_type(classes - 1)) if codes else values  # codes as narrow as a cell keeps them
