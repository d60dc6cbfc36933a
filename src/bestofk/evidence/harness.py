"""One file per model: the files of an evaluation harness, joined by item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.options import refuse_duplicates
from bestofk.core.phrases import listed
from bestofk.evidence.columns import ITEM_CONTENT, RESULTS, roles_of_name
from bestofk.evidence.curves import Curves
from bestofk.evidence.folders import files_of_models, model_names, subfolders
from bestofk.evidence.items import Items
from bestofk.evidence.layouts.choice import evidence_from_table, selected
from bestofk.evidence.layouts.measured import is_scorer_output
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.logs.wandb import charts_by_run, is_chart_name
from bestofk.evidence.scores import Scores
from bestofk.tables.columns import Words
from bestofk.tables.files import table_from_file
from bestofk.tables.frames import table_from_frame
from bestofk.tables.table import Numbers, Table, joined_tables


def evidence_from_folder(folder: Path, request: Request) -> Scores | Items | Curves:
    """Read a folder with one JSON Lines file, or one subfolder, per model."""
    files = files_of_models(folder)
    asked = replace(request, learners=None)
    if all(path.parent == folder for path in files.values()):
        return selected(evidence_from_files([*files.values()], asked), request.learners)
    evidence = selected(evidence_from_named_files(files, asked), request.learners)
    empty = [each.name for each in subfolders(folder) if each.name not in files]
    notes = [f"subfolders without .jsonl files: {listed(empty)}"] if empty else []
    return replace(evidence, origin=replace(evidence.origin, notes=(*evidence.origin.notes, *notes)))


def evidence_from_files(paths: Sequence[str | Path], request: Request) -> Scores | Items | Curves:
    """Read one file per model; models are named by a column inside, by ``learners``, or by the files."""
    _refuse_same_file(paths)
    tables, request = charts_by_run([table_from_file(path, RESULTS) for path in paths], request)
    inside = all(_learner_column(table) for table in tables) or all(is_chart_name(path) for path in paths)
    if inside and request.learners is None:
        return _read_joined(tables, request)
    names = request.learners or model_names([Path(path) for path in paths])
    if len(names) != len(paths):
        raise InputError(
            f"there are {len(names)} names for {len(paths)} files.", "argument learners", "give one name per file."
        )
    return _named_evidence(tables, names, request)


def _refuse_same_file(paths: Sequence[str | Path]) -> None:
    places = [Path(path).resolve() for path in paths]
    for number, place in enumerate(places):
        if place in places[:number]:
            first = places.index(place) + 1
            raise InputError(
                f"the same file is given twice, as file {first} and as file {number + 1}.",
                str(paths[number]),
                "give the file of every model once.",
            )


def evidence_from_named_files(paths: Mapping[str, str | Path], request: Request) -> Scores | Items | Curves:
    """Read one file per model from {model: path}."""
    tables, request = charts_by_run([table_from_file(path, RESULTS) for path in paths.values()], request)
    return _named_evidence(tables, tuple(map(str, paths)), request)


def evidence_from_named_frames(frames: Mapping[Any, Any], request: Request) -> Scores | Items | Curves:
    """Read one data frame per learner from {learner: frame}."""
    tables = [_with_folds(table_from_frame(frame, RESULTS)) for frame in frames.values()]
    return _named_evidence(tables, tuple(map(str, frames)), request)


def _named_evidence(tables: list[Table], names: tuple[str, ...], request: Request) -> Scores | Items | Curves:
    same = [table.source for table, name in zip(tables, names, strict=True) if names.count(name) > 1]
    refuse_duplicates(names, what="learner", where=", ".join(same))
    named = [_with_learner(table, name) for table, name in zip(tables, names, strict=True)]
    return _read_joined(named, replace(request, learners=None))


def _read_joined(tables: list[Table], request: Request) -> Scores | Items | Curves:
    _refuse_lacking(tables, {request.measure, *(each.name for each in request.on)})
    return evidence_from_table(joined_tables(tables), replace(request, one_file_each=True))


def _refuse_lacking(tables: list[Table], measures: set[str | None]) -> None:
    """Name the file that lacks a measure, or the names of items, which another has."""
    for name in dict.fromkeys(name for table in tables for name in table.names):
        if name in measures or (roles_of_name(name) == ("item",) and plain(name) not in ITEM_CONTENT):
            for table in tables:
                if name not in table.columns and not _has_item(table, name):
                    raise InputError(
                        f"there is no column {name!r}, which other files have; "
                        f"the columns are {', '.join(table.names)}.",
                        table.source,
                        "give files of one layout, one per model.",
                    )


def _has_item(table: Table, name: str) -> bool:
    return bool(roles_of_name(name)) and any("item" in roles_of_name(each) for each in table.names)


def _with_learner(table: Table, name: str) -> Table:
    inside = _learner_column(table)
    kept = {old: column for old, column in table.columns.items() if old != inside}
    return replace(table, columns={"learner": Words().column([name] * len(table)), **kept})


def _with_folds(table: Table) -> Table:
    """Rows of a frame made from cross_validate's output are its folds."""
    if not is_scorer_output(table) or any(roles_of_name(name) for name in table.names):
        return table
    return replace(table, columns={"fold": Numbers(np.arange(1.0, len(table) + 1.0)), **table.columns})


def _learner_column(table: Table) -> str | None:
    return next((name for name in table.names if roles_of_name(name) == ("learner",)), None)
