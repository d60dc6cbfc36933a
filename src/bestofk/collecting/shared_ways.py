"""Ways of sharing in this process: made once for a learner on a data set, and kept for the cells that follow."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np

from bestofk.collecting.failures import reason_of
from bestofk.collecting.shared_compiling import load_loops, uninterrupted
from bestofk.collecting.shared_reasons import why_loose, why_unknown
from bestofk.collecting.sharing.recognising import way_for
from bestofk.collecting.sharing.way import Way
from bestofk.design.datasets.dataset import Dataset
from bestofk.design.learners.learner import Learner

#: Bytes of arrays in all ways that are kept; beyond it those that were not asked for longest are made anew.
MOST_BYTES = 256_000_000


@dataclass(eq=False)
class Found:
    """A way, or ``why`` there is none; ``checked`` when this process has compared it with the plain way."""

    way: Way | None
    why: str = ""
    checked: bool = False
    size: int = 0
    guard: Any = field(default_factory=Lock)  # ties are counted from call to call

    def distrust(self, why: str) -> None:
        """Leave all further folds to the plain way."""
        self.way, self.why = None, why


class Ways:
    """Ways by the very learner and data set, which are kept with them so that no other ones can have their numbers."""

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.most = most
        self._kept: OrderedDict[tuple[int, int], tuple[Learner, Dataset, Found]] = OrderedDict()
        self._guard = Lock()

    def of(self, learner: Learner, dataset: Dataset) -> Found:
        """Return the way of a learner on a data set, made when first asked for."""
        place = (id(learner), id(dataset))
        with self._guard:
            if place not in self._kept:
                self._kept[place] = learner, dataset, way_or_why(learner, dataset)
            self._kept.move_to_end(place)
            return self._kept[place][2]

    def weigh(self, found: Found) -> None:
        """Take a way's size anew, for it grows with its first folds, and forget others where all are too large."""
        found.size = bytes_in(found.way)
        with self._guard:
            total = sum(each.size for *_, each in self._kept.values())
            for place in [place for place, (*_, each) in self._kept.items() if each is not found and each.way]:
                if total <= self.most:
                    return
                total -= self._kept.pop(place)[2].size

    def clear(self) -> None:
        """Forget all ways."""
        with self._guard:
            self._kept.clear()


def way_or_why(learner: Learner, dataset: Dataset) -> Found:
    """Make a way; whatever goes wrong in it is a reason for the plain way."""
    try:
        with uninterrupted():
            way = way_for(learner, dataset)
            if way is not None:
                load_loops()
    except Exception as error:
        return Found(None, f"sharing could not begin: {reason_of(error).splitlines()[-1]}")
    if way is None:
        return Found(None, why_unknown(learner))
    loose = why_loose(learner)
    return Found(None, loose) if loose else Found(way)


def bytes_in(thing: Any) -> int:
    """Bytes of the arrays that belong to a way, those of its data set aside."""
    packages = {"bestofk", _package(thing)}
    return sum({id(array): array.nbytes for array in _arrays(thing, packages, set())}.values())


def _arrays(thing: Any, packages: set[str], seen: set[int]) -> Iterator[Any]:
    if id(thing) in seen or isinstance(thing, Dataset | Learner):
        return
    seen.add(id(thing))
    if isinstance(thing, np.ndarray):
        yield thing if thing.base is None or not isinstance(thing.base, np.ndarray) else thing.base
        return
    inside: Any = ()
    if isinstance(thing, dict):
        inside = thing.values()
    elif isinstance(thing, list | tuple):
        inside = thing
    elif _package(thing) in packages and hasattr(thing, "__dict__"):
        inside = vars(thing).values()
    for each in inside:
        yield from _arrays(each, packages, seen)


def _package(thing: Any) -> str:
    return type(thing).__module__.partition(".")[0]


WAYS = Ways()
