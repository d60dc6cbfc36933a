"""Folds of a data set, made once in a process and shared by the learners that come after one another."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock

from bestofk.design.datasets.dataset import Dataset
from bestofk.design.folds.base import Fold, Folds

#: Rows of all folds that are kept; beyond it the folds that were not asked for longest go (8 bytes a row).
ROWS_KEPT = 4_000_000

_Place = tuple[str, int, int, int]
_Made = list[tuple[Fold, int]]


class SharedFolds:
    """Folds by data set, way of dividing, seed and replication, up to a number of rows.

    A way of dividing is the very object, not its name: two splitters of one name may divide differently. The object is
    kept with its folds, so that no other one can have its number meanwhile.
    """

    def __init__(self, most: int = ROWS_KEPT) -> None:
        self.most, self.rows = most, 0
        self._kept: OrderedDict[_Place, tuple[Folds, _Made]] = OrderedDict()
        self._guard = Lock()  # a worker of a cluster may have several threads

    def split(self, folds: Folds, dataset: Dataset, replication: int, seed: int) -> _Made:
        """Return the folds of one replication, each with its fingerprint."""
        place = (dataset.fingerprint, id(folds), seed, replication)
        with self._guard:
            if place in self._kept:
                self._kept.move_to_end(place)
                return self._kept[place][1]
        made = [(fold, fold.fingerprint) for fold in folds.split(dataset, replication, seed)]
        self._keep([place], folds, [made])
        return made

    def make_ready(self, folds: Folds, dataset: Dataset, replications: range, seed: int) -> None:
        """Make the folds of several replications that are not here together, where their way of dividing can."""
        many = getattr(folds, "split_many", None)
        places = [(dataset.fingerprint, id(folds), seed, replication) for replication in replications]
        if many is None or any(place in self._kept for place in places):
            return
        together = [[(fold, fold.fingerprint) for fold in made] for made in many(dataset, replications, seed)]
        self._keep(places, folds, together)

    def clear(self) -> None:
        """Forget all folds."""
        with self._guard:
            self._kept.clear()
            self.rows = 0

    def _keep(self, places: Sequence[_Place], folds: Folds, together: Sequence[_Made]) -> None:
        with self._guard:
            for place, made in zip(places, together, strict=True):
                if place not in self._kept:
                    self._kept[place] = (folds, made)
                    self.rows += _rows_of(made)
            while self.rows > self.most:
                self.rows -= _rows_of(self._kept.popitem(last=False)[1][1])


def _rows_of(made: _Made) -> int:
    return sum(len(fold.train) + len(fold.test) for fold, _ in made)


SHARED = SharedFolds()
