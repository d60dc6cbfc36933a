"""A data set of a plan as a table of settings, the same in TOML and in Python."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError, UnknownName
from bestofk.core.names import nearest
from bestofk.design.dataset import Dataset
from bestofk.design.datasets import dataset_of

#: Where the data come from; ``data`` (arrays, a data frame) is for Python alone.
SOURCES = ("dataset", "file", "openml")
#: Places that say less than that of the entry.
_NOWHERE = ("plan, learners", "name of a data set")
OPTIONS = ("target", "groups", "ordered", "nominal", "drop", "task")


def dataset_of_entry(entry: Mapping[str, Any], name: str | None, *, where: str, folder: Path | None = None) -> Dataset:
    """Return the data set of ``dict(data=frame, target="y")`` and its like; files are named from ``folder``."""
    sources = SOURCES if folder is not None else ("data", *SOURCES)
    refuse_unknown(entry, (*sources, *OPTIONS), where)
    given = [key for key in sources if key in entry]
    if len(given) > 1:
        raise InputError(f"{' and '.join(given)} are given.", where, "keep one of them.")
    options = {key: entry[key] for key in OPTIONS if key in entry}
    if "file" in entry:
        return dataset_of(_file(entry["file"], folder, where), name=name, **options)
    if "openml" in entry:
        return dataset_of(f"openml:{entry['openml']}", name=name, **options)
    return _of_source(entry, name, where, options)


def _of_source(entry: Mapping[str, Any], name: str | None, where: str, options: dict[str, Any]) -> Dataset:
    source = entry["data"] if "data" in entry else entry.get("dataset", name)
    if source is None:
        raise InputError("the data set has no data.", where, "give data=, dataset=, file= or openml=.")
    with naming_place(where):
        return dataset_of(source, name=name, **options)


@contextmanager
def naming_place(where: str) -> Iterator[None]:
    """Let the error of an unknown name say in which file and table of it the name stands."""
    try:
        yield
    except UnknownName as error:
        place = where if error.where in _NOWHERE else f"{where}, {error.where}"
        raise UnknownName(error.wrong, place, error.fix) from None


def refuse_unknown(table: Mapping[str, Any], known: tuple[str, ...], where: str) -> None:
    """Refuse a key that is not known, with a near name."""
    for key in table:
        if key not in known:
            near = nearest(str(key), known)
            hint = f"did you mean {near!r}? " if near else ""
            raise InputError(f"unknown key {key!r}.", f"{where}, key {key}", f"{hint}known: {', '.join(known)}.")


def _file(given: Any, folder: Path | None, where: str) -> Path:
    path = Path(str(given)).expanduser()
    if folder is None:
        return path
    if not (folder / path).exists():
        names = [each.name for each in folder.glob("*")] if folder.is_dir() else []
        near = nearest(path.name, names)
        hint = f"did you mean {near!r}? " if near else ""
        raise InputError(
            f"there is no file {path}.", where, f"{hint}paths count from the folder of the plan, {folder.resolve()}."
        )
    return folder / path
