"""Rows of one learner that no column tells apart: numbered as what they are said to be, or asked about."""

from __future__ import annotations

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.evidence.layouts.grid import Codes, Key, joined, key_of, places_within
from bestofk.evidence.layouts.request import ROWS, Request
from bestofk.evidence.layouts.roles import Roles, noun
from bestofk.tables.table import MEASURED, Numbers, Table

#: Columns that tell the rows of a learner and a data set apart.
TELLING = ("replication", "fold", "item", "truth", "step")
#: What rows of one data set may be.
WITHIN_DATASETS = ("folds", "runs")


def with_told_rows(table: Table, roles: Roles, request: Request, *, wide: bool = False) -> Table:
    """Number the rows of every learner, and data set, where no column tells them apart.

    Of a ``wide`` table, whose columns may have different lengths, empty cells at the end of a column are no runs.
    """
    if any(role in roles for role in TELLING):
        return table
    told = request.told_rows
    if "dataset" in roles and (told == "datasets" or not repeats(table, roles)):
        return table
    if told is None:
        _refuse_untold(table, roles)
        return table
    if wide and told == "runs":
        table = _without_tails(table)
    places = places_within(_cells(table, roles))
    if told != "runs":
        _refuse_unequal(table, roles, told)
    if told == "folds" and places.any():
        roles.assume_one_replication()
    name = told.removesuffix("s")
    roles.column[ROWS[told]] = name
    roles.rest = [each for each in roles.rest if each != name]
    roles.notes.append(f"the rows of every learner were numbered, and read as {noun(name)}s")
    return table.with_columns({name: Numbers((places + 1).astype(np.float64))})


def repeats(table: Table, roles: Roles) -> bool:
    """Whether two rows have the same learner, where a column names it, and the same data set."""
    return bool(places_within(_cells(table, roles)).any())


def _keys(table: Table, roles: Roles) -> list[Key]:
    return [key_of(table, role, roles.column[role]) for role in ("learner", "dataset") if role in roles]


def _cells(table: Table, roles: Roles) -> Codes:
    return joined("rows", _keys(table, roles)).codes


def _refuse_untold(table: Table, roles: Roles) -> None:
    """Ask what the rows of a learner are; a single row that is there twice is told of later."""
    cells = joined("rows", _keys(table, roles))
    numbers = np.bincount(cells.codes)
    if numbers.min() < 2 if "dataset" in roles else numbers.max() < 2:
        return
    at = int(np.argmax(numbers))
    of_task = " of a data set" if "dataset" in roles else ""
    ways = "runs|folds" if "dataset" in roles else "runs|folds|items"
    first = key_of(table, "learner", roles.column["learner"])
    row = int(np.argmax(cells.codes == at))
    raise InputError(
        f"learner {first.names[first.codes[row]]} has {counted(int(numbers[at]), 'row')}{of_task}, and no column tells "
        "them apart.",
        table.source,
        f"say what the rows are: --rows {ways} (rows='runs' for independent runs or seeds); or add a column seed, fold "
        "or item.",
    )


def _refuse_unequal(table: Table, roles: Roles, told: str) -> None:
    """Rows that are matched by their place must be equally many."""
    keys = _keys(table, roles)
    numbers = np.bincount(joined("rows", keys).codes)
    if numbers.min() == numbers.max():
        return
    learner = keys[0]
    own = np.bincount(learner.codes)
    most, least = (learner.names[int(at)] for at in (np.argmax(own), np.argmin(own)))
    raise InputError(
        f"learner {most} has {counted(int(own.max()), 'row')}, learner {least} {own.min()}: no column tells which of "
        f"them are the same {noun(told.removesuffix('s'))}.",
        table.source,
        f"add a column {ROWS[told]}, or say --rows runs (rows='runs') if they are independent runs.",
    )


def _without_tails(table: Table) -> Table:
    """The table without empty cells after the last value of a learner."""
    learner = key_of(table, "learner", "learner")
    rows = np.flatnonzero(~np.isnan(table.numbers(MEASURED)))
    last = np.full(len(learner.names), -1)
    np.maximum.at(last, learner.codes[rows], rows)
    kept = np.arange(len(table)) <= last[learner.codes]
    return table if kept.all() else table.rows(np.flatnonzero(kept))
