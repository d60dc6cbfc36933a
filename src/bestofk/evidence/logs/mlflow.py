"""MLflow's metrics along training: the history of the client (key, value), and what the page of a chart downloads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bestofk.core.errors import InputError
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.logs.runs import (
    RUN_NAME,
    Read,
    Rows,
    chosen_metric,
    learner_column,
    refuse_nameless,
    spoken,
    taken,
    with_columns,
    with_named_runs,
)
from bestofk.tables.cells import as_number
from bestofk.tables.table import Column, Numbers, Table, Text


def is_mlflow(names: dict[str, str]) -> bool:
    """Whether plain names of columns are those of metrics in MLflow: run_id, key or metric, value, step."""
    return {"run_id", "value", "step"} <= set(names) and bool({"key", "metric"} & set(names))


def long_table_from_mlflow(table: Table, request: Request, names: dict[str, str]) -> Read:
    """Return one row per run and step of the chosen metric."""
    _refuse_groups(table, names)
    which = names.get("key", names.get("metric", ""))
    key = table.text(which)
    metric = chosen_metric(key.categories, request, table.source)
    rows = np.flatnonzero(key.codes == key.categories.index(metric))
    columns: dict[str, Column] = {"step": taken(table, names["step"], rows)}
    measure = spoken(metric)
    columns[measure] = _number(taken(table, names["value"], rows))
    _refuse_one_step(table, names["step"], measure, columns["step"], rows, names["run_id"])
    request = replace(request, measure=measure)
    notes = [f"{names['value']!r} was read as {measure}, the metric in {which!r}"]
    columns = {"run": taken(table, names["run_id"], rows), **columns}
    learner = learner_column(table)
    if learner is not None:
        return with_columns(table, {"learner": taken(table, learner, rows), **columns}, rows), request, notes
    name = names.get("run_name", names.get("run"))
    if name is None:
        raise refuse_nameless(table, names["run_id"])
    named = with_columns(table, {RUN_NAME: taken(table, name, rows), **columns}, rows)
    return with_named_runs(named, request, notes, RUN_NAME, "run")


def _number(column: Column) -> Column:
    """The page writes '-0.5 for -0.5, so that no spreadsheet takes it for a formula."""
    if not isinstance(column, Text):
        return column
    meant = [as_number(word.removeprefix("'")) for word in column.categories]
    if any(number is None for number in meant):
        return column
    return Numbers(np.array([*meant, np.nan], dtype=float)[column.codes])


def _refuse_groups(table: Table, names: dict[str, str]) -> None:
    if "group" in names and "run" not in names and "run_name" not in names:
        raise InputError(
            "the runs of this chart are grouped: each line is the mean of a group, not a run.",
            table.where(column=names["group"]),
            "undo the grouping in MLflow and download the chart again: whole curves of single runs are compared.",
        )


def _refuse_one_step(table: Table, step: str, measure: str, column: Column, rows: Rows, run_id: str) -> None:
    """Metrics that were logged without a step are all at step 0, and their order is lost."""
    there = taken(table, run_id, rows)
    runs = len(np.unique(there.codes if isinstance(there, Text) else there.values))
    values = column.values if isinstance(column, Numbers) else column.codes
    if len(values) > runs and len(np.unique(values)) == 1:
        raise InputError(
            f"all {len(values)} values of {measure} are at one step: they were logged without one.",
            table.where(column=step),
            f"log with a step: mlflow.log_metric({measure!r}, value, step=epoch); or number the rows of each run.",
        )
