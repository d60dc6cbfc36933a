"""A store as a table with one row per fold: what ``bestofk judge`` reads, and what any other program can."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.escapes import without_escapes
from bestofk.core.frozen import frozen
from bestofk.design.plan.cell import CellKey, CellResult
from bestofk.measures.counts import error
from bestofk.stores.cells import BY_FOLD
from bestofk.stores.plans import series_of_record
from bestofk.stores.store import PlanRecord, Store
from bestofk.tables.writing import Columns, table_writer

COUNTS = ("tp", "fn", "fp", "tn")
KEYS = ("learner", "dataset", "replication", "fold")
COSTS = ("fit_time", "predict_time", "size")
#: Everything else that is needed to make the same cells again.
COMPLETE = ("cell", "plans")
#: Names of all classes, and how often each was taken for which.
OF_CLASSES = ("classes", "confusion")
#: Training rows where they grow within a fold; the reader of tables takes them for the steps of a curve.
STEP = "train_size"
RESERVED = frozenset(
    {*KEYS, *COUNTS, *COSTS, *COMPLETE, *OF_CLASSES, *BY_FOLD, STEP, "sizes", "failure", "fingerprint"}
)
_WHOLE = frozenset({"replication", "fold", STEP, *COUNTS})


@frozen
class Exported:
    """What was written; ``left_out`` names what a table has no place for, ``prior`` is the plan's preference."""

    path: str
    rows: int
    columns: tuple[str, ...]
    left_out: tuple[str, ...]
    prior: str | tuple[str, ...] | None = None


@frozen
class _Shape:
    """Which columns the table has: ``numbers`` may be empty, ``kept`` is what cells kept of every test row."""

    names: tuple[str, ...]
    numbers: tuple[str, ...]
    kept: tuple[str, ...]
    complete: bool
    error: bool
    curves: bool


def export_store(
    store: Store, path: str | Path, *, series: Sequence[str] | None = None, complete: bool = False
) -> Exported:
    """Write one row per fold to a CSV, TSV or Parquet file, of these series or of all.

    Classes give the error and the counts of all of them, ``classes`` and ``confusion`` (rows of the truth stand between
    slashes: ``20 2/0 35``); two also tp, fn, fp, tn (the second class is the positive one), which are empty for data
    sets of more. Further measures have their own columns; ``sizes`` are the rows to train and to test on. Of a learning
    curve, folds are those without the curve, and ``train_size`` is its step. ``complete`` adds what is needed to import
    the same cells and their plans again, with the predictions, probabilities and truths that they kept.
    """
    path = Path(path)
    _check_one_design(store, series)
    shape = _shape_of(store, series, complete)
    if not shape.numbers[: -len(COSTS)]:
        raise InputError("the store has no results to export.", store.url, "run bestofk collect first.")
    rows, plans = 0, [asdict(plan) for plan in _plans_of(store, series)] if complete else []
    with table_writer(path, shape.names, shape.numbers, _WHOLE) as write:
        for cell in store.read(series):
            rows += write(_columns_of(cell, shape, plans))
            plans = []  # once in a table is enough
    left_out = () if complete else shape.kept  # a plain table has no place for it
    return Exported(str(path), rows, shape.names, left_out, _prior_of(store, series))


def _plans_of(store: Store, series: Sequence[str] | None) -> list[PlanRecord]:
    """Plans of which there are results among these series."""
    there = {each.key.series for each in store.finished(series)}
    return [plan for plan in store.plans() if there & set(series_of_record(plan) or ())]


def _prior_of(store: Store, series: Sequence[str] | None) -> str | tuple[str, ...] | None:
    """The preference that the plans agree on."""
    priors = [json.loads(plan.text)["prior"] for plan in _plans_of(store, series)]
    if not priors or priors.count(priors[0]) < len(priors):
        return None
    return tuple(priors[0]) if isinstance(priors[0], list) else priors[0]


def _check_one_design(store: Store, series: Sequence[str] | None) -> None:
    """A learner on a data set must come from one series: a table has no place to tell two apart."""
    found: dict[tuple[str, str], CellKey] = {}
    for each in store.finished(series):
        key = found.setdefault((each.key.learner, each.key.dataset), each.key)
        if key.series != each.key.series:
            ours, theirs = map(asdict, sorted((key, each.key)))
            differs = [name for name in ours if ours[name] != theirs[name] and name not in ("start", "stop")]
            shown = ", ".join(f"{name} {_short(name, ours[name])} and {_short(name, theirs[name])}" for name in differs)
            raise InputError(
                f"learner {key.learner} on data set {key.dataset} has results of two kinds: {shown}.",
                store.url,
                "choose one: --plan, --folds, --seed, or --series with the ids that bestofk store info shows.",
            )


def _short(name: str, value: object) -> str:
    """Fingerprints are told apart by their beginning; what people write is shown whole."""
    return str(value)[:12] if name.endswith("fingerprint") else repr(value)


def _shape_of(store: Store, series: Sequence[str] | None, complete: bool) -> _Shape:
    scores: set[str] = set()
    classes: set[int] = set()
    kept: set[str] = set()
    for cell in store.read(series):
        scores |= set(cell.scores)
        classes |= set() if cell.confusion is None else {len(cell.classes)}
        kept |= {name for name in BY_FOLD if getattr(cell, name)}
    taken = scores & RESERVED
    if taken:
        raise InputError(
            f"a measure is called {sorted(taken)[0]!r}, like another column.", store.url, "export without that series."
        )
    wrong = bool(classes) and "error" not in scores
    curves = not complete and _are_curves(store, series)
    counted = (*(COUNTS if 2 in classes else ()), *(("error",) if wrong else ()))
    numbers, last = (*counted, *sorted(scores), *COSTS), tuple(sorted(kept))
    of_classes = OF_CLASSES if classes else ()
    texts = (*of_classes, "sizes", "failure", "fingerprint", *((*COMPLETE, *last) if complete else ()))
    return _Shape((*KEYS, *((STEP,) if curves else ()), *numbers, *texts), numbers, last, complete, wrong, curves)


def _are_curves(store: Store, series: Sequence[str] | None) -> bool:
    found = store.finished(series)
    return bool(found) and all(each.key.folds.startswith("learning-curve") for each in found)


def _columns_of(cell: CellResult, shape: _Shape, plans: list[dict[str, Any]]) -> Columns:
    """All columns of the table; those that a cell has nothing for are empty."""
    rows, folds = cell.fit_seconds.shape
    columns: Columns = {
        "learner": [cell.key.learner] * (rows * folds),
        "dataset": [cell.key.dataset] * (rows * folds),
        "replication": [cell.key.start + row + 1 for row in range(rows) for _ in range(folds)],
        "fold": [fold + 1 for _ in range(rows) for fold in range(folds)],
        "fit_time": cell.fit_seconds.ravel().tolist(),
        "predict_time": cell.predict_seconds.ravel().tolist(),
        "size": cell.size.ravel().tolist(),
        "failure": [_on_one_line(text) for line in _reasons(cell, shape.complete) for text in line],
        "sizes": list(_sizes(cell)),
        "fingerprint": [str(mark) for mark in cell.fingerprints.ravel().tolist()],
        **{name: values.ravel().tolist() for name, values in cell.scores.items()},
    }
    if cell.confusion is not None:
        columns |= _outcomes(cell, cell.confusion, shape.error)
    if shape.curves and cell.train_sizes is not None:
        columns |= _steps(cell.train_sizes)
        columns["fingerprint"] = [f"#{mark}" for mark in columns["fingerprint"]]  # beside steps, a number is a measure
    if shape.complete:
        columns |= _complete(cell, plans) | {name: _kept(cell, name) for name in shape.kept}
    empty = {name: [None if name in shape.numbers else ""] * (rows * folds) for name in shape.names}
    return empty | columns


def _reasons(cell: CellResult, complete: bool) -> Sequence[Sequence[str]]:
    """Why folds failed: as they are where the same cells are to be made again, else without colours."""
    return cell.failures if complete else [[without_escapes(text) for text in line] for line in cell.failures]


def _steps(sizes: np.ndarray[Any, Any]) -> Columns:
    """Training rows, and the fold that they are of: all sizes of one fold come one after another."""
    points = len(np.unique(sizes))
    rows, folds = sizes.shape
    return {STEP: sizes.ravel().tolist(), "fold": [fold // points + 1 for _ in range(rows) for fold in range(folds)]}


def _outcomes(cell: CellResult, confusion: np.ndarray[Any, Any], wrong: bool) -> Columns:
    """Counts of all classes, of two by name, and the error where it is a column; empty where a fold failed."""
    flat = confusion.reshape(cell.fit_seconds.size, len(cell.classes), -1).astype(np.int64)
    found: dict[str, Any] = {"error": error(flat)} if wrong else {}
    if len(cell.classes) == 2:
        found |= {"tn": flat[:, 0, 0], "fp": flat[:, 0, 1], "fn": flat[:, 1, 0], "tp": flat[:, 1, 1]}
    lost = cell.failed_folds.ravel() | (flat.sum(axis=(1, 2)) == 0)  # also folds of an imported table without counts
    numbers = {
        name: [None if gone or value != value else value for value, gone in zip(values.tolist(), lost, strict=True)]
        for name, values in found.items()
    }
    names = json.dumps(cell.classes, ensure_ascii=False)
    texts = ["/".join(" ".join(map(str, row)) for row in matrix) for matrix in flat.tolist()]
    return {**numbers, "classes": [names] * len(texts), "confusion": texts}


def _complete(cell: CellResult, plans: list[dict[str, Any]]) -> Columns:
    """What is needed to make the same cells again."""
    number = cell.fit_seconds.size
    about = {**asdict(cell.key), "classes": cell.classes, "scores": list(cell.scores)}
    told = [json.dumps(plans, ensure_ascii=False) if plans else "", *[""] * (number - 1)]
    return {"cell": [json.dumps(about, ensure_ascii=False)] * number, "plans": told}


def _sizes(cell: CellResult) -> Iterator[str]:
    """Rows to train on and to test on: ``75/75``."""
    train, test = (
        [""] * cell.fit_seconds.size if sizes is None else sizes.ravel().tolist()
        for sizes in (cell.train_sizes, cell.test_sizes)
    )
    for pair in zip(train, test, strict=True):
        yield "/".join(map(str, pair))


def _kept(cell: CellResult, name: str) -> list[str]:
    """One JSON list per fold: a prediction, the probabilities of all classes, or the truth, per test row."""
    kept, folds = getattr(cell, name) or {}, np.ndindex(cell.fit_seconds.shape)
    return [json.dumps(kept[at].tolist(), ensure_ascii=False) if at in kept else "" for at in folds]


def _on_one_line(text: str) -> str:
    """Write a text of several lines in one: a table has a row per fold, and other programs count lines."""
    return text.replace("\\", "\\\\").replace("\n", "\\n")
