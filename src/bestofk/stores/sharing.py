"""What was shared across folds in the cells of a store, by learner and way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.design.plan.cell import CellResult
from bestofk.stores.notes import notes_of

#: Costs of which shared folds have none of their own.
COSTS = "fit_time, predict_time and size"


@dataclass(frozen=True)
class SharedWork:
    """Folds of a learner that were had together: ``folds`` of ``total`` on ``datasets``, and predictions in ties."""

    learner: str
    way: str
    folds: int
    total: int
    ties: int
    datasets: tuple[str, ...]

    def __str__(self) -> str:
        where = self.datasets[0] if len(self.datasets) == 1 else f"{len(self.datasets)} data sets"
        ties = f", {self.ties:,} predictions in exact ties (the lowest row wins)" if self.ties else ""
        return f"{self.learner}: {self.folds:,} of {self.total:,} folds on {where} shared ({self.way}){ties}"


def shared_places(cell: CellResult) -> npt.NDArray[np.bool_]:
    """Which folds of a cell were shared: those that did not fail and have no time of their own."""
    return ~cell.failed_folds & np.isnan(cell.fit_seconds) & bool(notes_of(cell).shared)


@dataclass
class SharedCells:
    """Adds up what was shared while cells pass by."""

    _found: dict[tuple[str, str], dict[str, int]] = field(default_factory=dict)
    _places: dict[tuple[str, str], dict[str, None]] = field(default_factory=dict)

    def through(self, cells: Iterable[CellResult]) -> Iterator[CellResult]:
        """Give cells on as they are."""
        for cell in cells:
            self.add(cell)
            yield cell

    def add(self, cell: CellResult) -> None:
        """Count one cell."""
        notes = notes_of(cell)
        if not notes.shared:
            return
        place = (cell.key.learner, notes.shared)
        counts = self._found.setdefault(place, {"folds": 0, "total": 0, "ties": 0})
        counts["folds"] += int(shared_places(cell).sum())
        counts["total"] += cell.fit_seconds.size
        counts["ties"] += notes.ties
        self._places.setdefault(place, {})[cell.key.dataset] = None

    def works(self) -> tuple[SharedWork, ...]:
        """What was shared, in the order of the learners' names."""
        return tuple(
            SharedWork(*place, counts["folds"], counts["total"], counts["ties"], tuple(sorted(self._places[place])))
            for place, counts in sorted(self._found.items())
            if counts["folds"]
        )


def mean_of_measured(values: Array) -> Array:
    """Means over the last axis of what was measured; NaN where nothing was."""
    known = ~np.isnan(values)
    totals = np.where(known, values, 0.0).sum(axis=-1)
    means: Array = np.divide(totals, known.sum(axis=-1), out=np.full_like(totals, np.nan), where=known.any(axis=-1))
    return means


def shared_in(cells: Iterable[CellResult]) -> tuple[SharedWork, ...]:
    """Say what was shared in cells."""
    found = SharedCells()
    for cell in cells:
        found.add(cell)
    return found.works()


def shared_notes(cells: Iterable[CellResult]) -> list[str]:
    """What a reader of results should know about shared work; nothing where nothing was shared."""
    works = shared_in(cells)
    if not works:
        return []
    told = f"{COSTS} are means of the folds that ran by themselves"
    return [*(f"work was shared across folds, with the same predictions: {each}" for each in works), told]
