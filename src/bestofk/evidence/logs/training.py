"""Logs of training as TensorBoard, Weights & Biases, MLflow, Keras and Lightning write them, as long tables."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.logs.mlflow import is_mlflow, long_table_from_mlflow
from bestofk.evidence.logs.runs import (
    RUN_NAME,
    Read,
    chosen_metric,
    has_run,
    has_step,
    learner_column,
    runs_say_learners,
    spoken,
    taken,
    with_columns,
    with_learner_and_run,
    with_named_runs,
)
from bestofk.evidence.logs.wandb import is_chart, is_history, long_table_from_chart, long_table_from_history
from bestofk.tables.columns import Words
from bestofk.tables.table import Column, Numbers, Table

_DOWNLOADED = re.compile(r"run-(?P<run>.*)-tag-(?P<tag>.+)")


def from_training_logs(table: Table, request: Request) -> Read:
    """Return a log of training as a long table of curves, with notes; any other table as it is."""
    names = {plain(name): name for name in table.names}
    if is_chart(table):
        return with_named_runs(*long_table_from_chart(table, request), RUN_NAME)
    if is_history(table):
        return long_table_from_history(table, request)
    if {"wall_time", "step", "value"} <= set(names):
        return _from_tensorboard(table, request, names)
    if is_mlflow(names):
        return long_table_from_mlflow(table, request, names)
    if {"epoch", "step"} <= set(names):
        return _from_blanks(table, request, names)
    notes: list[str] = []
    if request.one_file_each and has_no_epochs(table):
        table, notes = with_epochs(table)
    return _by_names(table, request, notes, names) if has_step(table) else (table, request, [])


def _by_names(table: Table, request: Request, notes: list[str], names: dict[str, str]) -> Read:
    """A table with steps: names of files or of runs say the learner where no column does."""
    if RUN_NAME in names and (learner_column(table) is None or not has_run(table)):
        return with_named_runs(table, request, notes, names[RUN_NAME], names.get("run_id"))
    named = runs_say_learners(table)
    if named is not None:
        return with_named_runs(table, request, notes, named)
    if request.one_file_each:
        return with_learner_and_run(table, request, notes, "file")
    return table, request, notes


def _from_tensorboard(table: Table, request: Request, names: dict[str, str]) -> Read:
    learner = learner_column(table)
    if learner is None:
        raise InputError(
            "this is TensorBoard's table of one run: Wall time, Step and Value, and nothing that names the learner.",
            table.source,
            "give the files of all runs: a list, {learner: path}, or several on the command line.",
        )
    words = table.text(learner)
    parts = [_DOWNLOADED.fullmatch(word) for word in words.categories]
    tags = list(dict.fromkeys(part["tag"] for part in parts if part is not None))
    measure = _tag(tags, request, table)
    kept = [i for i, part in enumerate(parts) if part is None or len(tags) < 2 or plain(part["tag"]) == plain(measure)]
    named = tuple(word if part is None else part["run"] for word, part in zip(words.categories, parts, strict=True))
    rows = np.flatnonzero(np.isin(words.codes, kept))
    columns: dict[str, Column] = {"learner": Words().column([named[code] for code in words.codes[rows]])}
    columns |= {name: taken(table, name, rows) for name in table.names if "replication" in roles_of_name(name)}
    columns |= {"step": taken(table, names["step"], rows), measure: taken(table, names["value"], rows)}
    notes = [f"{names['value']!r} was read as {measure}, {names['wall_time']!r} was not used"]
    short = with_columns(table, columns, rows)
    return with_learner_and_run(short, replace(request, measure=measure), notes, "file")


def _tag(tags: list[str], request: Request, table: Table) -> str:
    if len(tags) > 1:
        return chosen_metric(tags, request, table.source)
    return request.measure or (tags[0] if tags else "value")


def _from_blanks(table: Table, request: Request, names: dict[str, str]) -> Read:
    """A log with one row per call of the logger, empty where a metric was not logged: rows with the measure stay."""
    fixed = {names["epoch"], names["step"], learner_column(table)}
    metrics = [n for n in table.names if n not in fixed and not roles_of_name(n) and table.is_numeric(n)]
    metric = chosen_metric(metrics, request, table.source)
    measure = spoken(metric)
    rows = np.flatnonzero(~np.isnan(table.numbers(metric)))
    stay = [name for name in table.names if name == metric or name not in (names["epoch"], *metrics)]
    kept = {(measure if name == metric else name): taken(table, name, rows) for name in stay}
    notes = [f"{names['epoch']!r} was not used: {names['step']!r} is the step"]
    if len(rows) < len(table):
        notes.append(f"{len(table) - len(rows)} rows without {measure} were not used")
    return _by_names(with_columns(table, kept, rows), replace(request, measure=measure), notes, names)


_KEYS = frozenset({"fold", "replication", "dataset", "item", "truth", "step"})


def has_no_epochs(table: Table) -> bool:
    """Whether a metric stands beside its twin on validation data (loss, val_loss), and nothing numbers the rows.

    Scores of folds have no such twins; a file of runs has one learner and no key but an index without a name.
    """
    if learner_column(table) is None or any(set(roles_of_name(name)) & _KEYS for name in table.names):
        return False
    names = {plain(name) for name in table.names}
    twins = any(name.startswith("val_") and name.removeprefix("val_") in names for name in names)
    index = _index(table)
    return twins and (index is None or _counts(table, index))


def with_epochs(table: Table) -> tuple[Table, list[str]]:
    """Number the rows of every learner from 0, as the index does that a data frame writes."""
    index = _index(table)
    kept = {name: each for name, each in table.columns.items() if name != index}
    return replace(table, columns={**kept, "epoch": Numbers(_places(table))}), ["rows were read as epochs, from 0"]


def _index(table: Table) -> str | None:
    return next((name for name in table.names if name.startswith("unnamed") or name == "index"), None)


def _counts(table: Table, index: str) -> bool:
    return table.is_numeric(index) and np.array_equal(table.numbers(index), _places(table))


def _places(table: Table) -> Array:
    """Place of every row among those of its learner, from 0."""
    codes = table.text(learner_column(table) or "").codes
    order = np.argsort(codes, kind="stable")
    starts = np.r_[0, np.flatnonzero(np.diff(codes[order])) + 1]
    places = np.empty(len(codes))
    places[order] = np.arange(len(codes)) - np.repeat(starts, np.diff(np.r_[starts, len(codes)]))
    return places
