"""The column to be learnt: classes or numbers."""

from __future__ import annotations

from typing import get_args

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.design.datasets.columns import coded, numbers_in
from bestofk.design.datasets.dataset import Task
from bestofk.design.datasets.table import Cells, Table, Wishes

USUAL = ("class", "target", "label", "y")
#: More different whole numbers than this may be amounts: the user is asked.
MOST_CLASSES = 30


def target_name(table: Table, wished: str | None) -> str:
    """Return the column to be learnt: the one named, or the only one with a usual name."""
    if wished is not None:
        if wished not in table.columns:
            raise unknown(wished, table.columns, what="target column", where=table.where)
        return wished
    usual = [name for name in table.columns if name.lower() in USUAL]
    if len(usual) == 1:
        return usual[0]
    found = f"{' and '.join(usual)} could both be it" if usual else f"none is called {', '.join(USUAL)}"
    raise InputError(
        f"which column is the target is not said, and {found}.",
        table.where,
        f'name it: target = "{list(table.columns)[-1]}", for example. Columns: {", ".join(table.columns)}.',
    )


def learnt(cells: Cells, name: str, wishes: Wishes, where: str) -> tuple[Array, tuple[str, ...]]:
    """Return the target and its classes; none for regression.

    Text, true and false are classes, numbers with fractions are amounts; whole numbers are classes when at most 30
    differ, otherwise the user has to say.
    """
    numbers = numbers_in(cells)
    if numbers is not None:
        _refuse_infinity(numbers, name, where)
    task = _task(numbers, name, wishes, where)
    if task == "classification":
        return coded(cells)
    if numbers is None:
        raise InputError(
            f"the target {name} holds text, and regression needs numbers.", where, 'leave out task = "regression".'
        )
    _refuse_flat(numbers, name, where)
    return numbers, ()


def _task(numbers: Array | None, name: str, wishes: Wishes, where: str) -> str:
    if wishes.task is not None:
        if wishes.task not in get_args(Task):
            raise unknown(wishes.task, get_args(Task), what="task", where=where)
        return wishes.task
    if numbers is None or name in wishes.nominal:
        return "classification"
    known = np.unique(numbers[~np.isnan(numbers)])
    if (known != np.round(known)).any():
        return "regression"
    if len(known) <= MOST_CLASSES:
        return "classification"
    raise InputError(
        f"the target {name} holds {len(known)} different whole numbers: classes or amounts?",
        where,
        'say task = "classification" or task = "regression".',
    )


def _refuse_infinity(numbers: Array, name: str, where: str) -> None:
    if np.isinf(numbers).any():
        row = int(np.flatnonzero(np.isinf(numbers))[0]) + 1
        raise InputError(f"the target {name} is infinite at row {row}.", where, "leave the row out, or correct it.")


def _refuse_flat(numbers: Array, name: str, where: str) -> None:
    known = numbers[~np.isnan(numbers)]
    if len(np.unique(known)) == 1:
        raise InputError(
            f"the target {name} is {known[0]:g} in every row.", where, "give a target that differs between rows."
        )
