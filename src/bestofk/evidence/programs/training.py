"""Logs of training as TensorBoard, MLflow, Keras and Lightning write them, as long tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.layouts.grid import places_within
from bestofk.evidence.layouts.layout import Layout, Read
from bestofk.evidence.layouts.measure_columns import chosen_metric
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.programs.runs import (
    RUN_NAME,
    TAGGED,
    has_step,
    learner_column,
    refuse_nameless,
    spoken,
    with_names,
)
from bestofk.tables.cells import as_number
from bestofk.tables.table import Column, Numbers, Table, Text


def with_runs_named(table: Table, request: Request) -> Read:
    """Return a table with steps as one whose columns name learner and run, with notes; any other table as it is."""
    table, notes = _with_epochs(table) if request.one_file_each else (table, [])
    if not has_step(table) or any("item" in roles_of_name(name) for name in table.names):
        return table, request, []
    return _by_names(table, request, notes)


def _by_names(table: Table, request: Request, notes: list[str]) -> Read:
    """A table with steps: names of files or of runs say the learner where no column does."""
    names = _plain_names(table)
    run = {"name": names.get(RUN_NAME), "run_id": names.get("run_id")}
    return with_names(table, request, notes, files=request.one_file_each, **run)


def _plain_names(table: Table) -> dict[str, str]:
    return {plain(name): name for name in table.names}


def is_tensorboard(names: Sequence[str]) -> bool:
    """Whether the columns are those of the table of a run that TensorBoard's page saves."""
    return {"wall_time", "step", "value"} <= set(map(plain, names))


def _from_tensorboard(table: Table, request: Request) -> Read:
    names = _plain_names(table)
    learner = learner_column(table)
    if learner is None:
        raise InputError(
            "this is TensorBoard's table of one run: Wall time, Step and Value, and nothing that names the learner.",
            table.source,
            "give the files of all runs: a list, {learner: path}, or several on the command line.",
        )
    words = table.text(learner)
    parts = [TAGGED.fullmatch(word) for word in words.categories]
    tags = list(dict.fromkeys(part["tag"] for part in parts if part is not None))
    if len(tags) > 1:
        measure = chosen_metric(tags, request, table.source)
    else:
        measure = request.measure or (tags[0] if tags else "value")
    kept = [i for i, part in enumerate(parts) if part is None or len(tags) < 2 or plain(part["tag"]) == plain(measure)]
    named = words.renamed(w if part is None else part["run"] for w, part in zip(words.categories, parts, strict=True))
    rows = np.flatnonzero(np.isin(words.codes, kept))
    runs = {name: name for name in table.names if "replication" in roles_of_name(name)}
    long = table.only({learner: "learner", **runs, names["step"]: "step", names["value"]: measure}).rows(rows)
    long = long.with_columns({"learner": named[rows]})
    notes = [f"{names['value']!r} was read as {measure}, {names['wall_time']!r} was not used"]
    return with_names(long, replace(request, measure=measure), notes)


def is_lightning(names: Sequence[str]) -> bool:
    """Whether both epoch and step are there, as in the log of Lightning."""
    return {"epoch", "step"} <= set(map(plain, names))


def _from_blanks(table: Table, request: Request) -> Read:
    """A log with one row per call of the logger, empty where a metric was not logged: rows with the measure stay."""
    names = _plain_names(table)
    fixed = {names["epoch"], names["step"], learner_column(table)}
    metrics = [n for n in table.names if n not in fixed and not roles_of_name(n) and table.is_mostly_numeric(n)]
    metric = chosen_metric(metrics, request, table.source)
    measure = spoken(metric)
    rows = np.flatnonzero(~np.isnan(table.numbers(metric)))
    others = [name for name in metrics if name != metric]
    long = table.without([names["epoch"], *others]).renamed({metric: measure}).rows(rows)
    notes = [f"{names['epoch']!r} was not used: {names['step']!r} is the step"]
    if len(rows) < len(table):
        notes.append(f"{len(table) - len(rows)} rows without {measure} were not used")
    return _by_names(long, replace(request, measure=measure), notes)


_KEYS = frozenset({"fold", "replication", "dataset", "item", "truth", "step"})


def _with_epochs(table: Table) -> tuple[Table, list[str]]:
    """Number the rows of every learner from 0 where a metric stands beside its twin on validation data, val_loss.

    Scores of folds have no such twins; a file of runs has one learner and no key but an index without a name.
    """
    learner = learner_column(table)
    names = {plain(name) for name in table.names}
    twins = any(name.startswith("val_") and name.removeprefix("val_") in names for name in names)
    if learner is None or not twins or any(set(roles_of_name(name)) & _KEYS for name in table.names):
        return table, []
    places = places_within(table.text(learner).codes).astype(np.float64)
    index = next((name for name in table.names if name.startswith("unnamed") or name == "index"), None)
    if index is not None and not (table.is_numeric(index) and np.array_equal(table.numbers(index), places)):
        return table, []
    return table.without([index or ""]).with_columns({"epoch": Numbers(places)}), ["rows were read as epochs, from 0"]


def is_mlflow(names: Sequence[str]) -> bool:
    """Whether the columns are those of metrics in MLflow: run_id, key or metric, value, step."""
    known = set(map(plain, names))
    return {"run_id", "value", "step"} <= known and bool({"key", "metric"} & known)


def long_table_from_mlflow(table: Table, request: Request) -> Read:
    """Return one row per run and step of the chosen metric."""
    names = _plain_names(table)
    if "group" in names and "run" not in names and "run_name" not in names:
        raise InputError(
            "the runs of this chart are grouped: each line is the mean of a group, not a run.",
            table.where(column=names["group"]),
            "undo the grouping in MLflow and download the chart again: whole curves of single runs are compared.",
        )
    which = names.get("key", names.get("metric", ""))
    metric = chosen_metric(table.text(which).categories, request, table.source)
    table = table.rows_with(which, metric)
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


TENSORBOARD = Layout(is_tensorboard, _from_tensorboard)
MLFLOW = Layout(is_mlflow, long_table_from_mlflow)
LIGHTNING = Layout(is_lightning, _from_blanks)
