"""Tables of benchmarks of learners on tables: AMLB's results.csv, TabArena's results, OpenML's evaluations.

Their learners, data sets and folds go by names of their own, and each task has the measure that suits it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError, glimpse
from bestofk.core.names import plain, unknown
from bestofk.core.phrases import listed
from bestofk.evidence.layouts.layout import Layout, Read
from bestofk.evidence.layouts.measure_columns import chosen_metric, cost_columns
from bestofk.evidence.layouts.request import Request
from bestofk.measures.catalogue import is_larger_better, own_name
from bestofk.measures.checks import refuse_impossible, settled_direction
from bestofk.tables.columns import Words
from bestofk.tables.table import Column, Numbers, Table


def _has(names: Sequence[str], *wanted: str) -> bool:
    return set(wanted) <= {plain(name) for name in names}


def _learner(names: Sequence[str], *known: str) -> str:
    """The column that is said to name the learner, else the program's own."""
    found = next((name for name in ("learner", *known) if name in names), None)
    if found is None:
        raise InputError(
            "no column names the learner.",
            f"columns {listed(list(names)[:5])}",
            f"call it one of learner, {listed(known)}.",
        )
    return found


def is_amlb(names: Sequence[str]) -> bool:
    """Whether the columns are those of the AutoML benchmark; results of 2019 have no constraint and no metric."""
    return _has(names, "task", "fold", "result", "mode", "utc", "info") and bool({"framework", "learner"} & set(names))


def _from_amlb(table: Table, request: Request) -> Read:
    constraints = table.text("constraint").used if "constraint" in table.names else []
    if len(constraints) > 1:
        raise InputError(
            f"there are results under {len(constraints)} constraints: {listed(constraints)}.",
            table.source,
            f"choose one: --filter constraint={constraints[0]}.",
        )
    metrics = table.text("metric").used if "metric" in table.names else _measures_in_result(table)
    alone = metrics[0] if len(metrics) == 1 else "result"
    numeric = {plain(name): name for name in table.names if table.is_mostly_numeric(name) or name == "result"}
    column = "result" if request.measure in (None, alone) else numeric.get(plain(str(request.measure)))
    if column is None:
        known = [name for name in table.names if is_larger_better(name) is not None]
        raise unknown(request.measure, [alone, *known], what="measure", where=table.source)
    measure = alone if column == "result" else column
    kept = {_learner(table.names, "framework"): "learner", "task": "dataset", "fold": "fold"}
    kept |= {"info": "failure"} if "info" in table.names else {}
    kept |= cost_columns(table, request) | {column: measure}
    if measure == "result":
        request = _pointed(request, measure, _same_direction(metrics, table), table.source)
        _refuse_impossible(table)
    notes = ["the table was read as results of the AutoML benchmark"]
    notes += ["every task has its own measure"] if measure == "result" else []
    return table.only(kept), replace(request, measure=measure), notes


def _refuse_impossible(table: Table) -> None:
    """Refuse results that the measure of their task cannot have, where it is said."""
    words = table.text("metric") if "metric" in table.names else Words().column([""] * len(table))
    for code, metric in enumerate(words.categories):
        values = np.where(words.codes == code, table.numbers("result"), np.nan)
        refuse_impossible(values, metric, lambda row: table.where(row=row[0], column="result"))


def _measures_in_result(table: Table) -> list[str]:
    """The columns of measures that ``result`` was taken from, where no column says it: those with the same numbers."""
    known = [name for name in table.names if is_larger_better(name) is not None and table.is_numeric(name)]
    same = table.numbers("result") == np.array([table.numbers(name) for name in known]).reshape(len(known), -1)
    every = [name for name, own in zip(known, same, strict=True) if own.any()]
    alone = [name for name, own in zip(known, same, strict=True) if (own | np.isnan(table.numbers("result"))).all()]
    return alone[:1] or every


def _same_direction(metrics: Sequence[str], table: Table) -> bool:
    """Whether larger is better of all measures, as the benchmark writes them today (neg_logloss); old files mix."""
    smaller = [name for name in metrics if is_larger_better(name) is False]
    if smaller and len(smaller) < len(metrics):
        other = next(name for name in metrics if name not in smaller)
        raise InputError(
            f"of {smaller[0]} smaller is better, of {other} larger, and both are in 'result'.",
            table.where(column="result"),
            "choose a column of one measure: --measure acc; or tasks of one: --filter metric=auc.",
        )
    return not smaller


def _pointed(request: Request, measure: str, larger: bool, where: str) -> Request:
    """The request with the direction that the program says, unless somebody says the other."""
    larger = settled_direction(measure, request.larger_is_better, where=where, known=larger)
    return replace(request, larger_is_better=larger)


def is_tabarena(names: Sequence[str]) -> bool:
    """Whether the columns are those of TabArena."""
    return _has(names, "dataset", "metric_error", "metric", "problem_type")


def _from_tabarena(table: Table, request: Request) -> Read:
    if request.measure not in (None, "metric_error"):
        raise unknown(request.measure, ["metric_error"], what="measure", where=table.source)
    kept = {_learner(table.names, "method", "framework"): "learner", "dataset": "dataset"}
    kept |= {old: new for old, new in {"fold": "fold", "repeat": "replication"}.items() if old in table.names}
    kept |= (costs := cost_columns(table, request))
    errors = table.numbers("metric_error")
    fix = "give errors from 0 up, of which smaller is better."
    table.refuse(errors < 0, lambda row: f"metric_error is {errors[row]:g}.", fix, column="metric_error")
    long, notes = table.only(kept | {"metric_error": "metric_error"}), ["the table was read as results of TabArena"]
    if "imputed" in table.names:
        gone = np.nan_to_num(table.numbers("imputed")) > 0
        filled = ["metric_error", *costs.values()]
        own: dict[str, Column] = {name: Numbers(np.where(gone, np.nan, long.numbers(name))) for name in filled}
        reasons = Words().column(["imputed" if each else "" for each in gone])
        long = long.with_columns({**own, "failure": reasons})
        notes += [f"{int(gone.sum())} imputed results are missing ones"] if gone.any() else []
    return long, replace(_pointed(request, "metric_error", False, table.source), measure="metric_error"), notes


def is_openml(names: Sequence[str]) -> bool:
    """Whether the columns are those of ``openml.evaluations.list_evaluations``."""
    known = {"flow_name", "learner"} & set(names) and {"data_name", "task_id"} & set(names)
    return bool(known) and _has(names, "function", "value") and bool({"setup_id", "flow_id", "values"} & set(names))


def _from_openml(table: Table, request: Request) -> Read:
    if "values" in table.left_out:
        raise InputError(
            "values has lists, which are read from a file and not from a frame.",
            table.source,
            "write it as CSV, and give that: frame.to_csv('evaluations.csv').",
        )
    functions = table.text("function").used
    named = {own_name(each): each for each in functions}
    asked = None if request.measure is None else own_name(request.measure)
    measure = chosen_metric(list(named), replace(request, measure=asked), table.source)
    table = table.rows_with("function", named[measure])
    dataset = "data_name" if "data_name" in table.names else "task_id"
    kept = {_learner(table.names, "flow_name"): "learner", dataset: "dataset"}
    kept |= cost_columns(table, request) | {"value": measure}
    notes = ["the table was read as evaluations of OpenML"]
    request = replace(request, measure=measure)
    if "values" not in table.names or table.column("values").empty.all():
        return table.only(kept), request, [*notes, "there are no values of folds: each evaluation is one value"]
    folds = [_numbers(text, table, row) for row, text in enumerate(table.text("values").words)]
    sizes = [len(each) for each in folds]
    rows = np.repeat(np.arange(len(table)), sizes)
    numbers = np.concatenate([np.arange(1.0, size + 1.0) for size in sizes])
    long = table.only(kept).rows(rows).with_columns({"fold": Numbers(numbers), measure: Numbers(np.concatenate(folds))})
    return long, request, [*notes, "'values' has one value for every fold"]


def _numbers(text: str, table: Table, row: int) -> Array:
    inner = text.strip()
    try:
        if inner.startswith("[") != inner.endswith("]"):  # one bracket alone: the list is cut off
            raise ValueError
        return np.array([float(each) for each in re.split(r"[\s,;]+", inner.strip(" []")) if each])
    except ValueError:
        raise InputError(
            f"values is {glimpse(text)}, no whole list of numbers.",
            table.where(row=row, column="values"),
            "export it again.",
        ) from None


def _board(program: str, columns: tuple[str, ...], fix: str) -> Layout:
    """The layout of a leaderboard, which is refused: one score of each is not enough to tell them apart."""

    def refuse(table: Table, _: Request) -> Read:
        wrong = f"this is a leaderboard of {program}: one score of each, and nothing to tell chance by."
        raise InputError(wrong, table.source, fix)

    return Layout(lambda names: _has(names, *columns), refuse)


AMLB = Layout(is_amlb, _from_amlb)
TABARENA = Layout(is_tabarena, _from_tabarena)
OPENML = Layout(is_openml, _from_openml)
AUTOGLUON = _board(
    "AutoGluon",
    ("score_val", "fit_order"),
    "give the predictions of all models on the test rows (predictor.predict_multi): a column truth and one per model; "
    "or scores on several folds.",
)
KAGGLE = _board(
    "Kaggle",
    ("teamid", "score"),
    "give scores on several folds, or predictions of rows whose truth is known.",
)
