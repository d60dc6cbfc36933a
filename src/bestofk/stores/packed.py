"""What stores of packed cells have in common: reading is unpacking."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from bestofk.core.errors import InputError
from bestofk.design.plan.cell import CellKey, CellResult
from bestofk.stores.packing import unpack
from bestofk.stores.store import Finished, PlanRecord


@dataclass(frozen=True)
class Packed:
    """A cell as it lies in the store: the results still in bytes."""

    key: CellKey
    failed: int
    blob: bytes


class PackedStore(ABC):
    """Base of the stores that keep cells as bytes; usable in a ``with`` statement."""

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

    @abstractmethod
    def write(self, results: Sequence[CellResult]) -> None:
        """Add cells in one transaction; the same id replaces, other replications that are there are cut off."""

    @abstractmethod
    def remove(self, ids: Sequence[str]) -> None:
        """Take cells out, so that they run again; ids that are not there are no fault."""

    @abstractmethod
    def packed(self, series: Sequence[str] | None = None) -> Iterator[Packed]:
        """Cells with their bytes, sorted by series, start and stop; a snapshot of the moment of the first one."""

    @abstractmethod
    def close(self) -> None:
        """Let go of files and connections."""

    def read(self, series: Sequence[str] | None = None) -> Iterator[CellResult]:
        """Cells with their results, of these series or of all, sorted by series, start and stop."""
        return (unpack(each.key, each.blob, where=self.url) for each in self.packed(series))

    def faults(self) -> list[str]:
        """Faults of the medium itself, empty where there are none."""
        return []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def parts_of_id(id: str, *, where: str) -> tuple[str, int, int]:
    """Return the series and the replications of a cell's id."""
    parts = id.split(":") if isinstance(id, str) else []
    if len(parts) != 3 or not (parts[1].isdecimal() and parts[2].isdecimal()):
        raise InputError(f"{id!r} is no id of a cell.", where, "give ids as CellKey.id has them: series:start:stop.")
    return parts[0], int(parts[1]), int(parts[2])


def closed_error(url: str) -> InputError:
    """The three lines for a store that is used after it was closed."""
    return InputError("the store is closed.", url, "open it again: open_store(...).")
