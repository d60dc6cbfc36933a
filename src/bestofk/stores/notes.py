"""What is remarked about a cell beside its results: versions, warnings, why a measure is not there, what was shared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.frozen import frozen
from bestofk.design.plan.cell import CellResult

#: Texts that are kept of a kind; what comes later is counted under the last name.
MOST, FURTHER = 8, "further ones"


@frozen
class Notes:
    """Versions by package; how often each warning was heard; by measure, why it could not be taken and how often.

    ``shared`` names the way in which folds shared their work, empty where there is none; ``ties`` counts predictions of
    shared folds that an exact tie left open.
    """

    versions: Mapping[str, str] = field(default_factory=dict)
    warnings: Mapping[str, int] = field(default_factory=dict)
    unscored: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    shared: str = ""
    ties: int = 0

    def __bool__(self) -> bool:
        return bool(self.versions or self.warnings or self.unscored or self.shared)

    @staticmethod
    def of_dict(kept: dict[str, Any]) -> Notes:
        """Return the notes that ``to_dict`` gave; ValueError for anything else."""
        notes = Notes(**kept)
        counts = (notes.warnings, *notes.unscored.values(), {"ties": notes.ties})
        words = (*notes.versions.values(), notes.shared)
        if not (_all(str, words) and all(_all(int, each.values()) for each in counts)):
            raise ValueError("no notes")
        return notes

    def to_dict(self) -> dict[str, Any]:
        """Return what there is as plain values."""
        unscored = {name: dict(reasons) for name, reasons in self.unscored.items()}
        parts: dict[str, Any] = {"versions": dict(self.versions), "warnings": dict(self.warnings), "unscored": unscored}
        parts |= {"shared": self.shared, "ties": self.ties}
        return {name: part for name, part in parts.items() if part}


def _all(kind: type, values: Iterable[Any]) -> bool:
    return all(isinstance(each, kind) for each in values)


@frozen(eq=False)
class NotedCell(CellResult):
    """Results of a cell with what was remarked while it ran."""

    notes: Notes = field(default_factory=Notes)


def notes_of(cell: CellResult) -> Notes:
    """Return what was remarked about a cell; nothing for one that came without."""
    return cell.notes if isinstance(cell, NotedCell) else Notes()


def notes_together(notes: Iterable[Notes]) -> Notes:
    """Add the counts of several cells; of versions the first, for they ran in one process."""
    notes = list(notes)
    unscored: dict[str, Counter[str]] = {}
    for each in notes:
        for name, reasons in each.unscored.items():
            unscored.setdefault(name, Counter()).update(reasons)
    warnings: Counter[str] = Counter()
    for each in notes:
        warnings.update(each.warnings)
    versions = next((each.versions for each in notes if each.versions), {})
    shared = next((each.shared for each in notes if each.shared), "")
    ties = sum(each.ties for each in notes)
    return Notes(versions, few(warnings), {name: few(reasons) for name, reasons in unscored.items()}, shared, ties)


def few(counts: Mapping[str, int]) -> dict[str, int]:
    """Keep the first texts by themselves, all others under one name."""
    kept = {text: count for text, count in counts.items() if text != FURTHER}
    first = dict(list(kept.items())[:MOST])
    further = sum(counts.values()) - sum(first.values())
    return first | ({FURTHER: further} if further else {})


@frozen
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
    told = "fit_time, predict_time and size are means of the folds that ran by themselves"
    return [*(f"work was shared across folds, with the same predictions: {each}" for each in works), told]
