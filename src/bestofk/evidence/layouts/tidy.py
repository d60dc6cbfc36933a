"""Tables with one row per measure: a column that names the measure and one with its value."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bestofk.core.names import plain
from bestofk.evidence.columns import has_role, roles_of_name
from bestofk.evidence.layouts.grid import grid_of, joined, key_of
from bestofk.evidence.layouts.measure_columns import chosen_metric
from bestofk.evidence.layouts.request import Request
from bestofk.tables.table import Numbers, Table

MEASURE = ("measure", "metric", "measure_name", "metric_name", "scorer")
VALUE = ("value", "score", "result", "metric_value")


def names_measure(column: str) -> bool:
    """Whether a column of this name may say of which measure a row is."""
    return plain(column) in MEASURE


def is_tidy(table: Table) -> bool:
    """Whether a column of words names the measure and exactly one column has its value."""
    return (
        len(_columns(table, MEASURE)) == 1
        and len(_columns(table, VALUE)) == 1
        and not table.is_numeric(_columns(table, MEASURE)[0])
        and has_role(table.names, "learner")
    )


def on_one_measure(table: Table, request: Request) -> tuple[Table, Request, list[str]]:
    """Keep the rows of one measure, its value under its own name; say which rows were left."""
    column, value = _columns(table, MEASURE)[0], _columns(table, VALUE)[0]
    names = key_of(table, "measure", column).names
    chosen = chosen_metric(names, request, table.source)
    notes = [f"{value!r} was read as the value of the measure in {column!r}, {chosen}"]
    kept = table.rows_with(column, chosen).without([column]).renamed({value: chosen})
    return kept, replace(request, measure=chosen), notes


def with_measure_columns(table: Table, request: Request) -> tuple[Table, Request, list[str]]:
    """A column for every measure, as several of them are asked for, and one row for what differs in nothing else."""
    column, value = _columns(table, MEASURE)[0], _columns(table, VALUE)[0]
    measure = key_of(table, "measure", column)
    cell = joined("row", [key_of(table, roles_of_name(name)[0], name) for name in table.names if roles_of_name(name)])
    found = grid_of(table, [cell, measure]).spread(table.numbers(value))
    rows = table.rows(np.unique(cell.codes, return_index=True)[1]).without([column, value])
    columns = {name: Numbers(each) for name, each in zip(measure.names, found.T, strict=True)}
    return rows.with_columns(columns), request, [f"{value!r} was read as the value of the measure in {column!r}"]


def _columns(table: Table, names: tuple[str, ...]) -> list[str]:
    return [name for name in table.names if plain(name) in names]
