"""Evidence from Python objects: arrays by learner, what scikit-learn's functions return, histories of training."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from numbers import Real
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError, glimpse
from bestofk.core.names import plain, refuse_unprintable
from bestofk.core.options import refuse_duplicates
from bestofk.core.phrases import counted
from bestofk.design.learners.estimators import is_estimator, is_unseeded_splitter, names_of
from bestofk.evidence import Results, Scores
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.divisions import (
    Division,
    assuming_one_replication,
    division_of,
    division_of_splitter,
    indices_of,
    regrouped,
)
from bestofk.evidence.evidence import ONE_REPLICATION
from bestofk.evidence.layouts.measure_columns import chosen_metric, nameless_measure
from bestofk.evidence.layouts.request import ROWS, Request
from bestofk.evidence.layouts.roles import Roles, noun
from bestofk.evidence.layouts.search_results import is_search, scores_of_searches
from bestofk.evidence.layouts.shelf import layout_of
from bestofk.evidence.layouts.table_kind import evidence_from_table, long_evidence
from bestofk.evidence.measure_vectors.wanted import one_score
from bestofk.measures.catalogue import cost_of_name, is_larger_better
from bestofk.tables.columns import float_of
from bestofk.tables.frames import is_frame, table_from_columns, table_from_rows
from bestofk.tables.json_files import ObjectsByName
from bestofk.tables.table import MEASURED, Column, Numbers, Text, assembled


def evidence_from_mapping(source: Mapping[Any, Any], request: Request) -> Results:
    """Read results by learner: scores, by seed or task too, histories, output of scikit-learn; or columns by name."""
    if not source:
        raise InputError("the dict is empty.", "dict", "give {learner: scores} with at least two learners.")
    if are_lists_by_task(source, request.measure):
        return evidence_from_tasks(source, request)
    if are_curve_objects(source):
        return curves_from_objects(source, request)
    names = [str(name) for name in source]
    if layout_of(names) is not None:
        where = "cv_results_" if is_search(names) else "dict of columns"
        found = evidence_from_table(table_from_columns(_with_estimators_named(source), where), request)
        return _as_split(found, [source], request) if isinstance(found, Scores) else found
    if is_fold_output(source):
        raise InputError(
            "the dict is the output of cross_validate for one learner.",
            "dict",
            "give one output per learner: {'lda': output, 'knn': output}.",
        )
    if any(is_search_output(each) for each in source.values()):
        return _scores_from_searches({_name(name): each for name, each in source.items()}, request)
    if are_named_values(source):
        return _from_named_values({_name(name): each for name, each in source.items()}, request)
    if any(isinstance(each, Mapping) for each in source.values()):
        return scores_from_outputs({_name(name): each for name, each in source.items()}, request)
    if _is_columns(source):
        return evidence_from_table(table_from_columns(source, "dict of columns"), request)
    return evidence_from_arrays({_name(name): each for name, each in source.items()}, request)


def evidence_from_json(found: ObjectsByName, request: Request) -> Results:
    """Read a JSON file with results by learner: histories, output of scikit-learn, numbers; others are no table."""
    content, entries = found.content, found.content.values()
    if all(isinstance(each, Mapping) and is_fold_output(each) for each in entries):
        evidence = scores_from_outputs(content, request, where=found.where)
    elif (
        are_lists_by_task(content, request.measure)
        or are_curve_objects(content)
        or are_named_values(content)
        or all(map(is_search_output, entries))
        or (request.rows == "runs" and all(isinstance(each, list) for each in entries))
    ):
        evidence = evidence_from_mapping(content, request)
    else:
        raise found
    return replace(evidence, origin=replace(evidence.origin, source=found.where, sha256=found.sha256))


class SearchResults(dict[str, Any]):
    """``cv_results_`` of a fitted search, and what the search itself says: its scorer and how it divided the rows.

    ``unseeded``: its folds are drawn anew each time, so no other search has had them.
    """

    def __init__(self, search: Any) -> None:
        scoring = getattr(search, "scoring", None)
        single = isinstance(scoring, str)
        super().__init__(
            (re.sub("^(split.*_test)_score$", rf"\1_{scoring}", name) if single else name, column)
            for name, column in search.cv_results_.items()
        )
        cv = getattr(search, "cv", ())
        self.division = division_of_splitter(cv, getattr(search, "n_splits_", 0))
        self.unseeded = is_unseeded_splitter(cv)


def of_search(source: Any) -> Any:
    """The ``cv_results_`` of a search of scikit-learn, in the place of the search; anything else as it is.

    A search that was not fitted, or another estimator, has no results and is refused.
    """
    if not is_estimator(source) or hasattr(source, "history"):  # a network that keeps its own
        return source
    if not hasattr(source, "cv_results_"):
        raise InputError(
            f"the source is {glimpse(source)}, which has no results.",
            "read, argument source",
            "fit a search first (search.fit(X, y)) and give it or its cv_results_; of other estimators give "
            "{name: cross_validate(estimator, X, y)}.",
        )
    return SearchResults(source)


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
        if getattr(each, "unseeded", False) and len(source) > 1:
            raise InputError(
                f"the folds of {name} were shuffled without a seed: no other search has had the same.",
                f"{where}, {name}",
                "give all searches one cv with a random_state (KFold(shuffle=True, random_state=0)).",
            )
    tables = {
        name: table_from_columns(_with_estimators_named(each), f"{where}, {name}") for name, each in source.items()
    }
    return _as_split(scores_of_searches(tables, request, where), list(source.values()), request)


def _as_split(scores: Scores, searches: Sequence[Any], request: Request) -> Scores:
    """Scores of searches in the replications and folds of their ``cv``, where they say it and nobody else does."""
    first, *others = (getattr(each, "division", None) for each in searches)
    if first is None or request.told_division or any(each != first for each in others):
        return scores
    return regrouped(scores, first, f"by its cv the search had {first}")


def _with_estimators_named(results: Mapping[Any, Any]) -> dict[str, Any]:
    """``cv_results_`` with estimators that are values of parameters by their names."""
    named = {str(name): column for name, column in results.items()}
    for name, column in named.items():
        is_parameter = name.startswith("param_") and isinstance(column, np.ndarray)
        places = [at for at, each in enumerate(column) if is_estimator(each)] if is_parameter else []
        if places:
            named[name] = np.ma.array(column, dtype=object)
            named[name][places] = names_of([column[at] for at in places])
    return named


def evidence_from_list(source: Sequence[Any], request: Request) -> Results:
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
    return evidence_from_mapping(by_name, asked) if any(outputs) else evidence_from_arrays(by_name, asked)


def evidence_from_arrays(source: Mapping[str, Any], request: Request) -> Results:
    """Read one list of numbers per learner, of what ``rows`` says, else of folds; of runs they may differ in length."""
    where = "arrays by learner"
    request.refuse_columns(where)
    arrays = {name: _array(each, name) for name, each in source.items()}
    unit = noun((request.rows or "folds").removesuffix("s"))
    if request.rows != "runs":
        refuse_unequal({name: each.shape for name, each in arrays.items()}, "arrays", unit)
    if request.on:
        raise one_score(request.on, "fold", where)
    if request.rows in (None, "folds"):
        return _scores_from_arrays(arrays, request, where)
    for name, each in arrays.items():
        if each.ndim > 1:
            raise InputError(
                f"the scores of {name} have the shape {each.shape}.",
                f"{where}, learner {name}",
                f"give one list of numbers, one of each {unit}.",
            )
    parts = [((name,), range(1, len(each) + 1), each) for name, each in arrays.items()]
    return evidence_of_parts(parts, _told_columns("learner", rows=request.rows), request, where)


def _scores_from_arrays(arrays: Mapping[str, Array], request: Request, where: str) -> Results:
    """Folds, or (replications, folds), of one data set."""
    flat = next(iter(arrays.values())).ndim == 1
    rows = [(name, at, row) for name, each in arrays.items() for at, row in enumerate(np.atleast_2d(each), 1)]
    parts = [((name,) if flat else (name, at), range(1, len(row) + 1), row) for name, at, row in rows]
    told = [] if request.rows else ["lists of scores were read as folds of one data set"]
    if flat and len(rows[0][2]) > 1:
        request = replace(request, assumed=(ONE_REPLICATION,))
    keys = ("learner", "fold") if flat else ("learner", "replication", "fold")
    return evidence_of_parts(parts, {key: key for key in keys}, replace(request, notes=tuple(told)), where)


def are_named_values(source: Mapping[Any, Any]) -> bool:
    """Whether every learner has numbers by name, {learner: {seed: score}}, no measures, and two a name in common."""
    entries = list(source.values())
    if not all(isinstance(each, Mapping) and each and not is_fold_output(each) for each in entries):
        return False
    if not all(_is_number(value) for each in entries for value in each.values()):
        return False
    names = [str(name) for each in entries for name in each]
    measures = any(is_larger_better(name) is not None or cost_of_name(name) is not None for name in set(names))
    return len(set(names)) < len(names) and not measures


def _is_number(value: Any) -> bool:
    """Whether a value is a number, or missing."""
    return value is None or (isinstance(value, Real) and not isinstance(value, bool))


def _from_named_values(source: Mapping[str, Mapping[Any, Any]], request: Request) -> Results:
    """Numbers by name, where it is told what the names are."""
    where = "numbers by learner and name"
    request.refuse_columns(where)
    if request.on:
        raise one_score(request.on, "fold", where)
    if request.rows is None:
        raise _untold(where, "runs|datasets|folds|items")
    parts = [((learner,), list(entry), list(map(float_of, entry.values()))) for learner, entry in source.items()]
    return evidence_of_parts(parts, _told_columns("learner", rows=request.rows), request, where)


def are_lists_by_task(source: Mapping[Any, Any], measure: str | None) -> bool:
    """Whether every learner has lists of numbers by name, {learner: {task: [..]}}, and the names are no measures.

    A measure that is known and none of the names says so: metrics along training look the same.
    """
    entries = list(source.values())
    if measure is None or is_larger_better(measure) is None or not entries:
        return False
    if not all(isinstance(each, Mapping) and each for each in entries):
        return False
    names = {str(name) for each in entries for name in each}
    lists = all(np.ndim(values) == 1 for each in entries for values in each.values())  # a text has none
    named = any(is_larger_better(n) is not None or "step" in roles_of_name(n) or _is_test(n) for n in names)
    return lists and not named


def evidence_from_tasks(source: Mapping[Any, Any], request: Request) -> Results:
    """Read {learner: {task: [..]}}, where it is told whether the numbers are of runs or of folds."""
    where, told = "lists by learner and task", request.rows
    request.refuse_columns(where)
    if told not in ("runs", "folds"):
        raise _untold(where, "runs|folds")
    lists = {(_name(k), str(task)): _array(v, _name(k)) for k, each in source.items() for task, v in each.items()}
    parts = [(keys, range(1, len(each) + 1), each) for keys, each in lists.items()]
    return evidence_of_parts(parts, _told_columns("learner", "dataset", rows=told), request, where)


def _untold(where: str, rows: str) -> InputError:
    return InputError("nothing says what the numbers of a learner are.", where, f"say --rows {rows} (rows='runs').")


def _told_columns(*keys: str, rows: str | None) -> dict[str, str]:
    """Columns by role: those of the keys, and the one of what rows are said to be."""
    told = str(rows)
    return {**{key: key for key in keys}, ROWS[told]: told.removesuffix("s")}


#: Values of a learner, or of one of its tasks or runs: the keys of all, the entry of each, and the values.
Part = tuple[tuple[Any, ...], Iterable[Any], Sequence[float] | Array]


def evidence_of_parts(parts: Sequence[Part], columns: Mapping[str, str], request: Request, where: str) -> Results:
    """Read values as the long table that they are: ``columns`` of keys and entries by role. No name is judged."""
    place = np.repeat(np.arange(len(parts)), [len(values) for *_, values in parts])
    entries = [entry for _, each, _ in parts for entry in each]
    *outer, inner = columns.values()
    made: dict[str, Column] = {name: _text(keys[at] for keys, *_ in parts)[place] for at, name in enumerate(outer)}
    made[inner] = Numbers(np.array(entries)) if "step" in columns else _text(entries)
    made[MEASURED] = Numbers(values := np.concatenate([np.asarray(each, dtype=float) for *_, each in parts]))

    def row_name(row: int) -> str:
        words = (*parts[place[row]][0], entries[row])
        return ", ".join(f"{name} {word}" for name, word in zip(columns.values(), words, strict=True))

    roles = Roles(dict(columns), [], list(request.notes), list(request.assumed))
    measure = nameless_measure([values], roles, request)
    roles.measures = {measure: MEASURED}
    table = assembled(made.items(), where, row_name=row_name)
    return long_evidence(table, roles, replace(request, measure=measure))


def _text(names: Iterable[Any]) -> Text:
    """Names as they are, blanks around them too."""
    words = list(map(str, names))
    place = {word: code for code, word in enumerate(dict.fromkeys(words))}
    return Text(np.array([place[word] for word in words], dtype=np.int32), tuple(place))


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
    try:
        raw = np.ma.filled(np.ma.asarray(values, dtype=float), np.nan) if np.ma.isMA(values) else np.asarray(values)
        words = raw.dtype.kind not in "biufO" or any(isinstance(entry, str | bytes) for entry in raw.flat)
        found = np.empty(0) if words else np.asarray(raw, dtype=np.float64)
    except (TypeError, ValueError):  # ragged rows, or no numbers
        found = np.empty(0)
    if found.ndim not in (1, 2) or found.size == 0:
        raise InputError(
            f"the scores of {name} are {glimpse(values)}.",
            f"arrays by learner, learner {name}",
            "give a list of numbers, one of each fold, or rows of equal length: (replications, folds).",
        )
    return found


Outputs = Mapping[str, Mapping[str, Any]]


def scores_from_outputs(source: Outputs, request: Request, *, where: str = "cross_validate outputs") -> Results:
    """Read one output of cross_validate per learner; folds that are known to differ are refused."""
    _refuse_others(source, where)
    tested = {name: next(key for key in each if _is_test(key)) for name, each in source.items()}
    sizes = {name: _one_axis(each, tested[name], f"{where}, learner {name}").shape for name, each in source.items()}
    refuse_unequal(sizes, where)
    folds = next(iter(sizes.values()))[0]
    columns = _columns(source, folds, where)
    known = [name for name, each in source.items() if "indices" in each]
    if len(known) == len(source):
        marks = [_fold_marks(each["indices"], f"{where}, learner {name}", folds) for name, each in source.items()]
        columns["fingerprint"] = [mark for each in marks for mark in each]
    rows = [f"learner {name}, fold {fold + 1}" for name in source for fold in range(folds)]
    table = table_from_columns(columns, where, rows.__getitem__)
    asked = f"test_{request.measure}" if f"test_{request.measure}" in columns else request.measure
    scorer = "fingerprint" in columns
    evidence = evidence_from_table(table, replace(request, measure=asked, scorer=scorer, rows=None))
    if not isinstance(evidence, Scores):
        return evidence
    if "fingerprint" in columns:
        return _as_divided(evidence, source[known[0]]["indices"], request, f"{where}, learner {known[0]}")
    return assuming_one_replication(evidence)


def is_fold_output(output: Mapping[Any, Any]) -> bool:
    """Whether a dict is what scikit-learn's cross_validate returns for one learner."""
    return any(_is_test(key) for key in output) and not is_search([str(key) for key in output])


def refuse_unequal(shapes: Mapping[str, tuple[int, ...]], what: str, unit: str = "fold") -> None:
    """Refuse learners with different numbers of folds, or of another unit."""
    first = next(iter(shapes))
    for name, shape in shapes.items():
        if shape != shapes[first]:
            raise InputError(
                f"learner {name} has {_folds(shape, unit)}, learner {first} {_folds(shapes[first], unit)}.",
                f"{what}, learner {name}",
                f"give every learner the same {unit}s, or say rows='runs' if these are independent runs.",
            )


def _folds(shape: tuple[int, ...], unit: str) -> str:
    folds = counted(shape[-1], unit)
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
        columns[key] = np.concatenate(
            [_one_axis(each, key, f"{where}, learner {name}") for name, each in source.items()]
        )
    return columns


def _one_axis(output: Mapping[str, Any], key: str, where: str) -> np.ndarray[tuple[int], np.dtype[Any]]:
    try:
        values = np.asarray(output[key])
    except ValueError:  # ragged
        values = np.empty((0, 0))
    if values.ndim != 1:
        raise InputError(f"{key} is {glimpse(output[key])}.", where, "give one value per fold, as cross_validate does.")
    return values


def _as_divided(evidence: Scores, indices: Any, request: Request, where: str) -> Scores:
    """Folds, replications or random splits, as the indices of the test sets say."""
    test, train = indices_of(indices["test"]), indices_of(indices.get("train", ()))
    if test is None:
        raise InputError("a test set has no rows.", where, "give the rows of every test set, or no indices.")
    left = evidence.values.shape[2] * evidence.values.shape[3]
    if left != len(test):
        raise InputError(
            f"there are indices of {counted(len(test), 'fold')}, and results of {left:,}.",
            where,
            "leave the indices out, or keep all folds (no filter of folds).",
        )
    division = division_of(test, train, where, request)
    note = "" if division == Division(1, len(test)) else f"by their indices the test sets are {division}"
    return regrouped(evidence, division, note)


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
    except (TypeError, KeyError, ValueError, IndexError, OverflowError):
        marks = []
    if len(marks) != folds:
        raise InputError(
            f"indices are {glimpse(indices)}.", where, f"give the test indices of {counted(folds, 'fold')}, or none."
        )
    return marks


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
            values = _numbers_of(history[measure], f"{where}, learner {learner}, run {run}", measure)
            steps = _own_steps(history, len(values))
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


def _own_steps(history: Mapping[str, Any], length: int) -> Array | None:
    """The history's own steps: ``step`` before ``epoch``; None where it has none."""
    for wanted in ("step", "global_step", "epoch"):
        for name, values in history.items():
            if plain(name) == wanted and len(values) == length:
                return np.asarray(values, dtype=float)
    return None


def _numbers_of(values: Any, where: str, measure: str) -> Array:
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
