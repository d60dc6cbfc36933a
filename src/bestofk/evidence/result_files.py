"""Results in several files: one per model, joined by item, or one per run of a learner."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bestofk.core.endings import JSON_LINES, TABLES, ends
from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.options import refuse_duplicates
from bestofk.core.phrases import counted, listed
from bestofk.evidence import Results
from bestofk.evidence.columns import ITEM_CONTENT, has_role, roles_of_name
from bestofk.evidence.layouts.measure_columns import chosen_metric, is_scorer_output
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.shelf import results_with
from bestofk.evidence.layouts.table_kind import evidence_from_table, selected
from bestofk.evidence.programs.training import (
    RUN_NAME,
    TAGGED,
    charts_by_run,
    is_chart_name,
    is_run_name,
    learner_column,
    learners_and_runs,
)
from bestofk.tables.columns import Words
from bestofk.tables.files import table_from_file
from bestofk.tables.frames import is_frame, table_from_frame
from bestofk.tables.table import Numbers, Table, Text, joined_tables

#: Roles of columns that say what a unit is: without one of them the same results would be tested otherwise.
OF_UNITS = {"item", "group", "dataset", "weight"}
#: Endings of files that hold the log of a run.
OF_RUNS = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".parquet", ".xlsx", ".gz")


def evidence_from_folder(folder: Path, request: Request) -> Results:
    """Read a folder with one file per model or run, named after learner and run, or with one subfolder per learner."""
    own, below = files_in(folder)
    asked = replace(request, learners=None)
    several = any(len(files) > 1 for files in below.values())
    how: list[str] = []
    if len(own) == 1:
        evidence = evidence_from_table(table_from_file(own[0], results_with(request.columns.values())), asked)
    elif own:
        evidence = evidence_from_files(own, asked)
    elif not several:
        evidence = evidence_from_named({name: files[0] for name, files in below.items()}, asked)
    elif any(ends(path.name, JSON_LINES) for files in below.values() for path in files):
        raise several_files(folder, below)
    else:
        runs = _named_runs(_of_one_tag(below, request, folder))
        evidence = _from_runs(runs, asked)
        how = ["learners are the subfolders, runs the tables in them"]
    evidence = selected(evidence, request.learners)
    notes = (*evidence.origin.notes, *how, *_not_read(folder, own, below))
    return replace(evidence, origin=replace(evidence.origin, source=str(folder), notes=notes))


def _not_read(folder: Path, own: Sequence[Path], below: Mapping[str, list[Path]]) -> list[str]:
    """Say which files and subfolders were passed over."""
    files = sorted(each for each in folder.iterdir() if each.is_file() and not each.name.startswith("."))
    other = [path.name for path in files if path not in own]
    empty = [each.name for each in subfolders(folder) if each.name not in below]
    notes = [f"files that were not read: {listed(other[:5])}"] if other else []
    return notes + ([f"subfolders without results: {listed(empty[:5])}"] if empty else [])


def evidence_from_files(paths: Sequence[str | Path], request: Request) -> Results:
    """Read one file per model; models are named by a column inside, by ``learners``, or by the files."""
    refuse_same_file(paths)
    tables, request = _tables(paths, request)
    inside = all(learner_column(table) for table in tables) or all(is_chart_name(path) for path in paths)
    if inside and request.learners is None:
        return _read_joined(tables, request)
    names = request.learners or model_names([Path(path) for path in paths])
    if len(names) != len(paths):
        raise InputError(
            f"there are {len(names)} names for {len(paths)} files.", "argument learners", "give one name per file."
        )
    return _named_evidence(tables, names, request)


def _tables(sources: Iterable[Any], request: Request) -> tuple[list[Table], Request]:
    """Tables of files or data frames; charts of runs are long ones."""
    purpose = results_with(request.columns.values())
    found = [(table_from_frame if is_frame(each) else table_from_file)(each, purpose) for each in sources]
    return charts_by_run(found, request)


def refuse_same_file(paths: Sequence[str | Path]) -> None:
    """Refuse a file that is given twice, under whatever name."""
    places = [Path(path).resolve() for path in paths]
    for number, place in enumerate(places):
        if place in places[:number]:
            first = places.index(place) + 1
            raise InputError(
                f"the same file is given twice, as file {first} and as file {number + 1}.",
                str(paths[number]),
                "give the file of every model once.",
            )


def are_files(source: Mapping[Any, Any]) -> bool:
    """Whether every learner has a path, or a data frame; or a list of paths, one per run, that end as tables do."""
    each = list(source.values())
    single = all(isinstance(one, str | Path) or (is_frame(one) and hasattr(one, "columns")) for one in each)
    return bool(each) and (single or all(_are_paths(one) for one in each))


def _are_paths(entry: Any) -> bool:
    paths = entry if isinstance(entry, list | tuple) else ()
    return bool(paths) and all(
        isinstance(each, Path) or (isinstance(each, str) and Path(each).suffix.lower() in OF_RUNS) for each in paths
    )


def evidence_from_named(source: Mapping[Any, Any], request: Request) -> Results:
    """Read {learner: path or data frame}, one each, or {learner: paths}, one of each run, which are numbered."""
    if any(isinstance(each, list | tuple) for each in source.values()):
        return _from_runs(_numbered({str(name): list(map(Path, paths)) for name, paths in source.items()}), request)
    tables, request = _tables(source.values(), request)
    return _named_evidence([_with_folds(table) for table in tables], tuple(map(str, source)), request)


def _named_evidence(tables: list[Table], names: tuple[str, ...], request: Request) -> Results:
    same = [table.source for table, name in zip(tables, names, strict=True) if names.count(name) > 1]
    refuse_duplicates(names, what="learner", where=", ".join(same))
    named = [_with_words(_of_one_learner(table), {"learner": name}) for table, name in zip(tables, names, strict=True)]
    return _read_joined(named, replace(request, learners=None))


def _of_one_learner(table: Table) -> Table:
    """The table without the column that names its learner, which has another name here; several are refused."""
    column = learner_column(table)
    if column is None:
        return table
    found = table.text(column).used if isinstance(table.column(column), Text) else []
    if len(found) > 1:
        raise InputError(
            f"the file holds {len(found)} models, {listed(found[:3])}{' …' if len(found) > 3 else ''}, not one.",
            table.where(column=column),
            "give one file per model; or read this file alone: for a gate, name two of its models and say --results.",
        )
    return table.without([column])


def _with_words(table: Table, words: Mapping[str, str]) -> Table:
    """The table with columns that say the same in every row."""
    return table.with_columns({name: Words().column([word] * len(table)) for name, word in words.items()}, first=True)


def _read_joined(tables: list[Table], request: Request) -> Results:
    _refuse_lacking(tables, {request.measure, *(each.name for each in request.on)})
    return evidence_from_table(joined_tables(tables), replace(request, one_file_each=True))


def _refuse_lacking(tables: list[Table], measures: set[str | None]) -> None:
    """Name the file that lacks a measure, or what says which results belong together, which another has."""
    for name in dict.fromkeys(name for table in tables for name in table.names):
        roles = set() if plain(name) in ITEM_CONTENT else OF_UNITS & set(roles_of_name(name))
        if name in measures or roles:
            for table in tables:
                if name not in table.columns and not any(roles & set(roles_of_name(each)) for each in table.names):
                    what = f"there is no column {name!r}, which other files have"
                    raise table.lacks(what, "give files of one layout, one per model.")
    others = [[name for name in table.names if not roles_of_name(name)] for table in tables]
    if all(others) and not set.intersection(*map(set, others)):
        place = next(i for i in range(1, len(others)) if not set.intersection(*map(set, others[: i + 1])))
        one, other = (listed(each[:3]) for each in (others[0], others[place]))
        raise InputError(
            f"the files have no measure in common: the first has {one}, this one {other}.",
            tables[place].source,
            "give files of one layout, one per model.",
        )


def _with_folds(table: Table) -> Table:
    """Rows of a table made from cross_validate's output are its folds."""
    if not is_scorer_output(table) or any(roles_of_name(name) for name in table.names):
        return table
    return table.with_columns({"fold": Numbers(np.arange(1.0, len(table) + 1.0))}, first=True)


class _Run(NamedTuple):
    """A file of one run; ``dataset`` is "" where there are not several."""

    learner: str
    dataset: str
    name: str
    path: Path


def _numbered(runs: Mapping[str, Sequence[Path]]) -> list[_Run]:
    told = ((learner, *each) for learner, paths in runs.items() for each in enumerate(paths, start=1))
    return [_Run(learner, "", str(number), path) for learner, number, path in told]


def _from_runs(runs: Sequence[_Run], request: Request) -> Results:
    tables, request = _tables((run.path for run in runs), request)
    tables = [_of_run(table, run) for table, run in zip(tables, runs, strict=True)]
    tags = {tag for run in runs if (tag := _tag(run.path)) is not None}
    measure = request.measure or (tags.pop() if len(tags) == 1 else None)
    return evidence_from_table(joined_tables(tables), replace(request, measure=measure, learners=None))


def _of_run(table: Table, run: _Run) -> Table:
    if not has_role(table.names, "step"):
        fix = "give files of one run each: TensorBoard, Lightning, Keras, or a column step and a measure."
        raise table.lacks("no column has the steps of training", fix)
    named = {name for name in table.names if set(roles_of_name(name)) & {"learner", "replication"}}
    kept = table.without(name for name in named if plain(name) != "run_id")
    has_run = any(plain(name) in ("run_id", RUN_NAME) for name in kept.names)
    has_set = not run.dataset or has_role(kept.names, "dataset")
    words = {"learner": run.learner, "dataset": "" if has_set else run.dataset, "run": "" if has_run else run.name}
    return _with_words(kept, {column: word for column, word in words.items() if word})


def _tag(path: Path) -> str | None:
    """The tag that TensorBoard wrote into the name of a file."""
    match = TAGGED.fullmatch(task_name(path))
    return None if match is None else match["tag"]


def _of_one_tag(runs: Mapping[str, list[Path]], request: Request, folder: Path) -> dict[str, list[Path]]:
    """Of TensorBoard's files, which have one tag each, those of the measure asked for."""
    tags = list(dict.fromkeys(tag for files in runs.values() for path in files if (tag := _tag(path)) is not None))
    if len(tags) < 2:
        return dict(runs)
    wanted = chosen_metric(tags, request, str(folder))
    return {name: [path for path in files if _tag(path) in (None, wanted)] for name, files in runs.items()}


def _named_runs(runs: Mapping[str, list[Path]]) -> list[_Run]:
    """Name the runs by the numbers in their names, where all have one, so that equal seeds go together.

    Subfolders of a learner that have several tables are data sets; so is what stands before the number in the names of
    its runs, where it has a number several times.
    """
    deep = any(len({path.parent for path in files}) > 1 for files in runs.values())
    places = [(learner, path, files if deep else []) for learner, files in runs.items() for path in files]
    named = [_Run(learner, *_set_and_name(path, beside), path) for learner, path, beside in places]
    several = any(run.dataset for run in named) and not _are_distinct([run[:2] for run in named])
    numbers = _numbers(named) or []
    before = [_set_name(text, run.learner) for run, (text, _) in zip(named, numbers, strict=False)]
    if numbers:
        named = [run._replace(name=number) for run, (_, number) in zip(named, numbers, strict=True)]
    if not several and _are_distinct([(run.learner, run.name) for run in named]):
        return [run._replace(dataset="") for run in named]
    for sets in ([run.dataset for run in named], before):
        found = [run._replace(dataset=name) for run, name in zip(named, sets, strict=False)]
        if found and all(run.dataset for run in found) and _are_distinct([run[:3] for run in found]):
            return found
    return _numbered(runs)


def _set_and_name(path: Path, beside: Sequence[Path]) -> tuple[str, str]:
    """The folder within a learner's that a table is in, if any, and the run; a folder may be called after its run."""
    folder, name = path.parent, _run_name(path)
    if not beside or name == folder.name:
        return "", name
    if not is_run_name(folder.name):
        return folder.name, name
    if sum(each.parent == folder for each in beside) > 1:
        raise InputError(
            f"{folder.name} is called after a run, and has several tables, such as {path.name}.",
            str(folder),
            "keep one table of every run; of several tasks put each one's runs into a folder: model/task/seed1.csv.",
        )
    return "", folder.name


def _numbers(runs: Sequence[_Run]) -> list[tuple[str, str]] | None:
    """What stands before the number of every run, and the number; None where names do not tell."""
    names = ["/".join(filter(None, (run.learner, run.dataset, run.name))) for run in runs]
    found = learners_and_runs(names)
    if found is not None:
        return list(found)
    parts: list[tuple[str, str]] = []  # learners may have other numbers than others
    for learner in dict.fromkeys(run.learner for run in runs):
        own = learners_and_runs([name for name, run in zip(names, runs, strict=True) if run.learner == learner])
        if own is None:
            return None
        parts += own
    return parts


def _set_name(text: str, learner: str) -> str:
    """The data set in what stands before the number of a run, without the learner, where that is named again.

    Examples
    --------
    >>> _set_name("ppo/pong", "ppo"), _set_name("ppo/ppo_pong", "ppo"), _set_name("ppo", "ppo")
    ('pong', 'pong', '')
    """
    apart, own = "[ ._/-]", re.escape(learner)
    return re.sub(f"^{own}{apart}+|{apart}+{own}$", "", text.removeprefix(learner).lstrip(" ._/-"))


def _are_distinct(keys: Sequence[Any]) -> bool:
    return len(set(keys)) == len(keys)


def _run_name(path: Path) -> str:
    """What a run is called after: its file, or its folder where the file's name is that of a logger."""
    match = TAGGED.fullmatch(task_name(path))
    name = task_name(path) if match is None else match["run"]
    return path.parent.name if name.lower() in ("metrics", "log", "logs", "history", "training", "progress") else name


_DATE = re.compile(r"_\d{4}-\d\d-\d\dT[\d.:-]+$")  # the time at which a harness wrote its file


def files_in(folder: Path) -> tuple[list[Path], dict[str, list[Path]]]:
    """Return the files in a folder itself, or those of each subfolder: results of a harness, else tables.

    Tables may lie one level deeper, in one subfolder per run or data set.
    """
    for what, endings in (("results", JSON_LINES), ("tables", TABLES)):
        own = _files(folder, endings)
        below = {each.name: found for each in subfolders(folder) if (found := _files_below(each, endings))}
        if own and below:
            raise InputError(
                f"the folder has {own[0].name} and subfolders with {what}: {listed(list(below)[:3])}.",
                str(folder),
                "keep all files in the folder, or those of a learner in its subfolder; or name them: one per model.",
            )
        if own or below:
            return own, below
    raise InputError(
        f"the folder has no file that bestofk reads there: {', '.join((*TABLES, *JSON_LINES))}, nor a "
        "log (.json, .eval) of a program that it knows.",
        str(folder),
        "name a file, or a folder with one file per model or run, or a subfolder of them per learner.",
    )


def _files(folder: Path, endings: tuple[str, ...]) -> list[Path]:
    """Files that end so, by name; each may be compressed."""
    named = (each for each in folder.iterdir() if ends(each.name, endings))
    return sorted(each for each in named if each.is_file() and not each.name.startswith("."))


def _files_below(folder: Path, endings: tuple[str, ...]) -> list[Path]:
    own = _files(folder, endings)
    inner = subfolders(folder) if endings == TABLES else []
    below = [path for each in inner for path in _files(each, endings)]
    if own and below:
        raise InputError(
            f"{folder.name} has {own[0].name} and subfolders with tables, such as {below[0].parent.name}.",
            str(folder.parent),
            "put the tables of a learner's runs side by side, or one into a subfolder each.",
        )
    return own or below


def subfolders(folder: Path) -> list[Path]:
    """Return the folders in a folder, except hidden ones."""
    return sorted(each for each in folder.iterdir() if each.is_dir() and not each.name.startswith("."))


def model_names(paths: Sequence[Path]) -> tuple[str, ...]:
    """Return the names of the files; those of their folders where the files of different models are called alike."""
    tasks = [task_name(path) for path in paths]
    if len(set(tasks)) == len(tasks):
        return tuple(tasks)
    names = tuple(path.resolve().parent.name for path in paths)
    for name in names:
        if names.count(name) > 1:
            same = [str(path) for path, each in zip(paths, names, strict=True) if each == name]
            raise InputError(
                f"{counted(len(same), 'file')} would be called {name!r}.",
                listed(same[:3]),
                "name the models: {model: path}, or learners=['a', 'b', …].",
            )
    return names


def task_name(path: Path) -> str:
    """Return what a file is called after: its name without suffix, and without the date that a harness adds.

    Examples
    --------
    >>> task_name(Path("samples_sums_2026-01-01T00-00-00.123456.jsonl")), task_name(Path("model-1.5.jsonl.gz"))
    ('samples_sums', 'model-1.5')
    """
    name = path.name.removesuffix(".gz")
    return _DATE.sub("", name.removesuffix(Path(name).suffix)) or name


def several_files(folder: Path, below: dict[str, list[Path]]) -> InputError:
    """The error for a model with several files of results."""
    name, files = next((name, files) for name, files in below.items() if len(files) > 1)
    shown = listed([each.name for each in files[:3]])
    return InputError(
        f"{name} has {counted(len(files), 'file')}: {shown}{' …' if files[3:] else ''}.",
        str(folder / name),
        f"give one file per model, such as those of one task: bestofk judge {folder / '*' / files[0].name}.",
    )
