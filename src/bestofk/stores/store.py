"""What every store can do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from bestofk.design.plan.cell import CellKey, CellResult


@dataclass(frozen=True)
class PlanRecord:
    """A plan as it is kept: ``text`` is its canonical form, ``locked`` when it was fixed before any result, if it was.

    Times are ISO 8601 in UTC.
    """

    fingerprint: str
    text: str
    created: str
    locked: str | None = None


@dataclass(frozen=True)
class Finished:
    """A cell that is in the store, and how many of its folds failed."""

    key: CellKey
    failed: int


class Store(Protocol):
    """Keeps plans and cells. ``write`` returns when the cells are safe: what it acknowledged survives any crash."""

    @property
    def url(self) -> str:
        """Where it is, as the user named it (a password is left out)."""
        ...

    def record_plan(self, plan: PlanRecord) -> None:
        """Keep a plan; the same fingerprint again changes nothing but a lock that was not there."""
        ...

    def plans(self) -> list[PlanRecord]:
        """All plans, oldest first."""
        ...

    def forget_plan(self, fingerprint: str) -> None:
        """Take a plan out; its cells stay, and one that is not there is no fault."""
        ...

    def alone(self) -> AbstractContextManager[None]:
        """While it lasts nobody else can record a plan: plans that were read inside are all that there are."""
        ...

    def finished(self, series: Sequence[str] | None = None) -> list[Finished]:
        """Cells in the store, of these series or of all, without their results."""
        ...

    def write(self, results: Sequence[CellResult]) -> None:
        """Add cells in one transaction, so that every replication of a series is there once.

        A cell with the same id replaces the old one. Of any other, the replications that some cell has already are cut
        off, and the rest is kept as cells of its own (``bestofk.stores.overlaps.trimmed``).
        """
        ...

    def remove(self, ids: Sequence[str]) -> None:
        """Take cells out, so that they run again."""
        ...

    def read(self, series: Sequence[str] | None = None) -> Iterator[CellResult]:
        """Cells with their results, of these series or of all, in the order of series and replications."""
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...
