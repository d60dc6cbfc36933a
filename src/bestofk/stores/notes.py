"""What is remarked about a cell beside its results: versions, warnings, why a measure is not there, what was shared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from bestofk.design.plan.cell import CellResult

#: Texts that are kept of a kind; what comes later is counted under the last name.
MOST, FURTHER = 8, "further ones"


@dataclass(frozen=True)
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

    def to_dict(self) -> dict[str, Any]:
        """Return what there is as plain values."""
        unscored = {name: dict(reasons) for name, reasons in self.unscored.items()}
        parts: dict[str, Any] = {"versions": dict(self.versions), "warnings": dict(self.warnings), "unscored": unscored}
        parts |= {"shared": self.shared, "ties": self.ties}
        return {name: part for name, part in parts.items() if part}


@dataclass(frozen=True, eq=False)
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
