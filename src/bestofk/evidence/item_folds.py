"""Which items belong to which fold: by their folds and replications, else by their groups, else all together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.evidence.items import Items
from bestofk.evidence.natural_order import natural

Places = npt.NDArray[np.intp]
_ALL = ("1",)
#: What a note says of columns that name the folds of items.
USED_BY_ON = "--on uses"


@dataclass(frozen=True, eq=False)
class ItemFolds:
    """Places of the items of every fold, replications one after another, and the names of both.

    Examples
    --------
    >>> ItemFolds((np.array([0, 2]), np.array([1, 3])), ("1",), ("a", "b")).shape
    (1, 2)
    """

    places: tuple[Places, ...]
    replications: tuple[str, ...]
    folds: tuple[str, ...]

    @property
    def shape(self) -> tuple[int, int]:
        """Replications, and folds of each."""
        return len(self.replications), len(self.folds)

    def name_of(self, number: int) -> str:
        """A fold in words."""
        replication, fold = divmod(number, len(self.folds))
        several = f"replication {self.replications[replication]}, " if len(self.replications) > 1 else ""
        return f"{several}fold {self.folds[fold]}"


def item_folds(items: Items) -> ItemFolds:
    """Items of each fold, in the order of their names as in Scores; every replication has to have all of them."""
    if items.fold_fault is not None:
        raise InputError(*items.fold_fault)
    number = len(items.items)
    fold = items.folds if items.folds is not None or items.replications is not None else items.groups
    names = fold or _ALL * number
    replication = items.replications or _ALL * number
    folds, replications = (tuple(sorted(set(each), key=natural)) for each in (names, replication))
    place = {name: at for at, name in enumerate(folds)}
    start = {name: at * len(folds) for at, name in enumerate(replications)}
    codes = np.array([start[r] + place[f] for r, f in zip(replication, names, strict=True)])
    sizes = np.bincount(codes, minlength=len(folds) * len(replications))
    places = np.split(np.argsort(codes, kind="stable"), np.cumsum(sizes)[:-1])
    made = ItemFolds(tuple(places), replications, folds)
    _refuse_empty(made, items)
    return made


def has_folds(items: Items) -> bool:
    """Whether items are of two folds or more; a fault in the column that names them is for ``item_folds`` to tell."""
    if items.fold_fault is not None:
        return True
    named = (each for each in (items.folds, items.replications, items.groups) if each is not None)
    return any(len(set(each)) > 1 for each in named)


def _refuse_empty(made: ItemFolds, items: Items) -> None:
    empty = next((number for number, places in enumerate(made.places) if not places.size), None)
    if empty is not None:
        raise InputError(
            f"{made.name_of(empty)} has no item; there are {counted(made.shape[0], 'replication')} of "
            f"{counted(made.shape[1], 'fold')}.",
            items.origin.source,
            "give every replication the same folds, under the same names.",
        )
