"""Columns without a name: the index that a data frame was written with."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.layouts.cells import Key, joined, key_of
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import noun
from bestofk.measures.catalogue import cost_of_name, is_larger_better
from bestofk.tables.table import Table

_UNNAMED = re.compile(r"(unnamed( \d+)?|index|level_\d+)")


def with_named_index(table: Table, request: Request) -> tuple[Table, list[str], list[str]]:
    """Give unnamed columns the role that their content has, drop mere row numbers; also notes and assumptions."""
    notes: list[str] = []
    assumed: list[str] = []
    for name in [name for name in table.names if _UNNAMED.fullmatch(name)]:
        if table.is_numeric(name):
            continue
        role = _role_of_words(table, request)
        if role == "dataset" and request.rows is None and not _has(table, "learner"):
            assumed.append("rows-are-datasets")
        table = _renamed(table, name, role, notes)
    for name in [name for name in table.names if _UNNAMED.fullmatch(name)]:
        table = _settled_number(table, name, notes)
    return table, notes, assumed


def _role_of_words(table: Table, request: Request) -> str:
    """Words beside measures name the learner; beside one column per learner they name the row."""
    if _has(table, "learner"):
        return "dataset" if not _has(table, "dataset") else ""
    rest = [n for n in table.names if not _UNNAMED.fullmatch(n) and not roles_of_name(n)]
    if any(cost_of_name(n) is not None or plain(n).startswith("test_") for n in rest):
        return "learner"
    if rest and all(is_larger_better(n) is not None for n in rest):
        return "learner"
    return request.nameless_rows.removesuffix("s")


def _settled_number(table: Table, name: str, notes: list[str]) -> Table:
    values = table.numbers(name) if table.is_numeric(name) else np.full(len(table), np.nan)
    counting = np.arange(len(table))
    if np.array_equal(values, counting) or np.array_equal(values, counting + 1):
        return _dropped(table, name, notes)
    if _has(table, "learner") and np.array_equal(values, _places(table)):
        return _dropped(table, name, notes) if _has(table, "fold") else _renamed(table, name, "fold", notes)
    if _numbers_rows(table, values):
        return _dropped(table, name, notes)
    if name == "index" or name.startswith("level_"):
        return table  # a name that somebody may have given on purpose
    raise InputError(
        f"column {list(table.names).index(name) + 1} has no name.",
        table.where(column=name),
        "name it (learner, dataset, fold …) or remove it; the index of a data frame goes with reset_index(drop=True).",
    )


def _numbers_rows(table: Table, values: Array) -> bool:
    """Whether whole numbers are what is left of a numbering of rows that were filtered, sorted or put together."""
    whole = bool(np.isfinite(values).all()) and bool((values == np.rint(values)).all())
    if not whole or not (_has(table, "fold") or _has(table, "item")):
        return whole and len(np.unique(values)) == len(values)
    learners = [key_of(table, "learner", name).codes for name in table.names if "learner" in roles_of_name(name)[:1]]
    return len(np.unique(np.column_stack([*learners, values]), axis=0)) == len(values)


def _places(table: Table) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Place of every row among those of the same learner, data set and replication, from 0."""
    keys: list[Key] = [
        key_of(table, role, name)
        for name in table.names
        for role in roles_of_name(name)[:1]
        if role in ("learner", "dataset", "replication")
    ]
    codes = joined("rows", keys).codes
    order = np.argsort(codes, kind="stable")
    starts = np.r_[0, np.flatnonzero(np.diff(codes[order])) + 1]
    places = np.empty(len(codes), dtype=np.int64)
    places[order] = np.arange(len(codes)) - np.repeat(starts, np.diff(np.r_[starts, len(codes)]))
    return places


def _has(table: Table, role: str) -> bool:
    return any(role in roles_of_name(name) for name in table.names)


def _renamed(table: Table, name: str, role: str, notes: list[str]) -> Table:
    if not role or role in table.names or _has(table, role):
        return table
    notes.append(f"the column without a name was read as {noun(role)}")
    return replace(table, columns={(role if old == name else old): column for old, column in table.columns.items()})


def _dropped(table: Table, name: str, notes: list[str]) -> Table:
    notes.append("a column that only numbers the rows was not used")
    return replace(table, columns={old: column for old, column in table.columns.items() if old != name})
