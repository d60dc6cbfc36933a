"""Tables that may be read two ways: an error shows both and asks, nothing is guessed."""

from __future__ import annotations

from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.phrases import counted
from bestofk.evidence.columns import UNCLEAR_STEPS
from bestofk.evidence.layouts.cells import key_of
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles, noun
from bestofk.tables.table import Table

ROW_ROLES = {"datasets": ("dataset",), "folds": ("fold", "replication"), "items": ("item", "truth")}
KEY_ROLES = ("dataset", "replication", "fold", "item", "truth", "step")


def refuse_two_ways(table: Table, roles: Roles, request: Request) -> None:
    """Refuse a table whose columns allow two readings, or one that is not the reading asked for."""
    _refuse_items_and_steps(table, roles)
    _refuse_unclear_steps(table, roles)
    _refuse_other_rows(table, roles, request)


def _refuse_items_and_steps(table: Table, roles: Roles) -> None:
    if "item" in roles and "step" in roles:
        raise InputError(
            f"the table may be read two ways: outcomes per item ({roles.column['item']}) "
            f"or curves along {roles.column['step']}.",
            table.source,
            "remove or rename the column that is not meant.",
        )


def _refuse_unclear_steps(table: Table, roles: Roles) -> None:
    """An iteration beside folds is a step of training in some tables and a replication of the folds in others."""
    name = roles.column.get("step", "")
    if plain(name) not in UNCLEAR_STEPS or "fold" not in roles or "replication" in roles:
        return
    number = len(key_of(table, "step", name).names)
    folds = len(key_of(table, "fold", roles.column["fold"]).names)
    raise InputError(
        f"{name!r} may be read two ways: curves of {counted(number, 'step')} in {counted(folds, 'fold')}, "
        f"or {counted(number, 'replication')} of {counted(folds, 'fold')}.",
        table.where(column=name),
        f"rename {name} to step (training) or to replication (repeated folds).",
    )


def _refuse_other_rows(table: Table, roles: Roles, request: Request) -> None:
    there = [role for role in KEY_ROLES if role in roles]
    if request.rows is None or not there or any(role in roles for role in ROW_ROLES[request.rows]):
        return
    raise InputError(
        f"rows is {request.rows!r}, but the column {roles.column[there[0]]!r} says the {noun(there[0])}.",
        table.source,
        "leave rows out, or rename the column.",
    )
