"""MLflow's metrics along training: the history of the client (key, value), and what the page of a chart downloads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bestofk.core.errors import InputError
from bestofk.evidence.layouts.measured import chosen_metric
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.logs.runs import RUN_NAME, Read, learner_column, refuse_nameless, spoken, with_names
from bestofk.tables.cells import as_number
from bestofk.tables.table import Column, Numbers, Table, Text


def is_mlflow(names: dict[str, str]) -> bool:
    """Whether plain names of columns are those of metrics in MLflow: run_id, key or metric, value, step."""
    return {"run_id", "value", "step"} <= set(names) and bool({"key", "metric"} & set(names))


def long_table_from_mlflow(table: Table, request: Request, names: dict[str, str]) -> Read:
    """Return one row per run and step of the chosen metric."""
    if "group" in names and "run" not in names and "run_name" not in names:
        raise InputError(
            "the runs of this chart are grouped: each line is the mean of a group, not a run.",
            table.where(column=names["group"]),
            "undo the grouping in MLflow and download the chart again: whole curves of single runs are compared.",
        )
    which = names.get("key", names.get("metric", ""))
    key = table.text(which)
    metric = chosen_metric(key.categories, request, table.source)
    table = table.rows(np.flatnonzero(key.codes == key.categories.index(metric)))
    measure = spoken(metric)
    _refuse_one_step(table, names, measure)
    learner, name = learner_column(table), names.get("run_name", names.get("run"))
    if learner is None and name is None:
        raise refuse_nameless(table, names["run_id"])
    called = {name or "": RUN_NAME} if learner is None else {learner: "learner"}
    long = table.only({**called, names["run_id"]: "run", names["step"]: "step", names["value"]: measure})
    long = long.with_columns({measure: _number(long.column(measure))})
    notes = [f"{names['value']!r} was read as {measure}, the metric in {which!r}"]
    named = RUN_NAME if learner is None else None
    return with_names(long, replace(request, measure=measure), notes, name=named, run_id="run")


def _number(column: Column) -> Column:
    """The page writes '-0.5 for -0.5, so that no spreadsheet takes it for a formula."""
    if not isinstance(column, Text):
        return column
    meant = [as_number(word.removeprefix("'")) for word in column.categories]
    if any(number is None for number in meant):
        return column
    return Numbers(np.array([*meant, np.nan], dtype=float)[column.codes])


def _refuse_one_step(table: Table, names: dict[str, str], measure: str) -> None:
    """Metrics that were logged without a step are all at step 0, and their order is lost."""
    runs, steps = (table.text(names[role]).used for role in ("run_id", "step"))
    if len(table) > len(runs) and len(steps) == 1:
        raise InputError(
            f"all {len(table)} values of {measure} are at one step: they were logged without one.",
            table.where(column=names["step"]),
            f"log with a step: mlflow.log_metric({measure!r}, value, step=epoch); or number the rows of each run.",
        )
