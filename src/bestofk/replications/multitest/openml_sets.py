"""Sets of Table 1 from OpenML, in the authors' own form: their rows, types and order of classes."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from bestofk.core.errors import InputError
from bestofk.design.datasets.authors_form import as_authors_used
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.datasets.entries import AuthorsForm
from bestofk.design.datasets.openml import PREFIX, dataset_of_openml
from bestofk.design.datasets.paper_sets import PAPER_SETS
from bestofk.design.datasets.table import Wishes


@cache
def _forms() -> dict[str, dict[str, Any]]:
    text = files(__package__).joinpath("published", "authors_forms.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, Any]] = json.loads(text)
    return found


def from_openml(name: str) -> Dataset:
    """Fetch a set, or take the copy that was fetched before; another one than the authors had is refused."""
    if name not in _forms():
        raise InputError(
            "OpenML has no copy with the paper's rows and columns.", f"data set {name}", "give a folder that holds it."
        )
    form = _forms()[name]
    made = dataset_of_openml(f"{PREFIX}{PAPER_SETS[name].openml}", Wishes(name=name))
    left_out = tuple(made.features[place].name for place in form["left_out"] if place < len(made.features))
    return as_authors_used(made, AuthorsForm(form["rows"], form["types"], form["classes"], left_out))
