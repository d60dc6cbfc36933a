"""Tables of R's packages: mlr3's scores, tidymodels' collect_metrics(), the values of caret's resamples()."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from bestofk.core.errors import InputError, Unsaid
from bestofk.core.phrases import listed
from bestofk.evidence.layouts.layout import Layout, Read
from bestofk.evidence.layouts.measure_columns import chosen_metric, cost_columns
from bestofk.evidence.layouts.request import Request
from bestofk.measures.catalogue import own_name
from bestofk.tables.columns import Words
from bestofk.tables.table import Column, Table

_MEASURE = re.compile(r"(classif|regr|surv|clust)\.")
#: Names of resamples of k-fold cross-validation.
_FOLD = re.compile(r"Fold\s*0*(?P<fold>\d+)(?:\.Rep\s*0*(?P<rep>\d+))?", re.IGNORECASE)
#: The share of rows that are in no sample of as many rows, drawn with replacement; that a package leaves out otherwise.
_LEFT_OUT, _OF_MLR3, _OF_TIDYMODELS, _OF_CARET = 0.368, 0.33, 0.25, 0.25
#: Names of repeated samples in tidymodels and caret, and of the one of tidymodels that was trained on.
_SAMPLE, _TRAINED_ON = re.compile(r"(Bootstrap|Resample)\d+"), "Apparent"


def _samples(table: Table, column: str, request: Request, shares: Sequence[float]) -> Request:
    """The request with the share of test data of random splits: the only one there can be, or that the user says."""
    number = len(table.text(column).used)
    if request.told_division or number < 2:
        return request
    if len(shares) == 1 and shares[0] == _LEFT_OUT:
        return replace(request, drawn=_LEFT_OUT)
    said = " or ".join(f"{share:g}{' (bootstrap)' if share == _LEFT_OUT else ''}" for share in shares)
    raise Unsaid(
        f"these are {number} random splits, and nothing says how much of the data was tested on.",
        table.where(column=column),
        f"say --test-fraction (test_fraction=); unless you chose another, the package took {said}.",
        option="test_fraction",
        choices=shares,
    )


def _one_replication(table: Table) -> Table:
    return table.with_columns({"replication": Words().column(["1"] * len(table))})


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
    whole = bool(ways) and all(way in ("cv", "loo") for way in ways)
    fold = "fold" if whole else "split"
    if ways == ["repeated_cv"] and "iteration" in table.names:
        _refuse_untold_repeats(table, request)
    if ways in (["bootstrap"], ["subsampling"]) and "iteration" in table.names:
        share = _LEFT_OUT if ways == ["bootstrap"] else _OF_MLR3
        request = _samples(table, "iteration", request, [share])
    learner = "learner_id" if "learner_id" in table.names else "learner"
    kept = {learner: "learner", "task_id": "dataset"} | cost_columns(table, request) | {column: str(request.measure)}
    kept |= {"iteration": fold} if "iteration" in table.names else {}
    resampled = f", resampled by {listed(ways)}" if ways else ""
    found = table.only(kept)
    notes = [f"the table was read as scores of mlr3{resampled}"]
    return _one_replication(found) if whole and "iteration" in table.names else found, request, notes


def _refuse_untold_repeats(table: Table, request: Request) -> None:
    """The folds of all repeats are numbered on, and the table does not say how many a repeat has."""
    folds = len(table.text("iteration").used)
    several = len(table.text("task_id").used) > 1 and request.dataset is None
    if request.told_division or several or folds < 2:
        return
    every = (n for n in range(1, folds) if folds % n == 0)
    repeats = sorted(every, key=lambda n: (n != 10 or folds < 20, abs(folds / n - 10)))
    raise Unsaid(
        f"{folds} folds are of repeated cross-validation, and nothing says how often it was repeated.",
        table.where(column="iteration"),
        f"say --replications {repeats[0]} (replications=), or another number of repeats.",
        option="replications",
        choices=repeats,
    )


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
    notes = ["the table was read as metrics of tidymodels"]
    trained_on = np.array([word == _TRAINED_ON for word in table.text("id").words])
    if trained_on.any():
        table = table.rows(np.flatnonzero(~trained_on))
        notes.append(f"rows of {_TRAINED_ON}, which were trained on, were left out")
    name, request = _chosen(table.text(".metric").used, request, table.source)
    table = table.rows_with(".metric", name)
    named = [each for each in ("learner", "wflow_id", "model") if each in table.names and _several(table, each)]
    more = ".config" in table.names and (_several(table, ".config") or not named)
    parts = (*named[:1], *([".config"] if more else []))
    learners = [" ".join(each) for each in zip(*(table.text(part).words for part in parts), strict=True)]
    columns: dict[str, Column] = {"learner": Words().column(learners)}
    repeated = "id2" in table.names and not table.column("id2").empty.all()
    if repeated:
        columns |= {"replication": table.column("id"), "fold": table.column("id2")}
    else:
        columns |= _resamples(table.text("id").words)
        kinds = _kinds(table, "id")
        if kinds in ({"Bootstrap"}, {"Resample"}):
            share = _LEFT_OUT if kinds == {"Bootstrap"} else _OF_TIDYMODELS
            request = _samples(table, "id", request, [share])
    columns |= {cost: table.column(name) for name, cost in cost_columns(table, request).items()}
    columns[str(request.measure)] = table.column(".estimate")
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
    if _kinds(table, "Resample") == {"Resample"}:
        request = _samples(table, "Resample", request, [_LEFT_OUT, _OF_CARET])
    columns = {**_resamples(table.text("Resample").words), **values}
    return replace(table, columns=columns), request, ["the table was read as resamples of caret"]


def _kinds(table: Table, name: str) -> set[str]:
    """What resamples are called, without their numbers; "" for other names."""
    return {match[1] if (match := _SAMPLE.fullmatch(word)) else "" for word in table.text(name).used}


def _resamples(names: Iterable[str]) -> dict[str, Column]:
    """Replications and folds by their names (Fold01 of one, Fold01.Rep2 of several); others are splits."""
    names = list(names)
    found = [_FOLD.fullmatch(name) for name in names]
    folds = [each["fold"] for each in found if each is not None]
    if len(folds) < len(names):
        return {"split": Words().column(names)}
    repeats = [each["rep"] or "1" for each in found if each is not None]
    return {"replication": Words().column(repeats), "fold": Words().column(folds)}


MLR3 = Layout(is_mlr3, _from_mlr3)
TIDYMODELS = Layout(is_tidymodels, _from_tidymodels)
CARET = Layout(is_caret, _from_caret)
