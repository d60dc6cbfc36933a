"""What a run did and what went wrong in it, in a few lines: failures, warnings and missing measures by learner."""

from __future__ import annotations

import shlex
import warnings
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, field, replace
from pathlib import Path
from typing import Any

from bestofk.core.frozen import frozen
from bestofk.core.passwords import shown_address
from bestofk.core.phrases import counted
from bestofk.design.plan.cell import CellResult
from bestofk.stores.notes import FURTHER, SharedWork, notes_of

SHOWN = 5


@frozen
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


@frozen
class Troubles:
    """All troubles, and the versions of packages of which several were at work."""

    failures: tuple[Trouble, ...] = ()
    warnings: tuple[Trouble, ...] = ()
    unscored: tuple[Trouble, ...] = ()
    mixed: tuple[str, ...] = ()


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
            first[each.learner] = each if known is None else replace(each, count=each.count + known.count)
        else:
            first[each.learner] = replace(known, count=known.count + each.count)
    return list(first.values())


#: Seconds of compiling from which on they are worth a line.
WORTH_TELLING = 0.5


@frozen(repr=False)
class CollectReport:
    """What a run did: cells, folds and failed folds of this run, seconds, and folds that were there before.

    ``shared`` is the work that folds of the plan in the store have shared, whenever they ran; ``compiling`` are the
    seconds in which workers compiled loops for it, which are kept on disk. ``failed_in_store`` counts the failed folds
    of the plan that are in the store after the run; ``troubles`` say by learner what went wrong in them.
    """

    cells: int
    folds: int
    failures: int
    seconds: float
    resumed: int
    shared: tuple[SharedWork, ...] = ()
    failed_in_store: int = 0
    troubles: Troubles = field(default_factory=Troubles)
    compiling: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain values."""
        return {**asdict(self), "shared": [asdict(each) for each in self.shared]}

    def __repr__(self) -> str:
        failed = f", {self.failures:,} of them failed" if self.failures else ""
        were = "was" if self.resumed == 1 else "were"
        before = f"; {counted(self.resumed, 'fold')} {were} there before" if self.resumed else ""
        made = f"{counted(self.folds, 'fold')} in {counted(self.cells, 'cell')}"
        done = f"collected {made}{failed} ({self.seconds:.1f} s){before}"
        shared = sum(each.folds for each in self.shared)
        done += f"; work was shared across {shared:,} folds" if shared else ""
        done += f"; {_failed_in_words(self.failed_in_store)}" if self.failed_in_store else ""
        return "\n".join([done, *self.lines()])

    def lines(self) -> list[str]:
        """What went wrong or took its time, a line each."""
        told = (*self.troubles.failures, *self.troubles.unscored, *self.troubles.warnings)
        mixed = (f"several versions were at work, and results may differ: {each}" for each in self.troubles.mixed)
        loops = f"compiling loops took {self.compiling:.1f} s; they are kept on disk for the next run"
        return [f"  {each}" for each in (*told, *mixed, *([loops] if self.compiling >= WORTH_TELLING else []))]


def _failed_in_words(folds: int) -> str:
    if folds == 1:
        return "1 fold of this plan failed; --retry-failed runs it again"
    return f"{folds:,} folds of this plan failed; --retry-failed runs them again"


class Interrupted(KeyboardInterrupt):
    """The run was stopped; what had finished is in the store, and ``report`` says how much."""

    def __init__(self, said: str, report: CollectReport) -> None:
        super().__init__(f"{said} Run the same again to resume.")
        self.report = report


class FailedFolds(UserWarning):
    """Folds of the plan failed; the rest of the run went on."""


def warn_of_failures(report: CollectReport, store: str | Path) -> None:
    """Warn the caller's caller when folds of a plan failed: how many, why the first, and where the others stand."""
    if not report.failed_in_store:
        return
    whole = counted(report.folds + report.resumed, "fold")
    look = shlex.join(["bestofk", "store", "info", shown_address(str(store))])
    warnings.warn(
        f"{report.failed_in_store:,} of {whole} failed. {report.troubles.failures[0]}. See all: {look}, or failures of "
        "the evidence that is returned; retry_failed=True runs them again.",
        FailedFolds,
        stacklevel=3,
    )
