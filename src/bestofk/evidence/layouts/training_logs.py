"""Logs of training as TensorBoard, Weights & Biases, MLflow and Lightning write them, turned into long tables."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.evidence.columns import plain, roles_of_name
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.run_names import learners_and_runs
from bestofk.evidence.layouts.wandb_charts import is_wandb, long_table_from_wandb
from bestofk.evidence.object_tables import words_column
from bestofk.evidence.table import Numbers, Table, Text

_DOWNLOADED = re.compile(r"run-(?P<run>.*)-tag-(?P<tag>.+)")

Rows = npt.NDArray[np.intp]


def from_training_logs(table: Table, request: Request) -> tuple[Table, Request, list[str]]:
    """Return a log of training as a long table of curves, with notes; any other table as it is."""
    names = {plain(name): name for name in table.names}
    if is_wandb(table):
        table, request, notes = long_table_from_wandb(table, request)
        return _with_runs(table, request, notes, "run")
    if {"wall_time", "step", "value"} <= set(names):
        return _from_tensorboard(table, request, names)
    if {"run_id", "key", "value", "step"} <= set(names):
        return _from_mlflow(table, request, names)
    if {"epoch", "step"} <= set(names):
        return _from_blanks(table, request, names)
    if request.one_file_each and _is_curve(table):
        return _with_runs(table, request, [], "file")
    return table, request, []


def _from_tensorboard(table: Table, request: Request, names: dict[str, str]) -> tuple[Table, Request, list[str]]:
    learner = _learner(table)
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
    runs = words_column([named[code] for code in words.codes[rows]])
    columns: dict[str, Text | Numbers] = {"learner": runs}
    columns |= {name: _taken(table, name, rows) for name in table.names if "replication" in roles_of_name(name)}
    columns |= {"step": _taken(table, names["step"], rows), measure: _taken(table, names["value"], rows)}
    notes = [f"{names['value']!r} was read as {measure}, {names['wall_time']!r} was not used"]
    short = _with_columns(table, columns, rows)
    return _with_runs(short, replace(request, measure=measure), notes, "file")


def _tag(tags: list[str], request: Request, table: Table) -> str:
    if len(tags) > 1:
        return _chosen(tags, request, table)
    return request.measure or (tags[0] if tags else "value")


def _from_mlflow(table: Table, request: Request, names: dict[str, str]) -> tuple[Table, Request, list[str]]:
    key = table.text(names["key"])
    measure = _chosen(list(key.categories), request, table)
    code = [plain(name) for name in key.categories].index(plain(measure))
    rows = np.flatnonzero(key.codes == code)
    columns = {"step": _taken(table, names["step"], rows), measure: _taken(table, names["value"], rows)}
    request = replace(request, measure=measure)
    notes = [f"{names['value']!r} was read as {measure}, the metric in {names['key']!r}"]
    learner = _learner(table)
    if learner is not None:
        columns = {"learner": _taken(table, learner, rows), "run": _taken(table, names["run_id"], rows), **columns}
        return _with_columns(table, columns, rows), request, notes
    if "run_name" not in names:
        raise InputError(
            f"{names['run_id']} names the runs, and nothing says which learner each is of.",
            table.source,
            "add a column learner or run_name (ppo-seed1, ppo-seed2 …), or give one file per learner: {learner: path}.",
        )
    columns = {"learner": _taken(table, names["run_name"], rows), **columns}
    return _with_runs(_with_columns(table, columns, rows), request, notes, names["run_name"])


def _from_blanks(table: Table, request: Request, names: dict[str, str]) -> tuple[Table, Request, list[str]]:
    """A log with one row per call of the logger, empty where a metric was not logged: rows with the measure stay."""
    fixed = {names["epoch"], names["step"], _learner(table)}
    metrics = [n for n in table.names if n not in fixed and not roles_of_name(n) and table.is_numeric(n)]
    if request.measure is None and len(metrics) != 1:
        raise InputError(
            f"there are {len(metrics)} measures: {', '.join(metrics)}.",
            table.source,
            f"say which: --measure {metrics[0]} (measure={metrics[0]!r})." if metrics else "log a metric.",
        )
    measure = _chosen(metrics, request, table)
    rows = np.flatnonzero(~np.isnan(table.numbers(measure)))
    columns = {name: _taken(table, name, rows) for name in table.names if name != names["epoch"]}
    kept = {name: each for name, each in columns.items() if name not in metrics or name == measure}
    notes = [f"{names['epoch']!r} was not used: {names['step']!r} is the step"]
    if len(rows) < len(table):
        notes.append(f"{len(table) - len(rows)} rows without {measure} were not used")
    short = _with_columns(table, kept, rows)
    request = replace(request, measure=measure)
    return _with_runs(short, request, notes, "file") if _learner(table) is not None else (short, request, notes)


def _chosen(metrics: list[str], request: Request, table: Table) -> str:
    """The metric asked for, or the only one."""
    if request.measure is not None:
        for name in metrics:
            if plain(name) == plain(request.measure):
                return name
        raise unknown(request.measure, metrics, what="measure", where=table.source)
    if len(metrics) != 1:
        raise InputError(
            f"there are {len(metrics)} measures: {', '.join(metrics)}.",
            table.source,
            f"say which: --measure {metrics[0]} (measure={metrics[0]!r}).",
        )
    return metrics[0]


def _with_runs(table: Table, request: Request, notes: list[str], what: str) -> tuple[Table, Request, list[str]]:
    """Divide the names in the column learner into learner and run, where they say both."""
    learner = _learner(table)
    if learner is None or _has_run(table):
        return table, request, notes
    words = table.text(learner)
    parts = learners_and_runs(words.categories)
    if parts is None:
        return table, request, notes
    columns = {
        "learner": words_column([parts[code][0] for code in words.codes]),
        "run": words_column([parts[code][1] for code in words.codes]),
        **{name: each for name, each in table.columns.items() if name != learner},
    }
    first = f"the {what} name {words.categories[0]!r} was read as learner {parts[0][0]!r}, run {parts[0][1]!r}"
    return replace(table, columns=columns), request, [*notes, first]


def _learner(table: Table) -> str | None:
    return next((name for name in table.names if roles_of_name(name) == ("learner",)), None)


def _has_run(table: Table) -> bool:
    return any(set(roles_of_name(name)) & {"replication", "fold"} for name in table.names)


def _is_curve(table: Table) -> bool:
    return any("step" in roles_of_name(name) for name in table.names)


def _taken(table: Table, name: str, rows: Rows) -> Text | Numbers:
    column = table.column(name)
    return Text(column.codes[rows], column.categories) if isinstance(column, Text) else Numbers(column.values[rows])


def _with_columns(table: Table, columns: dict[str, Text | Numbers], rows: Rows) -> Table:
    return replace(
        table,
        columns=columns,
        row_name=lambda row: table.row_name(int(rows[row])),
        source_of=None if table.source_of is None else lambda row: table.file_of(int(rows[row])),
    )
