"""Columns of a table that say something else than the counts tp, fn, fp, tn in the same row."""

from __future__ import annotations

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.evidence.layouts.measured import NumberColumns, finite_numbers
from bestofk.evidence.scores import COUNTS
from bestofk.measures.count_columns import SAME, contradicting, contradiction, counted_ratio, not_whole
from bestofk.tables.table import Table

#: What a table of counts is read for, whatever else is asked; an f1 may be a mean over classes.
_ALWAYS = ("error", "accuracy")


def _is_error(name: str) -> bool:
    return SAME.get(plain(name), plain(name)) in _ALWAYS


def refuse_contradictions(table: Table, found: NumberColumns, measure: str) -> None:
    """Refuse such a column with its line: the one that is judged, and the error."""
    if not found.counts:
        return
    counts = np.stack([finite_numbers(table, found.counts[name]) for name in COUNTS], axis=-1)
    if not_whole(counts).any():  # shares, or means of counts, do not say how often a learner was wrong
        return
    for name, column in found.measures.items():
        computed = counted_ratio(name, counts) if name == measure or _is_error(name) else None
        if computed is None:
            continue
        told = finite_numbers(table, column)
        wrong, scale = contradicting(told, computed)
        if wrong.any():
            row = int(np.argmax(wrong))
            what, fix = contradiction(column, float(told[row]), scale * float(computed[row]))
            raise InputError(what, table.where(row=row, column=column), fix)
