"""One file per run, several runs per learner: {learner: [paths]}, or a folder of them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError
from bestofk.core.names import plain, unknown
from bestofk.core.phrases import listed
from bestofk.evidence.columns import RESULTS, roles_of_name
from bestofk.evidence.curves import Curves
from bestofk.evidence.folders import is_table, runs_of_learners, subfolders, tables_in, task_name
from bestofk.evidence.harness import evidence_from_files, evidence_from_named_files
from bestofk.evidence.items import Items
from bestofk.evidence.layouts.choice import evidence_from_table, selected
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.logs.runs import RUN_NAME, learners_and_runs
from bestofk.evidence.logs.wandb import charts_by_run
from bestofk.evidence.scores import Scores
from bestofk.tables.columns import Words
from bestofk.tables.files import table_from_file
from bestofk.tables.table import Table, joined_tables

#: Endings of files that hold the log of a run.
TABLES = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".parquet", ".xlsx", ".gz")
_TAG = re.compile(r"(?:run-)?(?P<run>.*)-tag-(?P<tag>.+)\.csv", re.IGNORECASE)


def are_run_files(source: Mapping[Any, Any]) -> bool:
    """Whether every learner has a list of paths, one per run; text is a path where it ends as a table does."""
    return bool(source) and all(
        isinstance(each, list | tuple) and each and all(_is_path(path) for path in each) for each in source.values()
    )


def _is_path(entry: Any) -> bool:
    return isinstance(entry, Path) or (isinstance(entry, str) and Path(entry).suffix.lower() in TABLES)


def evidence_from_run_files(source: Mapping[str, Sequence[str | Path]], request: Request) -> Scores | Items | Curves:
    """Read the files of every learner's runs, which are numbered in the order given."""
    numbered = {
        str(learner): {str(run): Path(path) for run, path in enumerate(paths, start=1)}
        for learner, paths in source.items()
    }
    return _from_runs(numbered, request)


def evidence_from_run_folder(folder: Path, request: Request) -> Scores | Items | Curves:
    """Read a folder of tables: one per run, named after learner and run, or in a subfolder per learner."""
    own, runs = tables_in(folder), runs_of_learners(folder)
    asked = replace(request, learners=None)
    if own and runs:
        raise InputError(
            f"the folder has {own[0].name} and subfolders with tables: {listed(list(runs)[:3])}.",
            str(folder),
            "keep the runs of a learner in its subfolder, or all runs in one folder.",
        )
    if len(own) == 1:
        evidence = evidence_from_table(table_from_file(own[0], RESULTS), asked)
    elif own:
        evidence = evidence_from_files(own, asked)
    elif all(len(files) == 1 for files in runs.values()):
        evidence = evidence_from_named_files({name: files[0] for name, files in runs.items()}, asked)
    else:
        evidence = _from_runs(_named_runs(_of_one_tag(runs, request, folder)), asked)
    evidence = selected(evidence, request.learners)
    how = ("learners are the subfolders, runs the tables in them",) if any(len(f) > 1 for f in runs.values()) else ()
    notes = (*evidence.origin.notes, *how, *_not_read(folder, runs))
    return replace(evidence, origin=replace(evidence.origin, source=str(folder), notes=notes))


def _from_runs(runs: Mapping[str, Mapping[str, Path]], request: Request) -> Scores | Items | Curves:
    places = [(learner, run, path) for learner, paths in runs.items() for run, path in paths.items()]
    tables, request = charts_by_run([table_from_file(path, RESULTS) for _, _, path in places], request)
    tables = [_named(table, learner, run) for table, (learner, run, _) in zip(tables, places, strict=True)]
    measure = request.measure or _tag([path for _, _, path in places])
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
    fixed = {"learner": Words().column([learner] * len(table))}
    if not any(plain(name) in ("run_id", RUN_NAME) for name in kept):
        fixed["run"] = Words().column([run] * len(table))
    return replace(table, columns={**fixed, **kept})


def _tag(paths: Sequence[Path]) -> str | None:
    """The one tag that TensorBoard wrote into all names of its files, or None."""
    tags = {match["tag"] for path in paths if (match := _TAG.fullmatch(path.name)) is not None}
    return next(iter(tags)) if len(tags) == 1 else None


def _of_one_tag(runs: Mapping[str, list[Path]], request: Request, folder: Path) -> dict[str, list[Path]]:
    """Of TensorBoard's files, which have one tag each, those of the measure asked for."""
    tag_of = {path: match["tag"] for files in runs.values() for path in files if (match := _TAG.fullmatch(path.name))}
    tags = list(dict.fromkeys(tag_of.values()))
    if len(tags) < 2:
        return dict(runs)
    if request.measure is None and not request.on:
        raise InputError(
            f"there are {len(tags)} measures: {', '.join(tags)}.",
            str(folder),
            f"say which: --measure {tags[0]} (measure={tags[0]!r}).",
        )
    asked = request.measure or tags[0]
    wanted = next((tag for tag in tags if plain(tag) == plain(asked)), None)
    if wanted is None:
        raise unknown(asked, tags, what="measure", where=str(folder))
    return {name: [path for path in files if tag_of.get(path, wanted) == wanted] for name, files in runs.items()}


def _named_runs(runs: Mapping[str, list[Path]]) -> dict[str, dict[str, Path]]:
    """Name the runs by the numbers in their names, where all have one, so that equal seeds go together."""
    names = [(learner, path, _run_name(path)) for learner, files in runs.items() for path in files]
    numbers = learners_and_runs([f"{learner}/{run}" for learner, _, run in names])
    found: dict[str, dict[str, Path]] = {learner: {} for learner in runs}
    called = [run for *_, run in names] if numbers is None else [number for _, number in numbers]
    for (learner, path, _), run in zip(names, called, strict=True):
        found[learner][run] = path
    if sum(map(len, found.values())) == len(names):
        return found
    return {learner: {str(i): path for i, path in enumerate(files, start=1)} for learner, files in runs.items()}


def _run_name(path: Path) -> str:
    """What a run is called after: its file, or its folder where the file's name is that of a logger."""
    match = _TAG.fullmatch(path.name)
    name = task_name(path) if match is None else match["run"]
    return path.parent.name if name.lower() in ("metrics", "log", "logs", "history", "training", "progress") else name


def _not_read(folder: Path, runs: Mapping[str, list[Path]]) -> list[str]:
    """Say which files and subfolders were passed over."""
    other = sorted(
        path.name for path in folder.iterdir() if path.is_file() and not is_table(path) and path.name[0] != "."
    )
    empty = [each.name for each in subfolders(folder) if each.name not in runs]
    notes = [f"files that are no tables were not read: {listed(other[:5])}"] if other else []
    return notes + ([f"subfolders without tables: {listed(empty[:5])}"] if empty else [])
