"""The paper's 36 two-class data sets: those to be had, substitutes, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bestofk.core.names import unknown
from bestofk.core.phrases import counted, listed
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.datasets.folders import data_folder, index_of, looking_in
from bestofk.design.datasets.index import Index
from bestofk.design.datasets.shelf import DATASETS as MADE_HERE
from bestofk.replications.multivariate.published import DATASETS

#: Parts, or other windows, of the sets the authors used; no row count of theirs.
SUBSTITUTES = {"acceptors": "acceptors_part", "donors": "donors_part"}
#: Made by a rule or from counts, row for row; the two clouds are another sample of the same source.
_MADE = {"monks": "monks1", "tictactoe": "tictactoe", "titanic": "titanic"}
_DRAWN = ("ringnorm", "twonorm")
#: Where no folder has the authors' set: scikit-learn's, of the same clinic, under its own name, for it is not theirs.
STAND_INS = {"breast": "breast-cancer"}


@dataclass(frozen=True, eq=False)
class Found:
    """Data sets by the paper's names, smallest first, and in sentences what is missing or not the authors' own.

    ``positive`` has the code of the positive class.
    """

    sets: dict[str, Dataset]
    positive: dict[str, int]
    left_out: tuple[str, ...]


def paper_sets(data: str | Path | None, names: Sequence[str]) -> Found:
    """Find the sets named, all 36 when none is; ``data`` is a folder with index.json, else BESTOFK_DATA's."""
    for name in names:
        if name not in DATASETS:
            raise unknown(name, DATASETS, what="data set of the paper", where="replicate multivariate, --datasets")
    wanted = tuple(dict.fromkeys(names)) or DATASETS
    with looking_in(data):
        folder = data_folder()
        index = None if folder is None else index_of(folder) or Index.open(folder)
        found = {made.name: made for name in wanted if (made := _found(name, index)) is not None}
    ordered = dict(sorted(found.items(), key=lambda each: len(each[1].y) * len(each[1].features)))
    positive = {name: _positive(name, dataset, index) for name, dataset in ordered.items()}
    return Found(ordered, positive, _left_out(wanted, found, index))


def _positive(name: str, dataset: Dataset, index: Index | None) -> int:
    """The first class of the authors' own definition, else the rarer one, of equal ones the second.

    The paper does not say which it is. What it tells of three sets fits that rule: lda has the higher fpr on breast
    (benign is positive), n is above p' on pima (class 1), knn leads in tpr on spect (class 0).
    """
    authors = None if index is None or name not in index else index.entry(name).authors
    first = None if authors is None else next(iter(authors.classes), None)
    if first in dataset.classes:
        return dataset.classes.index(first)
    sizes = [int((dataset.y == code).sum()) for code in (0, 1)]
    return 0 if sizes[0] < sizes[1] else 1


def _found(name: str, index: Index | None) -> Dataset | None:
    stored = SUBSTITUTES.get(name, _MADE.get(name, name))
    if index is not None and stored in index:
        return replace(index.dataset(stored), name=name)
    if name in _MADE or name in _DRAWN:
        made: Dataset = MADE_HERE[_MADE.get(name, name)]()
        return replace(made, name=name)
    if name in STAND_INS:
        other: Dataset = MADE_HERE[STAND_INS[name]]()
        return replace(other, name=STAND_INS[name])
    return None


def _left_out(wanted: Sequence[str], found: dict[str, Dataset], index: Index | None) -> tuple[str, ...]:
    missing = [name for name in wanted if name not in found and STAND_INS.get(name) not in found]
    lines = []
    if missing:
        lines.append(
            f"{counted(len(missing), 'data set')} of the paper: {listed(missing)}. "
            + (
                "Not in the folder of data."
                if index is not None
                else "Give a folder that holds them (--data DIR or BESTOFK_DATA)."
            )
        )
    others = [name for name in DATASETS if name not in wanted]
    if others:
        lines.append(f"{counted(len(others), 'data set')} that were not asked for.")
    lines += [
        f"The authors' rows of {name}: ours are {stored}, of the same kind."
        for name, stored in SUBSTITUTES.items()
        if name in found
    ]
    lines += [
        f"The authors' {name}: in its place scikit-learn's {other}, other rows and columns; it is compared with "
        "nothing that they print."
        for name, other in STAND_INS.items()
        if other in found
    ]
    drawn = [name for name in _DRAWN if name in found and (index is None or name not in index)]
    lines += [f"The authors' rows of {name}: ours are another sample of the same source." for name in drawn]
    return tuple(lines)
