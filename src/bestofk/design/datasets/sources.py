"""The door of all data sets: a name, arrays, a data frame, a file, an OpenML id; what a name means, and what is known.

Known of a data set are shape, types, classes, missing values, licence, and where it comes from.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from bestofk.core.errors import BestOfKError, InputError, glimpse
from bestofk.core.frozen import frozen
from bestofk.core.names import unknown
from bestofk.core.options import flag_of
from bestofk.design.datasets import files
from bestofk.design.datasets.arrays import dataset_of_arrays, table_of_frame
from bestofk.design.datasets.by_rule import SOURCE
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.datasets.index import FORMS, Entry, Index
from bestofk.design.datasets.openml import PREFIX, dataset_of_openml, fetched_set
from bestofk.design.datasets.paper_sets import ALIASES, AUTHORS_FORMS, PAPER_SETS, as_authors_used
from bestofk.design.datasets.shelf import DATASETS
from bestofk.design.datasets.table import Wishes, dataset_of_table
from bestofk.tables.frames import is_frame


def dataset_of(
    source: Any,
    *,
    name: str | None = None,
    target: str | None = None,
    groups: Any = None,
    ordered: bool = False,
    nominal: Sequence[str] = (),
    drop: Sequence[str] = (),
    task: str | None = None,
) -> Dataset:
    """Return the data set of a name, ``(X, y)``, a data frame, a file, or ``openml:ID``.

    A name is looked up in the package, then in the folder of data (``BESTOFK_DATA``), then among the papers' sets that
    OpenML has. ``NAME@authors`` is a set of the folder as the papers' authors used it.

    ``target`` names the column to be learnt; without it, the one called class, target, label or y. ``groups`` is a
    column or one value per row: rows of a group stay together in folds. ``ordered`` says that rows are in the order of
    time. Text, true and false are nominal, numbers are numbers; ``nominal`` names number columns that are categories,
    or texts to keep though most rows differ; ``drop`` names columns to leave out. ``task`` settles whether a target of
    many whole numbers is classified or regressed.

    Examples
    --------
    >>> data = dataset_of(([[1.0, "a"], [2.0, "b"], [3.0, "a"]], ["no", "yes", "no"]), name="toy")
    >>> data.classes, [feature.nominal for feature in data.features]
    (('no', 'yes'), [False, True])
    """
    ordered = flag_of(ordered, name="ordered", where="dataset_of")
    wishes = Wishes(name, target, groups, ordered, _names(nominal, "nominal"), _names(drop, "drop"), task)
    if isinstance(source, Dataset):
        return _renamed(source, wishes)
    if isinstance(source, str | os.PathLike):
        return _of_text(source, wishes)
    if isinstance(source, tuple | list) and len(source) == 2:
        return dataset_of_arrays(source[0], source[1], wishes)
    if hasattr(source, "data") and hasattr(source, "target") and hasattr(source, "feature_names"):
        return dataset_of_arrays(source.data, source.target, wishes, names=source.feature_names)
    if is_frame(source):
        return dataset_of_table(table_of_frame(source, name or "data"), wishes)
    raise InputError(
        f"{glimpse(source)} is no data set.",
        f"data set {name or ''}".strip(),
        "give a name, (X, y), a data frame with target=, a file, or openml:ID.",
    )


def _of_text(source: str | os.PathLike[str], wishes: Wishes) -> Dataset:
    found = find(source)
    if found.kind == "openml":
        return dataset_of_openml(found.name, wishes)
    if found.kind == "file":
        return dataset_of_table(files.table_of_file(Path(found.name), wishes), wishes)
    if found.kind == "paper":
        return _of_paper(os.fspath(source), found, wishes)
    named = replace(wishes, name=wishes.name or os.fspath(source))
    if found.kind == "folder" and found.folder is not None:
        return _of_folder(found.folder, found, named)
    dataset: Dataset = DATASETS[found.name]()
    return _renamed(as_authors_used(dataset, AUTHORS_FORMS[found.name]) if found.form else dataset, named)


def _of_folder(folder: Path, found: Found, wishes: Wishes) -> Dataset:
    index = files.index_of(folder)
    if index is not None and (found.form or found.name in index):
        return _renamed(index.dataset(found.name, found.form or "columns"), wishes)
    return files.dataset_of_file_in(folder, found.name, wishes)


def _of_paper(text: str, found: Found, wishes: Wishes) -> Dataset:
    """A set of the papers that neither the package nor a folder has: OpenML's copy, if it is the same."""
    try:
        return dataset_of_openml(f"{PREFIX}{PAPER_SETS[found.name].openml}", replace(wishes, name=wishes.name or text))
    except InputError as error:
        fix = f"name a folder of data that holds {text} ({files.VARIABLE}=DIR, --data DIR), or {error.fix}"
        raise InputError(error.wrong, f"data set {text}, {error.where}", fix) from None


def _renamed(dataset: Dataset, wishes: Wishes) -> Dataset:
    """A data set that is made already takes another name; its columns are settled."""
    given = (wishes.target not in (None, dataset.target), wishes.groups is not None, wishes.nominal, wishes.drop)
    if any(given) or wishes.task not in (None, dataset.task):
        raise InputError(
            f"the columns of {dataset.name} are settled.",
            f"data set {dataset.name}",
            "leave out target, groups, nominal, drop and task, or give the data as (X, y).",
        )
    return replace(dataset, name=wishes.name or dataset.name, ordered=wishes.ordered or dataset.ordered)


def _names(names: Sequence[str], argument: str) -> tuple[str, ...]:
    if isinstance(names, str):
        return (names,)
    if isinstance(names, Iterable) and not isinstance(names, Mapping):
        return tuple(names)
    raise InputError(f"{argument} is {names!r}.", f"dataset_of, argument {argument}", "give names of columns.")


Kind = Literal["openml", "file", "registered", "folder", "paper"]


@frozen
class Found:
    """Where a name leads: ``name`` is the one that is known there, ``form`` what follows its @."""

    kind: Kind
    name: str
    form: str = ""
    folder: Path | None = None


def find(source: str | os.PathLike[str]) -> Found:
    """Say what a name means, or refuse it with near names."""
    text = os.fspath(source)
    if text.lower().startswith(PREFIX):
        return Found("openml", text)
    if files.is_file_name(source):
        return Found("file", text)
    if "@" in text:
        return _in_a_form(text)
    for name in (text, ALIASES.get(text, text)):
        if name in DATASETS:
            return Found("registered", name)
    folder = files.data_folder()
    if folder is not None and _holds(folder, text):
        return Found("folder", text, folder=folder)
    if ALIASES.get(text, text) in PAPER_SETS:
        return Found("paper", ALIASES.get(text, text))
    raise unknown(text, _known(folder), what="data set", where="name of a data set")


def _holds(folder: Path, name: str) -> bool:
    index = files.index_of(folder)
    return name in files.names_in(folder) or (index is not None and name in index)


def _in_a_form(text: str) -> Found:
    """``NAME@authors`` and ``NAME@columns`` lie in the folder; the authors' form of what a rule gives needs none."""
    name, _, form = text.rpartition("@")
    where = f"data set {text}"
    if form not in FORMS:
        raise unknown(form, FORMS, what="form of a data set", where=where)
    made = ALIASES.get(name, name)
    if form == "authors" and made in AUTHORS_FORMS:
        return Found("registered", made, form)
    folder = files.data_folder()
    if folder is None or files.index_of(folder) is None:
        raise InputError(
            f"{text} lies in a folder of data with index.json, and "
            + ("none is named." if folder is None else f"{folder} has no index.json."),
            where,
            f"name the folder: {files.VARIABLE}=DIR, or --data DIR.",
        )
    return Found("folder", name, form, folder)


def _known(folder: Path | None) -> list[str]:
    names = {*DATASETS, *PAPER_SETS, *ALIASES, *(files.names_in(folder) if folder else ())}
    return [*sorted(names), f"a file ({', '.join(files.TAKEN_FOR_DATA)})", "openml:ID"]


UNSAID = "not stated"
UCI = "CC BY 4.0 (UCI)"
#: Data that come with scikit-learn; what a rule or a seed gives is bestofk's own.
OWN = "MIT, as bestofk"
LICENCES = {"iris": UCI, "wine": UCI, "breast-cancer": UCI, "digits": UCI, "titanic": OWN, "diabetes": UNSAID}
RULED = f"{OWN}; the same rows at UCI: CC BY 4.0"


@frozen
class Summary:
    """One line about a data set; None where only opening it would tell."""

    name: str
    rows: int | None
    numeric: int | None
    nominal: int | None
    classes: int | None
    missing: int | None
    licence: str
    origin: str
    notes: str = ""


@frozen
class Description:
    """All about an open data set; ``columns`` have a name, a type, levels, gaps, and whether they are constant."""

    summary: Summary
    target: str
    task: str
    classes: dict[str, int]
    columns: tuple[dict[str, Any], ...]
    fingerprint: str

    def to_dict(self) -> dict[str, Any]:
        """The description as plain values."""
        told = {**asdict(self.summary), "task": self.task, "target": self.target, "classes": self.classes}
        return {**told, "fingerprint": self.fingerprint, "columns": list(self.columns)}


def describe(text: str, **options: Any) -> Description:
    """Open a data set by name, file or OpenML id, and describe it; ``options`` are those of a file in a plan."""
    dataset = dataset_of(text, **options)
    return Description(
        _summary(dataset, *_licence_and_notes(find(text), dataset)),
        dataset.target,
        dataset.task,
        {name: int((dataset.y == code).sum()) for code, name in enumerate(dataset.classes)},
        tuple(_column(feature) for feature in dataset.features),
        dataset.fingerprint,
    )


def listed() -> tuple[Summary, ...]:
    """Return a line for every name that can be used: of the package, of the folder of data, of the papers at OpenML."""
    lines = {name: _registered(name) for name in DATASETS}
    folder = files.data_folder()
    index = files.index_of(folder) if folder is not None else None
    for name in files.names_in(folder) if folder is not None else ():
        lines.setdefault(name, _of_index(index, name, str(folder)))
    for name, known in PAPER_SETS.items():
        origin = f"{PREFIX}{known.openml}"
        lines.setdefault(name, Summary(name, known.rows, None, None, known.classes, None, "see OpenML", origin))
    return tuple(lines.values())


def _registered(name: str) -> Summary:
    """A part that cannot be opened keeps its line, with the reason."""
    try:
        dataset: Dataset = DATASETS[name]()
    except (BestOfKError, ImportError) as error:
        reason = f"cannot be opened: {getattr(error, 'wrong', error)}"
        return Summary(name, None, None, None, None, None, UNSAID, "package", reason)
    return _summary(dataset, *_licence_and_notes(Found("registered", name), dataset))


def _of_index(index: Index | None, name: str, folder: str) -> Summary:
    if index is None or name not in index:
        return Summary(name, None, None, None, None, None, UNSAID, folder)
    entry = index.entry(name)
    numeric, nominal = entry.types.count("n"), entry.types.count("c")
    licence, notes = entry.licence or UNSAID, _notes(entry)
    return Summary(name, entry.rows, numeric, nominal, len(entry.classes), entry.missing, licence, folder, notes)


def _summary(dataset: Dataset, licence: str, notes: str) -> Summary:
    nominal = sum(feature.nominal for feature in dataset.features)
    missing = sum(int(np.isnan(feature.values).sum()) for feature in dataset.features)
    shape = (dataset.rows, len(dataset.features) - nominal, nominal, len(dataset.classes) or None)
    return Summary(dataset.name, *shape, missing, licence, dataset.source, notes)


def _licence_and_notes(found: Found, dataset: Dataset) -> tuple[str, str]:
    if found.kind == "registered":
        own = RULED if dataset.source == SOURCE else OWN
        licence = LICENCES.get(found.name, own) if DATASETS.owns(found.name) else UNSAID
        return licence, _first_line(found.name)
    if found.kind in ("openml", "paper"):
        said = fetched_set(dataset.source).described.get("licence")
        return str(said or UNSAID), ""
    index = files.index_of(found.folder) if found.folder is not None else None
    if index is None or found.name not in index:
        return UNSAID, ""
    entry = index.entry(found.name)
    return entry.licence or UNSAID, _notes(entry)


def _first_line(name: str) -> str:
    return (inspect.getdoc(DATASETS[name]) or "").split("\n")[0]


def _notes(entry: Entry) -> str:
    also = f"also called {', '.join(entry.aliases)}" if entry.aliases else ""
    return "; ".join(part for part in (entry.notes, also) if part)


def _column(feature: Feature) -> dict[str, Any]:
    known = feature.values[~np.isnan(feature.values)]
    return {
        "name": feature.name,
        "type": "nominal" if feature.nominal else "numeric",
        "levels": list(feature.categories),
        "missing": len(feature.values) - len(known),
        "constant": len(np.unique(known)) < 2,
    }
