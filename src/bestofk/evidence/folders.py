"""Folders of results: files of models or of runs, in the folder itself or in subfolders, and what they are named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from bestofk.core.errors import InputError
from bestofk.core.phrases import counted, listed

#: Endings of results of evaluation harnesses, one file per model.
SUFFIXES = (".jsonl", ".ndjson")
#: Endings of tables in a folder of runs.
TABLES = (".csv", ".tsv", ".parquet")

_DATE = re.compile(r"_\d{4}-\d\d-\d\dT[\d.:-]+$")  # the time at which a harness wrote its file


def files_in(folder: Path) -> tuple[list[Path], dict[str, list[Path]]]:
    """Return the files in a folder itself, or those of each subfolder: results of a harness, else tables.

    Tables may lie one level deeper, in one subfolder per run.
    """
    for what, endings in (("results", SUFFIXES), ("tables", TABLES)):
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
        f"the folder has no file that bestofk reads there: {', '.join((*TABLES, *SUFFIXES))}.",
        str(folder),
        "name a file, or a folder with one file per model or run, or a subfolder of them per learner.",
    )


def _files(folder: Path, endings: tuple[str, ...]) -> list[Path]:
    """Files that end so, by name; each may be compressed."""
    named = (each for each in folder.iterdir() if each.name.lower().removesuffix(".gz").endswith(endings))
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
    tasks = list(dict.fromkeys(task_name(path) for path in files))
    if len(tasks) == 1:
        return InputError(
            f"there are {counted(len(files), 'file')} of {tasks[0]}: {listed([each.name for each in files[:3]])}.",
            str(folder / name),
            "keep one of them, or name the files: one per model.",
        )
    dated = "_*" if task_name(files[0]) != files[0].name.removesuffix(files[0].suffix) else ""
    names = listed([task.removeprefix("samples_") for task in tasks])
    return InputError(
        f"{name} has files of {counted(len(tasks), 'task')}: {names}.",
        str(folder / name),
        f"give the files of one task: bestofk judge {folder / '*' / tasks[0]}{dated}{files[0].suffix}",
    )
