"""Curves from Python objects: histories of Keras and Lightning, and scikit-learn's learning curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, glimpse
from bestofk.core.errors import InputError
from bestofk.core.names import plain, unknown
from bestofk.evidence import Curves, Origin
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.step_grids import OneCurve, aligned
from bestofk.measures.checks import settled_direction
from bestofk.tables.frames import is_frame
from bestofk.tables.table import fingerprint_of


def are_curve_objects(source: Mapping[Any, Any]) -> bool:
    """Whether every learner has a history of training, a list of them, or the output of ``learning_curve``."""
    entries = list(source.values())
    return bool(entries) and (
        all(_learning_curve(each) is not None for each in entries) or all(_histories(each) for each in entries)
    )


def curves_from_objects(source: Mapping[Any, Any], request: Request) -> Curves:
    """Read {learner: history}, {learner: [history of every run]} or {learner: learning_curve output}.

    A history is a dict of metrics along training, what Keras' ``fit`` returns, the rows that were logged, each with its
    step or epoch, or, in a list of runs, a data frame.
    """
    if all(_learning_curve(each) is not None for each in source.values()):
        return _from_learning_curves(source, request)
    return _from_histories(source, request)


def _from_histories(source: Mapping[Any, Any], request: Request) -> Curves:
    where = "histories by learner"
    by_learner = {str(name): _histories(each) for name, each in source.items()}
    metrics = _shared_metrics(by_learner, where)
    measure = metrics[0] if request.on else _chosen(metrics, request.measure, where)
    curves = []
    for learner, histories in by_learner.items():
        for run, history in enumerate(histories, start=1):
            values = _numbers(history[measure], f"{where}, learner {learner}, run {run}", measure)
            steps = _steps(history, len(values))
            there = ~np.isnan(values) if steps is not None else np.ones(len(values), dtype=bool)
            grid = np.arange(1.0, len(values) + 1.0) if steps is None else steps
            curves.append(OneCurve(learner, str(run), grid[there], values[there]))
    return _curves(curves, measure, request, where, settled=None, notes=("histories were read as one run each",))


def _from_learning_curves(source: Mapping[Any, Any], request: Request) -> Curves:
    where = "learning curves by learner"
    curves = []
    for name, each in source.items():
        found = _learning_curve(each)
        if found is None:
            continue
        sizes, scores = found
        curves += [OneCurve(str(name), str(fold + 1), sizes, scores[:, fold]) for fold in range(scores.shape[1])]
    measure = request.measure or "score"
    # scikit-learn's scorers: larger is better by convention, unless the caller or the measure's name says otherwise.
    settled = True if request.larger_is_better is None and request.measure is None else None
    notes: tuple[str, ...] = ("test scores were read, one curve per fold along the training size",)
    if settled:
        notes += ("score is a scorer's value: larger is better by scikit-learn's convention",)
    return _curves(curves, measure, request, where, settled=settled, notes=notes)


def _curves(
    curves: Sequence[OneCurve],
    measure: str,
    request: Request,
    where: str,
    *,
    settled: bool | None,
    notes: tuple[str, ...],
) -> Curves:
    larger = settled if settled is not None else settled_direction(measure, request.larger_is_better, where=where)
    grid = aligned(curves, getattr(request, "align", None), where=where)
    digest = fingerprint_of({f"{each.learner}/{each.run}": np.stack([each.steps, each.values]) for each in curves})
    return Curves(
        learners=grid.learners,
        values=grid.values,
        steps=grid.steps,
        runs=grid.runs,
        measure=measure,
        larger_is_better=larger,
        origin=Origin(where, digest, (*notes, *([grid.note] if grid.note else []))),
    )


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
    """Metrics by name, each a list along training, equally long; nothing of ``cross_validate`` among them."""
    if not isinstance(entry, Mapping) or not entry:
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


def _chosen(metrics: list[str], asked: str | None, where: str) -> str:
    if asked is not None:
        for name in metrics:
            if plain(name) == plain(asked):
                return name
        raise unknown(asked, metrics, what="measure", where=where)
    if len(metrics) == 1:
        return metrics[0]
    raise InputError(
        f"there are {len(metrics)} measures: {', '.join(metrics)}.",
        where,
        f"say which: --measure {metrics[-1]} (measure={metrics[-1]!r}).",
    )


def _steps(history: Mapping[str, Any], length: int) -> Array | None:
    """The history's own steps: ``step`` before ``epoch``; None where it has none."""
    for wanted in ("step", "global_step", "epoch"):
        for name, values in history.items():
            if plain(name) == wanted and len(values) == length:
                return np.asarray(values, dtype=float)
    return None


def _numbers(values: Any, where: str, measure: str) -> Array:
    try:
        return np.array([np.nan if value is None else float(value) for value in values])
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
