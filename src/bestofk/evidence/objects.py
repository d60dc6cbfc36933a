"""Evidence from Python objects: arrays by learner, and what scikit-learn's functions return."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, glimpse
from bestofk.core.errors import InputError
from bestofk.core.names import refuse_unprintable
from bestofk.core.phrases import counted
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.curves import Curves
from bestofk.evidence.items import Items
from bestofk.evidence.layouts.choice import evidence_from_table
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.search_results import SPLIT
from bestofk.evidence.logs.optuna import refuse_trials
from bestofk.evidence.origin import ONE_REPLICATION, ONE_REPLICATION_NOTE, Origin
from bestofk.evidence.outcomes.wanted import one_score
from bestofk.evidence.outputs import is_fold_output, refuse_unequal, scores_from_outputs
from bestofk.evidence.scores import Scores
from bestofk.measures.checks import refuse_impossible, settled_direction
from bestofk.tables.objects import table_from_columns, table_from_rows
from bestofk.tables.table import fingerprint_of


def evidence_from_mapping(source: Mapping[Any, Any], request: Request) -> Scores | Items | Curves:
    """Read {learner: scores}, {learner: cross_validate output}, a ``cv_results_``, or columns by name."""
    if not source:
        raise InputError("the dict is empty.", "dict", "give {learner: scores} with at least two learners.")
    refuse_trials([str(name) for name in source], "dict of columns")
    if any(isinstance(name, str) and SPLIT.fullmatch(name) for name in source):
        return evidence_from_table(table_from_columns(source, "cv_results_"), request)
    if is_fold_output(source):
        raise InputError(
            "the dict is the output of cross_validate for one learner.",
            "dict",
            "give one output per learner: {'lda': output, 'knn': output}.",
        )
    if any(isinstance(each, Mapping) for each in source.values()):
        return scores_from_outputs({_name(name): each for name, each in source.items()}, request)
    if _is_columns(source):
        return evidence_from_table(table_from_columns(source, "dict of columns"), request)
    return scores_from_arrays({_name(name): each for name, each in source.items()}, request)


def evidence_from_list(source: Sequence[Any], request: Request) -> Scores | Items | Curves:
    """Read a list of rows, of cross_validate outputs, or of cross_val_score arrays."""
    if len(source) == 0:
        raise InputError("the list is empty.", "list", "give one entry per learner.")
    outputs = [isinstance(each, Mapping) and is_fold_output(each) for each in source]
    if all(isinstance(each, Mapping) for each in source) and not any(outputs):
        return evidence_from_table(table_from_rows(source, "list of rows"), request)
    names = request.learners or tuple(_estimator_name(each, i) for i, each in enumerate(source))
    if len(names) != len(source):
        raise InputError(
            f"there are {counted(len(names), 'name')} for {counted(len(source), 'output')}.",
            "argument learners",
            "give one name per output in the list.",
        )
    _refuse_same_names(names)
    by_name = dict(zip(names, source, strict=True))
    asked = replace(request, learners=None)
    return scores_from_outputs(by_name, asked) if any(outputs) else scores_from_arrays(by_name, asked)


def scores_from_arrays(source: Mapping[str, Any], request: Request) -> Scores:
    """Read one array per learner: folds, or (replications, folds), of one data set."""
    arrays = {name: _array(each, name) for name, each in source.items()}
    refuse_unequal({name: each.shape for name, each in arrays.items()}, "arrays")
    if request.on:
        raise one_score(request.on, "fold", "arrays by learner")
    measure = request.measure or "score"
    values = np.stack([each.reshape((-1, each.shape[-1])) for each in arrays.values()])
    names = tuple(arrays)
    refuse_impossible(values, measure, lambda place: _place_of(names, place))
    flat = values.shape[2] > 1 and any(each.ndim == 1 for each in arrays.values())
    notes = ("lists of scores were read as folds of one data set", *([ONE_REPLICATION_NOTE] if flat else []))
    return Scores(
        learners=tuple(arrays),
        values=values,
        measure=measure,
        larger_is_better=settled_direction(measure, request.larger_is_better, where="arrays by learner"),
        origin=Origin("arrays by learner", fingerprint_of(arrays), notes, (ONE_REPLICATION,) if flat else ()),
    )


def _is_columns(source: Mapping[Any, Any]) -> bool:
    """Whether the keys are columns of a table: one of them is a key column and not a learner's name."""
    for name, values in source.items():
        roles = roles_of_name(str(name))
        if roles == ("learner",) and any(isinstance(each, str) for each in np.ravel(np.asarray(values, dtype=object))):
            return True
        if set(roles) & {"dataset", "replication", "fold", "item", "truth", "step"}:
            return True
    return False


def _place_of(names: tuple[str, ...], place: tuple[int, ...]) -> str:
    learner, replication, fold = place
    return f"arrays by learner, learner {names[learner]}, replication {replication + 1}, fold {fold + 1}"


def _name(name: Any) -> str:
    if not str(name).strip():
        raise InputError("a learner has no name.", "dict", "name every learner.")
    refuse_unprintable([str(name)], what="learner", where="dict")
    return str(name)


def _estimator_name(output: Any, place: int) -> str:
    fitted = output.get("estimator") if isinstance(output, Mapping) else None
    if fitted is None or len(fitted) == 0:
        raise InputError(
            f"entry {place + 1} of the list has no name.",
            "list of scores",
            "give learners=['lda', 'knn', …], a dict {learner: scores}, or cross_validate(…, return_estimator=True).",
        )
    return type(fitted[0]).__name__


def _refuse_same_names(names: Sequence[str]) -> None:
    again = [name for name in names if names.count(name) > 1]
    if again:
        raise InputError(
            f"learner {again[0]!r} is named twice.", "list of scores", "name them apart: learners=['a', 'b', …]."
        )


def _array(values: Any, name: str) -> Array:
    """One learner's scores; None and NaN are missing results."""
    where = f"arrays by learner, learner {name}"
    try:
        raw = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan) if np.ma.isMA(values) else np.asarray(values)
    except ValueError:
        raise InputError(f"the scores of {name} are ragged.", where, "give rows of equal length.") from None
    if isinstance(values, str | bytes) or raw.dtype.kind not in "biufO" or any(map(_is_word, raw.flat)):
        raise InputError(f"the scores of {name} are {glimpse(values)}.", where, "give a list of numbers.")
    if raw.ndim not in (1, 2) or raw.size == 0:
        raise InputError(
            f"the scores of {name} have the shape {raw.shape}.", where, "give folds, or (replications, folds)."
        )
    try:
        return np.asarray(raw, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"the scores of {name} are {glimpse(values)}.", where, "give a list of numbers.") from None


def _is_word(entry: Any) -> bool:
    return isinstance(entry, str | bytes)
