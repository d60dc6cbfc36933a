"""What scikit-learn's ``cross_validate`` returns, one output per learner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

import numpy as np

from bestofk.core.arrays import glimpse
from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.evidence.curves import Curves
from bestofk.evidence.divisions import (
    Division,
    assuming_one_replication,
    division_of,
    indices_of,
    refuse_other_division,
    regrouped,
)
from bestofk.evidence.items import Items
from bestofk.evidence.layouts.choice import evidence_from_table
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.search_results import SPLIT
from bestofk.evidence.scores import Scores
from bestofk.tables.objects import table_from_columns

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
    partly = [f"test indices were not compared: only {', '.join(known)} have them"] if known else []
    origin = replace(evidence.origin, notes=(*evidence.origin.notes, *partly))
    return assuming_one_replication(replace(evidence, origin=origin))


def is_fold_output(output: Mapping[Any, Any]) -> bool:
    """Whether a dict is what scikit-learn's cross_validate returns for one learner."""
    return any(_is_test(key) for key in output) and not any(SPLIT.fullmatch(str(key)) for key in output)


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
    division = division_of(test, train, where, said_share=request.test_fraction if train is None else None)
    refuse_other_division(division, request.replications, request.test_fraction, where)
    note = "" if division == Division(1, len(test)) else f"by their indices the test sets are {division}"
    return regrouped(evidence, division, note)


def _is_test(key: Any) -> bool:
    return isinstance(key, str) and key.startswith("test_")


def _shared_keys(source: Outputs, where: str) -> list[str]:
    per_fold = ("fit_time", "score_time", "test_", "train_")
    kept = [key for key in dict.fromkeys(k for each in source.values() for k in each) if key.startswith(per_fold)]
    for name, output in source.items():
        for key in kept:
            if key not in output:
                raise InputError(
                    f"learner {name} has no {key}, which others have.",
                    f"{where}, learner {name}",
                    "call cross_validate with the same scoring for every learner.",
                )
    return kept


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
