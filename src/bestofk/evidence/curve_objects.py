"""Curves from Python objects: histories of Keras and Lightning, and scikit-learn's learning curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError, glimpse
from bestofk.core.names import plain
from bestofk.evidence import Results
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.layouts.measure_columns import chosen_metric
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.search_results import is_search
from bestofk.evidence.objects import evidence_of_parts
from bestofk.tables.columns import float_of
from bestofk.tables.frames import is_frame


def are_curve_objects(source: Mapping[Any, Any]) -> bool:
    """Whether every learner has a history of training, a list of them, or the output of ``learning_curve``."""
    entries = list(source.values())
    return bool(entries) and (
        all(_learning_curve(each) is not None for each in entries) or all(_histories(each) for each in entries)
    )


def curves_from_objects(source: Mapping[Any, Any], request: Request) -> Results:
    """Read {learner: history}, {learner: [history of every run]} or {learner: learning_curve output}.

    A history is a dict of metrics along training, what Keras' ``fit`` returns, the rows that were logged, each with its
    step or epoch, or, in a list of runs, a data frame.
    """
    request.refuse_columns("curves by learner")
    found = {str(name): _learning_curve(each) for name, each in source.items()}
    of_sizes = {name: each for name, each in found.items() if each is not None}
    return _from_learning_curves(of_sizes, request) if len(of_sizes) == len(found) else _from_histories(source, request)


def _from_histories(source: Mapping[Any, Any], request: Request) -> Results:
    where = "histories by learner"
    by_learner = {str(name): _histories(each) for name, each in source.items()}
    measure = chosen_metric(_shared_metrics(by_learner, where), request, where)
    parts = []
    for learner, histories in by_learner.items():
        for run, history in enumerate(histories, start=1):
            values = _numbers(history[measure], f"{where}, learner {learner}, run {run}", measure)
            steps = _steps(history, len(values))
            there = np.full(len(values), steps is None) | ~np.isnan(values)
            grid = np.arange(1.0, len(values) + 1.0) if steps is None else steps
            parts.append(((learner, run), grid[there], values[there]))
    request = replace(request, measure=measure, notes=("histories were read as one run each",))
    return evidence_of_parts(parts, {"learner": "learner", "replication": "run", "step": "step"}, request, where)


def _from_learning_curves(source: Mapping[str, tuple[Array, Array]], request: Request) -> Results:
    parts = [
        ((name, fold + 1), sizes, scores[:, fold])
        for name, (sizes, scores) in source.items()
        for fold in range(scores.shape[1])
    ]
    notes: tuple[str, ...] = ("test scores were read, one curve per fold along the training size",)
    if request.larger_is_better is None and request.measure is None:
        notes += ("score is a scorer's value: larger is better by scikit-learn's convention",)
        request = replace(request, larger_is_better=True)
    request = replace(request, measure=request.measure or "score", notes=notes)
    columns = {"learner": "learner", "fold": "split", "step": "step"}
    return evidence_of_parts(parts, columns, request, "learning curves by learner")


def _learning_curve(each: Any) -> tuple[Array, Array] | None:
    """Training sizes and test scores (sizes, folds) of what ``learning_curve`` returned, as it is, or by name."""
    if isinstance(each, Mapping):
        found = (each.get("train_sizes", each.get("train_sizes_abs")), each.get("test_scores"))
    elif isinstance(each, tuple) and len(each) in (3, 5):
        found = (each[0], each[2])
    else:
        found = (getattr(each, "train_sizes", None), getattr(each, "test_scores", None))
    if found[0] is None or found[1] is None:
        return None
    try:
        sizes, scores = np.asarray(found[0], dtype=float), np.asarray(found[1], dtype=float)
    except (TypeError, ValueError):
        return None
    fits = sizes.ndim == 1 and scores.ndim == 2 and scores.shape[0] == len(sizes) > 1 and scores.shape[1] > 0
    return (sizes, scores) if fits else None


def _histories(each: Any) -> list[Mapping[str, Any]]:
    """The histories of a learner's runs; empty where these are something else."""
    if are_rows(each):
        return [columns_of_rows(each)]
    entries = list(each) if isinstance(each, list | tuple) else [each]
    inside = isinstance(each, list | tuple)
    found = [_as_columns(getattr(entry, "history", entry), inside=inside) for entry in entries]
    return found if found and all(_is_history(entry) for entry in found) else []


def _as_columns(entry: Any, *, inside: bool) -> Any:
    """A data frame or the rows of one run, in a list of runs, as metrics by name; a frame alone may be of folds."""
    if inside and is_frame(entry) and hasattr(entry, "columns"):
        return {str(name): np.asarray(entry[name]) for name in entry.columns}
    return columns_of_rows(entry) if are_rows(entry) else entry


def _is_history(entry: Any) -> bool:
    """Metrics by name, each a list along training, equally long; not what ``cross_validate`` or a search returns."""
    if not isinstance(entry, Mapping) or not entry or is_search([str(name) for name in entry]):
        return False
    if any(str(name).startswith("test_") or name in ("fit_time", "score_time") for name in entry):
        return False
    lengths = {len(values) for values in entry.values() if isinstance(values, list | tuple | np.ndarray)}
    return len(lengths) == 1 and len(entry) == sum(isinstance(v, list | tuple | np.ndarray) for v in entry.values())


def _shared_metrics(by_learner: Mapping[str, Sequence[Mapping[str, Any]]], where: str) -> list[str]:
    everything = [history for histories in by_learner.values() for history in histories]
    metrics = [name for name in everything[0] if "step" not in roles_of_name(name)]
    shared = [name for name in metrics if all(name in history for history in everything)]
    if not shared:
        raise InputError("the histories have no metric in common.", where, "log the same metrics for every learner.")
    return shared


def _steps(history: Mapping[str, Any], length: int) -> Array | None:
    """The history's own steps: ``step`` before ``epoch``; None where it has none."""
    for wanted in ("step", "global_step", "epoch"):
        for name, values in history.items():
            if plain(name) == wanted and len(values) == length:
                return np.asarray(values, dtype=float)
    return None


def _numbers(values: Any, where: str, measure: str) -> Array:
    try:
        return np.array(list(map(float_of, values)))
    except (TypeError, ValueError):
        raise InputError(f"{measure} is {glimpse(values)}.", where, "give one number per step.") from None


def are_rows(entry: Any) -> bool:
    """Whether a list holds dicts of single values, each with its step or epoch.

    Examples
    --------
    >>> are_rows([{"epoch": 0, "loss": 0.9}]), are_rows([{"loss": [0.9, 0.7]}]), are_rows([{"loss": 0.9}])
    (True, False, False)
    """
    return isinstance(entry, list | tuple) and bool(entry) and all(_is_row(each) for each in entry)


def columns_of_rows(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Return the values of every name along the rows, None where a row lacks it; words are left out."""
    names = dict.fromkeys(str(name) for row in rows for name, value in row.items() if _is_number(value))
    return {name: [row.get(name) for row in rows] for name in names}


def _is_row(each: Any) -> bool:
    if not isinstance(each, Mapping):
        return False
    return any("step" in roles_of_name(str(name)) and _is_number(value) for name, value in each.items())


def _is_number(value: Any) -> bool:
    return value is None or isinstance(value, Real)
