"""Vectors of measures of several learners at one door."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, numbers, squarable
from bestofk.core.errors import InputError
from bestofk.stats.learners import Names, named_columns, stacked


def tables_of(values: Any, *, where: str) -> tuple[Names, Array]:
    """Take (..., L, k, p), or a dict of name → (k, p): at least two learners and two folds (or data sets)."""
    columns = named_columns(values) if isinstance(values, dict) else None
    if columns is None:
        names, table = None, numbers(values, name="values", where=where)
    else:
        names = tuple(columns)
        table = _stacked_tables(columns, where)
    squarable(table, name="values", where=where)
    if table.ndim < 3 or table.size == 0 or table.shape[-3] < 2 or table.shape[-2] < 2:
        raise InputError(
            f"values has the shape {table.shape}.",
            f"{where}, argument values",
            "give (learners, folds, measures) with at least two learners and two folds.",
        )
    return names, table


def _stacked_tables(columns: Mapping[Any, Any], where: str) -> Array:
    if any(np.ndim(entry) < 2 for entry in columns.values()):
        raise InputError(
            "a learner's values have one axis.", f"{where}, argument values", "give every learner (folds, measures)."
        )
    return stacked(columns, axis=-3, name="values", where=where)
