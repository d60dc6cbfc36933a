"""What is known of a data set: shape, types, classes, missing values, licence, where it comes from."""

from __future__ import annotations

import inspect
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from bestofk.core.errors import BestOfKError
from bestofk.design.datasets.by_rule import SOURCE
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.datasets.files import data_folder, index_of, names_in
from bestofk.design.datasets.index import Entry, Index
from bestofk.design.datasets.openml import PREFIX, fetched_set
from bestofk.design.datasets.paper_sets import PAPER_SETS
from bestofk.design.datasets.shelf import DATASETS
from bestofk.design.datasets.sources import Found, dataset_of, find

UCI = "CC BY 4.0 (UCI)"
#: Data that come with scikit-learn; what a rule or a seed gives is bestofk's own.
OWN = "MIT, as bestofk"
LICENCES = {"iris": UCI, "wine": UCI, "breast-cancer": UCI, "digits": UCI, "titanic": OWN}
RULED = f"{OWN}; the same rows at UCI: CC BY 4.0"
UNSAID = "not stated"


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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
    folder = data_folder()
    index = index_of(folder) if folder is not None else None
    for name in names_in(folder) if folder is not None else ():
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
        made = dataset.source.startswith(("generated", "drawn"))
        own = RULED if dataset.source == SOURCE else OWN if made else UNSAID
        return LICENCES.get(found.name, own), _first_line(found.name)
    if found.kind in ("openml", "paper"):
        said = fetched_set(dataset.source).described.get("licence")
        return str(said or UNSAID), ""
    index = index_of(found.folder) if found.folder is not None else None
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
