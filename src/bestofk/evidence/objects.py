"""Evidence from Python objects: arrays by learner, and what scikit-learn's functions return."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, glimpse
from bestofk.core.errors import InputError
from bestofk.core.names import refuse_unprintable
from bestofk.core.options import refuse_duplicates
from bestofk.core.phrases import counted
from bestofk.evidence import Curves, Items, Origin, Scores
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.divisions import (
    Division,
    assuming_one_replication,
    division_of,
    indices_of,
    regrouped,
)
from bestofk.evidence.evidence import ONE_REPLICATION, ONE_REPLICATION_NOTE
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.search_results import is_search, scores_of_searches
from bestofk.evidence.layouts.shelf import layout_of
from bestofk.evidence.layouts.table_kind import evidence_from_table
from bestofk.evidence.measure_vectors.wanted import one_score
from bestofk.measures.checks import refuse_impossible, settled_direction
from bestofk.tables.frames import table_from_columns, table_from_rows
from bestofk.tables.table import fingerprint_of


def evidence_from_mapping(source: Mapping[Any, Any], request: Request) -> Scores | Items | Curves:
    """Read {learner: scores}, {learner: cross_validate output}, a ``cv_results_``, or columns by name."""
    if not source:
        raise InputError("the dict is empty.", "dict", "give {learner: scores} with at least two learners.")
    names = [str(name) for name in source]
    if layout_of(names) is not None:
        where = "cv_results_" if is_search(names) else "dict of columns"
        return evidence_from_table(table_from_columns(source, where), request)
    if is_fold_output(source):
        raise InputError(
            "the dict is the output of cross_validate for one learner.",
            "dict",
            "give one output per learner: {'lda': output, 'knn': output}.",
        )
    if any(is_search_output(each) for each in source.values()):
        return _scores_from_searches({_name(name): each for name, each in source.items()}, request)
    if any(isinstance(each, Mapping) for each in source.values()):
        return scores_from_outputs({_name(name): each for name, each in source.items()}, request)
    if _is_columns(source):
        return evidence_from_table(table_from_columns(source, "dict of columns"), request)
    return scores_from_arrays({_name(name): each for name, each in source.items()}, request)


def of_search(source: Any) -> Any:
    """The ``cv_results_`` of a search of scikit-learn, in the place of the search; anything else as it is.

    A search that was not fitted, or another estimator, has no results and is refused.
    """
    estimator = all(hasattr(source, name) for name in ("fit", "get_params")) and not isinstance(source, type)
    if not estimator or hasattr(source, "history"):  # a network that keeps its own
        return source
    if not hasattr(source, "cv_results_"):
        raise InputError(
            f"the source is {glimpse(source)}, which has no results.",
            "read, argument source",
            "fit a search first (search.fit(X, y)) and give it or its cv_results_; of other estimators give "
            "{name: cross_validate(estimator, X, y)}.",
        )
    return source.cv_results_


def is_search_output(each: Any) -> bool:
    """Whether a dict is the ``cv_results_`` of a search."""
    return isinstance(each, Mapping) and is_search([str(key) for key in each])


def _scores_from_searches(source: Mapping[str, Any], request: Request) -> Scores:
    """Read one ``cv_results_`` per name."""
    where = "cv_results_ by name"
    for name, each in source.items():
        if not is_search_output(each):
            raise InputError(
                f"the entry of {name} is {glimpse(each)}, no cv_results_, which others are.",
                f"{where}, {name}",
                "give what GridSearchCV(…).fit(X, y).cv_results_ is, for every name.",
            )
    tables = {name: table_from_columns(each, f"{where}, {name}") for name, each in source.items()}
    return scores_of_searches(tables, request, where)


def evidence_from_list(source: Sequence[Any], request: Request) -> Scores | Items | Curves:
    """Read a list of rows, of cross_validate outputs, or of cross_val_score arrays."""
    if len(source) == 0:
        raise InputError("the list is empty.", "list", "give one entry per learner.")
    outputs = [isinstance(each, Mapping) and (is_fold_output(each) or is_search_output(each)) for each in source]
    if all(isinstance(each, Mapping) for each in source) and not any(outputs):
        return evidence_from_table(table_from_rows(source, "list of rows"), request)
    names = request.learners or tuple(_estimator_name(each, i) for i, each in enumerate(source))
    if len(names) != len(source):
        raise InputError(
            f"there are {counted(len(names), 'name')} for {counted(len(source), 'output')}.",
            "argument learners",
            "give one name per output in the list.",
        )
    refuse_duplicates(names, what="learner", where="list of scores")
    by_name = dict(zip(names, source, strict=True))
    asked = replace(request, learners=None)
    return evidence_from_mapping(by_name, asked) if any(outputs) else scores_from_arrays(by_name, asked)


def scores_from_arrays(source: Mapping[str, Any], request: Request) -> Scores:
    """Read one array per learner: folds, or (replications, folds), of one data set."""
    arrays = {name: _array(each, name) for name, each in source.items()}
    refuse_unequal({name: each.shape for name, each in arrays.items()}, "arrays")
    if request.on:
        raise one_score(request.on, "fold", "arrays by learner")
    measure = request.measure or "score"
    values = np.stack([each.reshape((-1, each.shape[-1])) for each in arrays.values()])
    names, where = tuple(arrays), "arrays by learner"
    refuse_impossible(
        values, measure, lambda at: f"{where}, learner {names[at[0]]}, replication {at[1] + 1}, fold {at[2] + 1}"
    )
    flat = values.shape[2] > 1 and any(each.ndim == 1 for each in arrays.values())
    notes = ("lists of scores were read as folds of one data set", *([ONE_REPLICATION_NOTE] if flat else []))
    return Scores(
        learners=names,
        values=values,
        measure=measure,
        larger_is_better=settled_direction(measure, request.larger_is_better, where=where),
        origin=Origin(where, fingerprint_of(arrays), notes, (ONE_REPLICATION,) if flat else ()),
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


def _array(values: Any, name: str) -> Array:
    """One learner's scores; None and NaN are missing results."""
    where = f"arrays by learner, learner {name}"
    no_numbers = InputError(f"the scores of {name} are {glimpse(values)}.", where, "give a list of numbers.")
    try:
        raw = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan) if np.ma.isMA(values) else np.asarray(values)
    except ValueError:
        raise InputError(f"the scores of {name} are ragged.", where, "give rows of equal length.") from None
    if isinstance(values, str | bytes) or raw.dtype.kind not in "biufO":
        raise no_numbers
    if any(isinstance(entry, str | bytes) for entry in raw.flat):
        raise no_numbers
    if raw.ndim not in (1, 2) or raw.size == 0:
        raise InputError(
            f"the scores of {name} have the shape {raw.shape}.", where, "give folds, or (replications, folds)."
        )
    try:
        return np.asarray(raw, dtype=np.float64)
    except (TypeError, ValueError):
        raise no_numbers from None


Outputs = Mapping[str, Mapping[str, Any]]


def scores_from_outputs(
    source: Outputs, request: Request, *, where: str = "cross_validate outputs"
) -> Scores | Items | Curves:
    """Read one output of cross_validate per learner; folds that are known to differ are refused."""
    _refuse_others(source, where)
    sizes = {name: np.shape(next(v for k, v in each.items() if _is_test(k))) for name, each in source.items()}
    refuse_unequal(sizes, where)
    folds = next(iter(sizes.values()))[0]
    columns = _columns(source, folds, where)
    known = [name for name, each in source.items() if "indices" in each]
    if len(known) == len(source):
        marks = [_fold_marks(each["indices"], f"{where}, learner {name}", folds) for name, each in source.items()]
        columns["fingerprint"] = [mark for each in marks for mark in each]
    rows = [f"learner {name}, fold {fold + 1}" for name in source for fold in range(folds)]
    table = table_from_columns(columns, where, rows.__getitem__)
    evidence = evidence_from_table(table, replace(request, scorer="fingerprint" in columns))
    if not isinstance(evidence, Scores):
        return evidence
    if "fingerprint" in columns:
        return _as_divided(evidence, source[known[0]]["indices"], request, f"{where}, learner {known[0]}")
    return _without_indices(evidence, known)


def is_fold_output(output: Mapping[Any, Any]) -> bool:
    """Whether a dict is what scikit-learn's cross_validate returns for one learner."""
    return any(_is_test(key) for key in output) and not is_search([str(key) for key in output])


def refuse_unequal(shapes: Mapping[str, tuple[int, ...]], what: str) -> None:
    """Refuse learners with different numbers of folds."""
    first = next(iter(shapes))
    for name, shape in shapes.items():
        if shape != shapes[first]:
            raise InputError(
                f"learner {name} has {_folds(shape)}, learner {first} {_folds(shapes[first])}.",
                f"{what}, learner {name}",
                "give every learner the same folds.",
            )


def _folds(shape: tuple[int, ...]) -> str:
    folds = counted(shape[-1], "fold")
    return folds if len(shape) == 1 else f"{counted(shape[0], 'replication')} of {folds}"


def _refuse_others(source: Outputs, where: str) -> None:
    for name, output in source.items():
        if not (isinstance(output, Mapping) and is_fold_output(output)):
            raise InputError(
                f"the entry of {name} is {glimpse(output)}, not an output of cross_validate.",
                f"{where}, learner {name}",
                "give what cross_validate returned: a dict with test_score.",
            )


def _columns(source: Outputs, folds: int, where: str) -> dict[str, Any]:
    columns: dict[str, Any] = {
        "learner": [name for name in source for _ in range(folds)],
        "fold": list(range(1, folds + 1)) * len(source),
    }
    for key in _shared_keys(source, where):
        columns[key] = np.concatenate([np.asarray(each[key]) for each in source.values()])
    return columns


def _as_divided(evidence: Scores, indices: Any, request: Request, where: str) -> Scores:
    """Folds, replications or random splits, as the indices of the test sets say."""
    test, train = indices_of(indices["test"]), indices_of(indices.get("train", ()))
    if test is None:
        raise InputError("a test set has no rows.", where, "give the rows of every test set, or no indices.")
    division = division_of(test, train, where, request)
    note = "" if division == Division(1, len(test)) else f"by their indices the test sets are {division}"
    return regrouped(evidence, division, note)


def _without_indices(evidence: Scores, known: list[str]) -> Scores:
    origin = evidence.origin
    if known:
        note = f"test indices were not compared: only {', '.join(known)} have them"
        origin = replace(origin, notes=(*origin.notes, note))
    return assuming_one_replication(replace(evidence, origin=origin))


def _is_test(key: Any) -> bool:
    return isinstance(key, str) and key.startswith("test_")


def _shared_keys(source: Outputs, where: str) -> list[str]:
    kept = [key for key in dict.fromkeys(k for each in source.values() for k in each) if _is_per_fold(key)]
    for name, output in source.items():
        for key in kept:
            if key not in output:
                raise InputError(
                    f"learner {name} has no {key}, which others have.",
                    f"{where}, learner {name}",
                    "call cross_validate with the same scoring for every learner.",
                )
    return kept


def _is_per_fold(key: str) -> bool:
    return key in ("fit_time", "score_time") or key.startswith(("test_", "train_"))


def _fold_marks(indices: Any, where: str, folds: int) -> list[str]:
    """Fingerprint of every fold: the hash of its test indices."""
    try:
        marks = [sha256(np.asarray(each, dtype=np.int64).tobytes()).hexdigest()[:12] for each in indices["test"]]
    except (TypeError, KeyError, ValueError, IndexError):
        marks = []
    if len(marks) != folds:
        raise InputError(
            f"indices are {glimpse(indices)}.", where, f"give the test indices of {counted(folds, 'fold')}, or none."
        )
    return marks
