"""What went wrong in the cells of a plan, in a few lines: failures, warnings and missing measures by learner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bestofk.core.phrases import counted
from bestofk.design.plan.cell import CellResult
from bestofk.stores.notes import FURTHER, notes_of
from bestofk.stores.store import Store

SHOWN = 5


@dataclass(frozen=True)
class Trouble:
    """What happened to a learner, how often, on which data sets; ``kind`` is failure, warning or the measure's name."""

    learner: str
    kind: str
    reason: str
    count: int
    datasets: tuple[str, ...]

    def __str__(self) -> str:
        many = len(self.datasets) > SHOWN
        where = ", ".join(self.datasets[:SHOWN]) + (f" and {len(self.datasets) - SHOWN} more" if many else "")
        lacking = f"{counted(self.count, 'fold')} without {self.kind}"
        nouns = {"failure": "failed fold", "warning": "warning"}
        what = counted(self.count, nouns[self.kind]) if self.kind in nouns else lacking
        return f"{self.learner}: {what} on {where}: {self.reason}"


@dataclass(frozen=True)
class Troubles:
    """All troubles, and the versions of packages of which several were at work."""

    failures: tuple[Trouble, ...] = ()
    warnings: tuple[Trouble, ...] = ()
    unscored: tuple[Trouble, ...] = ()
    mixed: tuple[str, ...] = ()


def troubles_in(store: Store, series: Sequence[str] | None = None) -> Troubles:
    """Look through cells of a store."""
    return troubles_of(store.read(series))


def troubles_of(cells: Iterable[CellResult]) -> Troubles:
    """Group what went wrong in cells by learner and reason, the most frequent first."""
    counts: Counter[tuple[str, str, str]] = Counter()
    places: dict[tuple[str, str, str], dict[str, None]] = {}
    versions: dict[str, dict[str, None]] = {}
    for cell in cells:
        for kind, reason, count in _of_cell(cell):
            place = (cell.key.learner, kind, reason)
            counts[place] += count
            places.setdefault(place, {})[cell.key.dataset] = None
        for package, version in notes_of(cell).versions.items():
            versions.setdefault(package, {})[version] = None
    found = [Trouble(*place, count, tuple(sorted(places[place]))) for place, count in counts.most_common()]
    return Troubles(
        tuple(each for each in found if each.kind == "failure"),
        tuple(_first_of_each(each for each in found if each.kind == "warning")),
        tuple(each for each in found if each.kind not in ("failure", "warning")),
        tuple(f"{package} {' and '.join(sorted(known))}" for package, known in versions.items() if len(known) > 1),
    )


def _of_cell(cell: CellResult) -> Iterable[tuple[str, str, int]]:
    if cell.failed:
        yield from (("failure", reason.splitlines()[-1], 1) for line in cell.failures for reason in line if reason)
    notes = notes_of(cell)
    yield from (("warning", text, count) for text, count in notes.warnings.items())
    for name, reasons in notes.unscored.items():
        yield from ((name, reason, count) for reason, count in reasons.items())


def _first_of_each(warnings: Iterable[Trouble]) -> list[Trouble]:
    """One line per learner: its most frequent warning, with the count of all."""
    first: dict[str, Trouble] = {}
    for each in warnings:
        known = first.get(each.learner)
        if known is None or known.reason == FURTHER:
            first[each.learner] = each if known is None else _with(each, known.count)
        else:
            first[each.learner] = _with(known, each.count)
    return list(first.values())


def _with(trouble: Trouble, more: int) -> Trouble:
    return Trouble(trouble.learner, trouble.kind, trouble.reason, trouble.count + more, trouble.datasets)
