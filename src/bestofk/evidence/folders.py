"""Folders of results: files of models, tables of runs, one subfolder per model; and what files are called after."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from bestofk.core.errors import InputError
from bestofk.core.phrases import counted, listed

SUFFIXES = (".jsonl", ".ndjson")
#: Endings of tables in a folder of runs; each may be compressed.
TABLES = (".csv", ".tsv", ".parquet")

_DATE = re.compile(r"_\d{4}-\d\d-\d\dT[\d.:-]+$")  # the time at which a harness wrote its file


def files_of_models(folder: Path) -> dict[str, Path]:
    """Return the file of every model: those in the folder itself, or the only one of each subfolder."""
    own = _result_files(folder)
    below = {each.name: found for each in subfolders(folder) if (found := _result_files(each))}
    if own and below:
        raise InputError(
            f"the folder has {own[0].name} and subfolders with results: {listed(list(below)[:3])}.",
            str(folder),
            "name the files: one per model.",
        )
    if not own and not below:
        kinds = ", ".join((*TABLES, *SUFFIXES))
        raise InputError(
            f"the folder has no file that bestofk reads there: {kinds}.",
            str(folder),
            "name a file, or a folder with one file per model or run, or a subfolder of them per learner.",
        )
    for name, files in below.items():
        if len(files) > 1:
            raise _several_files(folder, name, below)
    return {name: files[0] for name, files in below.items()} or dict(zip(model_names(own), own, strict=True))


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


def _result_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES and path.is_file())


def subfolders(folder: Path) -> list[Path]:
    """Return the folders in a folder, except hidden ones."""
    return sorted(each for each in folder.iterdir() if each.is_dir() and not each.name.startswith("."))


def holds_runs(folder: Path) -> bool:
    """Whether a folder has tables, in itself or up to two levels below, and no results of a harness."""
    if any(_result_files(each) for each in (folder, *subfolders(folder))):
        return False
    return bool(tables_in(folder) or runs_of_learners(folder))


def tables_in(folder: Path) -> list[Path]:
    """Return the tables that lie in a folder itself, by name."""
    return sorted(path for path in folder.iterdir() if path.is_file() and is_table(path))


def is_table(path: Path) -> bool:
    """Whether a file ends as a table does.

    Examples
    --------
    >>> is_table(Path("seed1.csv.gz")), is_table(Path("README.txt"))
    (True, False)
    """
    return path.name.lower().removesuffix(".gz").endswith(TABLES) and not path.name.startswith(".")


def runs_of_learners(folder: Path) -> dict[str, list[Path]]:
    """Return the tables of every learner, which a subfolder has: in itself, or in one subfolder per run."""
    found: dict[str, list[Path]] = {}
    for each in subfolders(folder):
        own, below = tables_in(each), [path for inner in subfolders(each) for path in tables_in(inner)]
        if own and below:
            raise InputError(
                f"{each.name} has {own[0].name} and subfolders with tables, such as {below[0].parent.name}.",
                str(folder),
                "put the tables of a learner's runs side by side, or one into a subfolder each.",
            )
        if own or below:
            found[each.name] = own or below
    return found


def _several_files(folder: Path, name: str, below: dict[str, list[Path]]) -> InputError:
    files = below[name]
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
