"""Tables with one row per measure: a column that names the measure and one with its value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.phrases import listed
from bestofk.evidence import Curves, Items, Scores
from bestofk.evidence.columns import has_role
from bestofk.evidence.layouts.grid import key_of
from bestofk.evidence.layouts.measure_columns import NumberColumns, chosen_measure, chosen_metric
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.scores import AXES
from bestofk.tables.table import Table

MEASURE = ("measure", "metric", "measure_name", "metric_name", "scorer")
VALUE = ("value", "score", "result", "metric_value")
_Found = Scores | Items | Curves


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
    names = measures_in(table)
    chosen = chosen_metric(names, request, table.source)
    others = [name for name in names if name != chosen]
    notes = [f"{value!r} was read as the value of the measure in {column!r}"]
    if others:
        plural = "measures" if len(others) > 1 else "measure"
        notes.append(f"rows of the {plural} {listed(others)} were not used: choose another by measure=")
    kept = table.rows_with(column, chosen).without([column]).renamed({value: chosen})
    return kept, replace(request, measure=chosen), notes


def measures_in(table: Table) -> tuple[str, ...]:
    """The measures that rows are of."""
    return key_of(table, "measure", _columns(table, MEASURE)[0]).names


def side_by_side(parts: Mapping[str, _Found], request: Request, where: str) -> _Found:
    """The rows of every measure, each read by itself, as several measures of the same folds."""
    names = NumberColumns({name: name for name in parts})
    front = chosen_measure(Table({}, where, ""), names, Roles({}, []), request)
    first, asked = parts[front], {plain(each.name) for each in request.on}
    if not isinstance(first, Scores):
        return first
    others = {}
    for name, part in parts.items():
        if not isinstance(part, Scores) or name == front:
            continue
        places = [_places(getattr(part, axis), getattr(first, axis)) for axis in ("learners", *AXES)]
        if None not in places:
            others[name] = part.values[np.ix_(*places)]
        elif plain(name) in asked:
            raise InputError(
                f"{name} is of other learners, data sets or folds than {front}.",
                where,
                "give both for the same learners, data sets and folds.",
            )
    return replace(first, others=others)


def _places(names: Sequence[str], whole: Sequence[str]) -> list[int] | None:
    return [names.index(name) for name in whole] if set(names) == set(whole) else None


def _columns(table: Table, names: tuple[str, ...]) -> list[str]:
    return [name for name in table.names if plain(name) in names]
