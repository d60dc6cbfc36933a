"""What every store can do."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Protocol

from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen

if TYPE_CHECKING:
    from bestofk.design.plan.cell import CellKey, CellResult

#: "bkst", in the header of an SQLite file, where other programs can read what the file is.
SQLITE_APPLICATION = 0x626B7374


@frozen
class PlanRecord:
    """A plan as it is kept: ``text`` is its canonical form, ``locked`` when it was fixed before any result, if it was.

    Times are ISO 8601 in UTC.
    """

    fingerprint: str
    text: str
    created: str
    locked: str | None = None

    @staticmethod
    def of_text(text: str, created: str, locked: str | None = None) -> PlanRecord:
        """Return the record of a plan by its text."""
        return PlanRecord(sha256(text.encode()).hexdigest(), text, created, locked)

    @property
    def whole(self) -> bool:
        """Whether the text is the one of its fingerprint."""
        return isinstance(self.text, str) and sha256(self.text.encode()).hexdigest() == self.fingerprint


@frozen
class Finished:
    """A cell that is in the store, and how many of its folds failed."""

    key: CellKey
    failed: int


def is_time(value: object) -> bool:
    """Whether a value is a moment as stores write it: ISO 8601 with its zone.

    Examples
    --------
    >>> is_time("2026-01-01T00:00:00+00:00"), is_time("2026"), is_time("x")
    (True, False, False)
    """
    try:
        return isinstance(value, str) and datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False


def by_series(finished: Iterable[Finished]) -> dict[str, list[Finished]]:
    """Cells of a store by the series that they belong to."""
    found: dict[str, list[Finished]] = {}
    for each in finished:
        found.setdefault(each.key.series, []).append(each)
    return found


class Store(Protocol):
    """Keeps plans and cells. ``write`` returns when the cells are safe: what it acknowledged survives any crash."""

    @property
    @abstractmethod
    def url(self) -> str:
        """Where it is, as the user named it (a password is left out)."""

    @abstractmethod
    def record_plan(self, plan: PlanRecord) -> None:
        """Keep a plan; the same fingerprint again changes nothing but a lock that was not there."""

    @abstractmethod
    def plans(self) -> list[PlanRecord]:
        """All plans, oldest first."""

    @abstractmethod
    def forget_plan(self, fingerprint: str) -> None:
        """Take a plan out; its cells stay, and one that is not there is no fault."""

    @abstractmethod
    def alone(self) -> AbstractContextManager[None]:
        """While it lasts nobody else can record a plan: plans that were read inside are all that there are."""

    @abstractmethod
    def finished(self, series: Sequence[str] | None = None) -> list[Finished]:
        """Cells in the store, of these series or of all, without their results."""

    def claim(self, series: str) -> bool:
        """Keep other runs from a series until it is released or the store is closed; False where another has it.

        Where there is but one writer, nobody else can have it.
        """
        return True

    def release(self, series: str) -> None:
        """Let other runs have a series that was claimed."""
        return

    @abstractmethod
    def write(self, results: Sequence[CellResult]) -> None:
        """Add cells in one transaction, so that every replication of a series is there once.

        A cell with the same id replaces the old one. Of any other, the replications that some cell has already are cut
        off, and the rest is kept as cells of its own (``bestofk.stores.packed_store.trimmed``).
        """

    @abstractmethod
    def remove(self, ids: Sequence[str]) -> None:
        """Take cells out, so that they run again."""

    @abstractmethod
    def read(self, series: Sequence[str] | None = None) -> Iterator[CellResult]:
        """Cells with their results, of these series or of all, in the order of series and replications."""

    @abstractmethod
    def close(self) -> None:
        """Let go of files and connections."""


def too_new(what: str, version: int, known: int, where: str) -> InputError:
    """The error of what a later version has written: what this one reads there may mean something else."""
    return InputError(
        f"{what} was written by a newer bestofk (format {version}, this one knows {known}).",
        where,
        "install that version of bestofk or a later one.",
    )
