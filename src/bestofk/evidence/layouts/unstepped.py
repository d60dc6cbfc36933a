"""Histories of Keras that a data frame wrote: no column of epochs, for the rows are the epochs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.names import plain
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.layouts.log_columns import learner_column
from bestofk.tables.table import Numbers, Table

_KEYS = frozenset({"fold", "replication", "dataset", "item", "truth", "step"})


def has_no_epochs(table: Table) -> bool:
    """Whether a metric stands beside its twin on validation data (loss, val_loss), and nothing numbers the rows.

    Scores of folds have no such twins; a file of runs has one learner and no key but an index without a name.
    """
    if learner_column(table) is None or any(set(roles_of_name(name)) & _KEYS for name in table.names):
        return False
    names = {plain(name) for name in table.names}
    twins = any(name.startswith("val_") and name.removeprefix("val_") in names for name in names)
    index = _index(table)
    return twins and (index is None or _counts(table, index))


def with_epochs(table: Table) -> tuple[Table, list[str]]:
    """Number the rows of every learner from 0, as the index does that a data frame writes."""
    index = _index(table)
    kept = {name: each for name, each in table.columns.items() if name != index}
    return replace(table, columns={**kept, "epoch": Numbers(_places(table))}), ["rows were read as epochs, from 0"]


def _index(table: Table) -> str | None:
    return next((name for name in table.names if name.startswith("unnamed") or name == "index"), None)


def _counts(table: Table, index: str) -> bool:
    return table.is_numeric(index) and np.array_equal(table.numbers(index), _places(table))


def _places(table: Table) -> Array:
    """Place of every row among those of its learner, from 0."""
    codes = table.text(learner_column(table) or "").codes
    order = np.argsort(codes, kind="stable")
    starts = np.r_[0, np.flatnonzero(np.diff(codes[order])) + 1]
    places = np.empty(len(codes))
    places[order] = np.arange(len(codes)) - np.repeat(starts, np.diff(np.r_[starts, len(codes)]))
    return places
