"""Tables of R's packages: mlr3's scores, tidymodels' collect_metrics(), the values of caret's resamples()."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.phrases import listed
from bestofk.evidence.layouts.layout import Layout, Read
from bestofk.evidence.layouts.measure_columns import chosen_metric
from bestofk.evidence.layouts.request import Request
from bestofk.measures.catalogue import own_name
from bestofk.tables.columns import Words
from bestofk.tables.table import Column, Table

_MEASURE = re.compile(r"(classif|regr|surv|clust)\.")
_TIMES = {"time_train": "fit_time", "time_predict": "predict_time"}
#: Names of resamples of k-fold cross-validation; others are random splits.
_FOLD = re.compile(r"Fold\s*0*(?P<fold>\d+)(?:\.Rep\s*0*(?P<rep>\d+))?", re.IGNORECASE)


def _known(measure: str) -> str:
    """The name that bestofk knows a measure by, without the kind of task before it (``classif.ce``)."""
    return own_name(re.sub(r"^(classif|regr|surv|clust|oob)\.", "", measure))


def _chosen(measures: Sequence[str], request: Request, where: str) -> tuple[str, Request]:
    """The column or the name of the measure asked for, and the request by its known name."""
    named = {_known(name): name for name in reversed(measures)}
    asked = None if request.measure is None else _known(request.measure)
    measure = chosen_metric(list(named)[::-1], replace(request, measure=asked), where)
    return named[measure], replace(request, measure=measure)


def is_mlr3(names: Sequence[str]) -> bool:
    """Whether the columns are those of ``bmr$score()``, or of ``bmr$aggregate()``."""
    known = "task_id" in names and bool({"learner_id", "learner"} & set(names))
    return known and any(_MEASURE.match(name) for name in names)


def _from_mlr3(table: Table, request: Request) -> Read:
    measures = [name for name in table.names if _MEASURE.match(name)]
    column, request = _chosen(measures, request, table.source)
    ways = table.text("resampling_id").used if "resampling_id" in table.names else []
    fold = "fold" if ways and all(way in ("cv", "loo") for way in ways) else "split"  # repeats are numbered on
    learner = "learner_id" if "learner_id" in table.names else "learner"
    kept = {learner: "learner", "task_id": "dataset", column: str(request.measure)}
    kept |= {old: new for old, new in {**_TIMES, "iteration": fold}.items() if old in table.names}
    resampled = f", resampled by {listed(ways)}" if ways else ""
    return table.only(kept), request, [f"the table was read as scores of mlr3{resampled}"]


def is_tidymodels(names: Sequence[str]) -> bool:
    """Whether the columns are those of ``collect_metrics()``."""
    return ".metric" in names and bool({".estimate", "mean"} & set(names))


def _from_tidymodels(table: Table, request: Request) -> Read:
    if ".estimate" not in table.names or "id" not in table.names:
        raise InputError(
            "these are means over resamples, and results of each are needed.",
            table.source,
            "export those: collect_metrics(res, summarize = FALSE) |> write.csv(...).",
        )
    words = table.text(".metric")
    name, request = _chosen(words.used, request, table.source)
    table = table.rows(np.flatnonzero(words.codes == words.categories.index(name)))
    named = [each for each in ("learner", "wflow_id", "model") if each in table.names and _several(table, each)]
    more = ".config" in table.names and (_several(table, ".config") or not named)
    parts = (*named[:1], *([".config"] if more else []))
    learners = [" ".join(each) for each in zip(*(_words(table, part) for part in parts), strict=True)]
    columns: dict[str, Column] = {"learner": Words().column(learners)}
    repeated = "id2" in table.names and not table.column("id2").empty.all()
    if repeated:
        columns |= {"replication": table.column("id"), "fold": table.column("id2")}
    else:
        columns |= _resamples(_words(table, "id"))
    columns[str(request.measure)] = table.column(".estimate")
    notes = ["the table was read as metrics of tidymodels"]
    return replace(table, columns=columns), request, notes


def _several(table: Table, name: str) -> bool:
    return len(table.text(name).used) > 1


def is_caret(names: Sequence[str]) -> bool:
    """Whether the columns are those of ``resamples(...)$values``: Resample, and model~measure."""
    return "Resample" in names and any("~" in name for name in names)


def _from_caret(table: Table, request: Request) -> Read:
    pairs = {name: name.rsplit("~", 1) for name in table.names if "~" in name}
    column, request = _chosen(list(dict.fromkeys(measure for _, measure in pairs.values())), request, table.source)
    values: dict[str, Column] = {
        model: table.column(name) for name, (model, measure) in pairs.items() if measure == column
    }
    models = dict.fromkeys(model for model, _ in pairs.values() if model in (request.learners or [model]))
    lacking = [model for model in models if model not in values]
    if lacking:
        own = [measure for model, measure in pairs.values() if model == lacking[0]]
        raise InputError(
            f"{lacking[0]} has no {column}, but {listed(own)}.",
            table.where(column=f"{lacking[0]}~{own[0]}"),
            f"choose a measure that all models have, train {lacking[0]} again by {column}, or leave it out.",
        )
    columns = {**_resamples(_words(table, "Resample")), **values}
    return replace(table, columns=columns), request, ["the table was read as resamples of caret"]


def _words(table: Table, name: str) -> list[str]:
    words = table.text(name)
    return [words.categories[code] if code >= 0 else "" for code in words.codes]


def _resamples(names: Iterable[str]) -> dict[str, Column]:
    """Folds, or replications and folds, by their names (Fold01, Fold01.Rep2); others are splits."""
    names = list(names)
    found = [_FOLD.fullmatch(name) for name in names]
    folds = [each["fold"] for each in found if each is not None]
    if len(folds) < len(names):
        return {"split": Words().column(names)}
    repeats = [each["rep"] or "" for each in found if each is not None]
    columns: dict[str, Column] = {"replication": Words().column(repeats)} if all(repeats) else {}
    return columns | {"fold": Words().column(folds)}


MLR3 = Layout(is_mlr3, _from_mlr3)
TIDYMODELS = Layout(is_tidymodels, _from_tidymodels)
CARET = Layout(is_caret, _from_caret)
