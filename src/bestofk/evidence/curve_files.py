"""One file per run, several runs per learner: {learner: [paths]}."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError
from bestofk.evidence.columns import plain, roles_of_name
from bestofk.evidence.curves import Curves
from bestofk.evidence.harness import joined_tables
from bestofk.evidence.items import Items
from bestofk.evidence.layouts import Request, evidence_from_table
from bestofk.evidence.object_tables import words_column
from bestofk.evidence.readers import table_from_file
from bestofk.evidence.scores import Scores
from bestofk.evidence.table import Table

#: Endings of files that hold the log of a run.
TABLES = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".parquet", ".xlsx", ".gz")
_TAG = re.compile(r".*-tag-(.+)\.csv", re.IGNORECASE)


def are_run_files(source: Mapping[Any, Any]) -> bool:
    """Whether every learner has a list of paths, one per run; text is a path where it ends as a table does."""
    return bool(source) and all(
        isinstance(each, list | tuple) and each and all(_is_path(path) for path in each) for each in source.values()
    )


def _is_path(entry: Any) -> bool:
    return isinstance(entry, Path) or (isinstance(entry, str) and Path(entry).suffix.lower() in TABLES)


def evidence_from_run_files(source: Mapping[str, Sequence[str | Path]], request: Request) -> Scores | Items | Curves:
    """Read the files of every learner's runs, which are numbered in the order given."""
    tables = [
        _named(table_from_file(path), str(learner), str(run))
        for learner, paths in source.items()
        for run, path in enumerate(paths, start=1)
    ]
    measure = request.measure or _tag([Path(path) for paths in source.values() for path in paths])
    return evidence_from_table(joined_tables(tables), replace(request, measure=measure, learners=None))


def _named(table: Table, learner: str, run: str) -> Table:
    if not any("step" in roles_of_name(name) for name in table.names):
        raise InputError(
            f"no column has the steps of training; the columns are {', '.join(table.names)}.",
            table.source,
            "give files of one run each: TensorBoard, Lightning, Keras, or a column step and a measure.",
        )
    taken = {name for name in table.names if set(roles_of_name(name)) & {"learner", "replication"}}
    kept = {name: column for name, column in table.columns.items() if name not in taken or plain(name) == "run_id"}
    fixed = {"learner": words_column([learner] * len(table))}
    if not any(plain(name) == "run_id" for name in kept):
        fixed["run"] = words_column([run] * len(table))
    return replace(table, columns={**fixed, **kept})


def _tag(paths: Sequence[Path]) -> str | None:
    """The one tag that TensorBoard wrote into all names of its files, or None."""
    tags = {match[1] for path in paths if (match := _TAG.fullmatch(path.name)) is not None}
    return next(iter(tags)) if len(tags) == 1 else None
