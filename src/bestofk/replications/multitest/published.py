"""What the paper prints, and its data sets: from a folder, made by rule or from scikit-learn; what cannot be had."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.names import unknown
from bestofk.core.phrases import counted, listed
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.datasets.index import Index
from bestofk.design.datasets.openml import PREFIX, dataset_of_openml
from bestofk.design.datasets.paper_sets import ALIASES, AUTHORS_FORMS, PAPER_SETS, AuthorsForm, as_authors_used
from bestofk.design.datasets.shelf import DATASETS
from bestofk.design.datasets.table import Wishes
from bestofk.replications.replication import asked_sets, index_in, not_asked_for, other_rows

#: Names of the learners in the tables, in the paper's prior order, simplest first.
LEARNERS = ("MAX", "NMC", "LGC", "C4.5", "NN")
#: Runs behind every figure: Table 3 adds up to 30 data sets × 1,000 runs.
RUNS = 1000


@frozen
class Figure:
    """Mean and standard deviation over folds of a learner's error on a data set, in percent."""

    dataset: str
    learner: str
    mean: float
    sd: float


def rows_of(table: int) -> list[dict[str, str]]:
    """Rows of a published table (1, 2 or 3), every field as printed."""
    if table not in (1, 2, 3):
        raise unknown(str(table), ("1", "2", "3"), what="table", where="the figures of the MultiTest paper")
    text = files(__package__).joinpath("published", f"multitest_table{table}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


@cache
def table1_figures() -> dict[tuple[str, str], Figure]:
    """Table 1 by data set and learner.

    Examples
    --------
    >>> table1_figures()["iris", "NMC"]
    Figure(dataset='iris', learner='NMC', mean=13.59, sd=3.53)
    """
    figures = (
        Figure(row["dataset"], row["learner"], float(row["mean_error_percent"]), float(row["sd_error_percent"]))
        for row in rows_of(1)
    )
    return {(figure.dataset, figure.learner): figure for figure in figures}


def dataset_names() -> tuple[str, ...]:
    """The thirty data sets in the order of Table 1."""
    return tuple(dict.fromkeys(name for name, _ in table1_figures()))


# Its data sets.


#: Instead of a folder: fetch what is not at hand.
OPENML = "openml"
#: Sets of Table 1 that scikit-learn brings, and the one that a rule draws: another sample of the same source.
_AT_HAND = ("iris", "wine")
_DRAWN = ("wave",)


@frozen(eq=False)
class Found:
    """Data sets by the names of Table 1, and in sentences what is missing or not the authors' own rows."""

    sets: dict[str, Dataset]
    left_out: tuple[str, ...]


def paper_sets(data: str | Path | None, names: Sequence[str]) -> Found:
    """Find the sets named, all thirty when none is; ``data`` is a folder with index.json, else BESTOFK_DATA's.

    ``data="openml"`` asks OpenML for what is not at hand, and leaves out what it does not have as the authors had it.
    """
    wanted = asked_sets(names, dataset_names(), what="data set of Table 1", where="replicate multitest, --datasets")
    if data == OPENML:
        return _with_openml(wanted)
    with index_in(data) as index:
        found = {name: made for name in wanted if (made := _found(name, index)) is not None}
    missing = _missing([name for name in wanted if name not in found])
    return Found(found, (*missing, *not_asked_for(wanted, dataset_names()), *other_rows(_DRAWN, found, index)))


def _with_openml(wanted: Sequence[str]) -> Found:
    found: dict[str, Dataset] = {}
    reasons = []
    for name in wanted:
        try:
            found[name] = _found(name, None) or from_openml(name)
        except InputError as error:
            reasons.append(f"{name}: {error.wrong}")
    return Found(found, (*reasons, *not_asked_for(wanted, dataset_names()), *other_rows(_DRAWN, found, None)))


def _found(name: str, index: Index | None) -> Dataset | None:
    if index is not None and name in index and index.entry(name).authors is not None:
        return index.dataset(name, form="authors")
    made = ALIASES.get(name, name)
    if made in AUTHORS_FORMS:
        return as_authors_used(DATASETS[made](), AUTHORS_FORMS[made])
    if name in (*_AT_HAND, *_DRAWN):
        made_here: Dataset = DATASETS[name]()
        return replace(made_here, name=name)
    return None


def _missing(names: Sequence[str]) -> list[str]:
    if not names:
        return []
    return [
        f"{counted(len(names), 'data set')} of the paper: {listed(names)}. They are neither made by a rule nor in "
        "scikit-learn: give a folder that holds them (--data DIR or BESTOFK_DATA), or fetch most (--data openml)."
    ]


# Sets from OpenML, in the authors' own form: their rows, types and order of classes.


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
