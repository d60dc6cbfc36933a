"""What a name means: a file, a part of the package, a set in the folder of data, or one of OpenML, in this order."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.design.datasets.files import is_file_name
from bestofk.design.datasets.folders import ENDINGS, VARIABLE, data_folder, index_of, names_in
from bestofk.design.datasets.index import FORMS
from bestofk.design.datasets.openml import PREFIX
from bestofk.design.datasets.paper_sets import ALIASES, AUTHORS_FORMS, PAPER_SETS
from bestofk.design.datasets.shelf import DATASETS

Kind = Literal["openml", "file", "registered", "folder", "paper"]


@dataclass(frozen=True)
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
    if is_file_name(source):
        return Found("file", text)
    if "@" in text:
        return _in_a_form(text)
    for name in (text, ALIASES.get(text, text)):
        if name in DATASETS:
            return Found("registered", name)
    folder = data_folder()
    if folder is not None and _holds(folder, text):
        return Found("folder", text, folder=folder)
    if ALIASES.get(text, text) in PAPER_SETS:
        return Found("paper", ALIASES.get(text, text))
    raise unknown(text, _known(folder), what="data set", where="name of a data set")


def _holds(folder: Path, name: str) -> bool:
    index = index_of(folder)
    return name in names_in(folder) or (index is not None and name in index)


def _in_a_form(text: str) -> Found:
    """``NAME@authors`` and ``NAME@columns`` lie in the folder; the authors' form of what a rule gives needs none."""
    name, _, form = text.rpartition("@")
    where = f"data set {text}"
    if form not in FORMS:
        raise unknown(form, FORMS, what="form of a data set", where=where)
    made = ALIASES.get(name, name)
    if form == "authors" and made in AUTHORS_FORMS:
        return Found("registered", made, form)
    folder = data_folder()
    if folder is None or index_of(folder) is None:
        raise InputError(
            f"{text} lies in a folder of data with index.json, and "
            + ("none is named." if folder is None else f"{folder} has no index.json."),
            where,
            f"name the folder: {VARIABLE}=DIR, or --data DIR.",
        )
    return Found("folder", name, form, folder)


def _known(folder: Path | None) -> list[str]:
    names = {*DATASETS, *PAPER_SETS, *ALIASES, *(names_in(folder) if folder else ())}
    return [*sorted(names), f"a file ({', '.join(ENDINGS)})", "openml:ID"]
