"""A table as it is said to be: rows that are filtered, columns of told roles, learners in rows."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from bestofk.core.arrays import Flags
from bestofk.core.errors import InputError
from bestofk.core.names import plain, unknown
from bestofk.core.phrases import counted
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.layouts.request import COLUMN_ROLES, Request
from bestofk.evidence.layouts.roles import noun
from bestofk.evidence.layouts.shelf import layout_of
from bestofk.evidence.layouts.tidy import names_measure
from bestofk.tables.amounts import with_written_numbers
from bestofk.tables.cells import as_number
from bestofk.tables.table import Numbers, Rows, Table, is_nameless


def as_told(table: Table, request: Request) -> tuple[Table, Request]:
    """The table and the request after filters, columns of roles and the place of the learners were taken from it."""
    if request.filter:
        table, _, notes = filtered(table, request.filter, kept=request.columns.values())
        request = replace(request, filter=None, notes=(*request.notes, *notes))
    table, request = _with_numbers(_without_nothing(table), request)
    asked = request.columns
    if request.transpose and not request.told:
        asked.setdefault("learner", _column_of_learners(table))
    if not asked:
        return table, request
    for column in asked.values():
        table.column(column)
    told = {role: column if role in roles_of_name(column) else role for role, column in asked.items()}
    others = [name for name in table.names if name not in asked.values() and _is_only(name, told)]
    names = {column: told[role] for role, column in asked.items()}
    called = {name: "the column without a name" if is_nameless(name) else f"column {name!r}" for name in asked.values()}
    notes = [f"{called[name]} was read as {noun(role)}" for role, name in asked.items() if name != told[role]]
    notes += [f"column {name!r} was not used" for name in others]
    done = dict.fromkeys(COLUMN_ROLES)
    return table.without(others).renamed(names), replace(
        request,
        told=told,
        notes=(*request.notes, *notes),
        **done,  # type: ignore[arg-type]
    )


def _without_nothing(table: Table) -> Table:
    """The table without empty columns that have no name: commas at the ends of lines."""
    return table.without(name for name in table.names if is_nameless(name) and table.column(name).empty.all())


def _with_numbers(table: Table, request: Request) -> tuple[Table, Request]:
    """Numbers that are written as words; amounts are costs unless they are asked for as the measure."""
    named = {*request.columns.values(), *request.told.values()}
    written = with_written_numbers(table, [n for n in table.names if n not in named and not roles_of_name(n)])
    costs = (*(request.costs or ()), *written.amounts) or None
    notes, percents = (*request.notes, *written.notes), (*request.percents, *written.percents)
    return written.table, replace(request, costs=costs, notes=notes, percents=percents)


def _is_only(name: str, told: dict[str, str]) -> bool:
    """Whether a column can be nothing but what another is said to be; the identifier of a run marks a tracker."""
    roles = roles_of_name(name)
    return bool(roles) and set(roles) <= set(told) and plain(name) != "run_id"


def _column_of_learners(table: Table) -> str:
    """Where learners are in rows: the column that names them, else the first one."""
    named = [name for name in table.names if roles_of_name(name) == ("learner",)]
    first = table.names[0]
    if named or not roles_of_name(first):
        return named[0] if named else first
    raise InputError(
        f"transpose says that learners are in rows, and column {first!r} names the {noun(roles_of_name(first)[0])}.",
        table.where(column=first),
        "leave transpose out, or name the column of the learners: --learner COLUMN.",
    )


def filtered(table: Table, filters: Sequence[str], kept: Collection[str]) -> tuple[Table, Rows, list[str]]:
    """The rows that pass all filters, which these are, and a note; columns that say nothing then go, unless kept."""
    wanted: dict[str, list[str]] = {}
    for text in filters:
        column, value = _parts(table, text)
        wanted.setdefault(column, []).append(value)
    passed = np.ones(len(table), dtype=bool)
    for column, values in wanted.items():
        own = np.any([_has_value(table, column, value) for value in values], axis=0)
        if not (passed & own).any():
            raise InputError(
                f"no row has {column} {' or '.join(values)} beside the other filters.",
                table.where(column=column),
                "leave a filter out.",
            )
        passed &= own
    said = ", ".join(f"{column} {' or '.join(values)}" for column, values in wanted.items())
    rows = np.flatnonzero(passed)
    left = table.rows(rows)
    done = [name for name, values in wanted.items() if len(values) == 1 and name not in kept and _is_done(name)]
    notes = [f"{counted(len(rows), 'row')} of {len(table):,} kept: {said}"]
    return left if layout_of(table.names) else left.without(done), rows, notes


def _is_done(name: str) -> bool:
    """Whether a column with one value left tells nothing more: it is the same in all rows."""
    return not {"learner", "dataset", "item", "truth", "prediction"} & set(roles_of_name(name)) and not names_measure(
        name
    )


def _parts(table: Table, text: str) -> tuple[str, str]:
    """Column and value; a column whose name has an equals sign may be meant."""
    places = [place for place, letter in enumerate(text) if letter == "="]
    column, value = next(
        ((text[:at].strip(), text[at + 1 :].strip()) for at in places if text[:at].strip() in table.columns),
        (text[: places[0]].strip(), ""),
    )
    table.column(column)
    return column, value


def _has_value(table: Table, column: str, value: str) -> Flags:
    """Which rows have it; an empty value keeps empty cells."""
    cells = table.column(column)
    if not value and cells.empty.any():
        return cells.empty
    if isinstance(cells, Numbers):
        found = np.asarray(cells.values == as_number(value))
    else:
        found = np.array([*(word == value for word in cells.categories), False])[cells.codes]
    if not found.any():
        raise unknown(value, table.text(column).used, what=f"value of {column}", where=table.where(column=column))
    return found
