"""A store in memory: for trying things out and for tests; gone with the process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from threading import RLock

from bestofk.design.plan.cell import CellResult
from bestofk.stores.packed_store import Packed, PackedStore, packed, trimmed
from bestofk.stores.store import Finished, PlanRecord


class MemoryStore(PackedStore):
    """Cells and plans in dictionaries. Cells are packed all the same: what was written cannot be changed from outside.

    ``imported`` says that the cells are those of a plain table, of which nobody can collect more.

    Examples
    --------
    >>> MemoryStore().finished()
    []
    """

    def __init__(self, *, imported: bool = False) -> None:
        self.imported = imported
        self._plans: dict[str, PlanRecord] = {}
        self._cells: dict[str, Packed] = {}
        self._guard = RLock()
        self._open = True

    @property
    def url(self) -> str:
        """Always ``memory:``."""
        return "memory:"

    def record_plan(self, plan: PlanRecord) -> None:
        """Keep a plan; the same fingerprint again changes nothing but a lock that was not there."""
        self._check_open()
        with self._guard:
            known = self._plans.setdefault(plan.fingerprint, plan)
            self._plans[plan.fingerprint] = replace(known, locked=known.locked or plan.locked)

    def plans(self) -> list[PlanRecord]:
        """All plans, oldest first."""
        self._check_open()
        return sorted(self._plans.values(), key=lambda plan: (plan.created, plan.fingerprint))

    def forget_plan(self, fingerprint: str) -> None:
        """Take a plan out; its cells stay, and one that is not there is no fault."""
        self._check_open()
        with self._guard:
            self._plans.pop(fingerprint, None)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """While it lasts nobody else can record a plan: other threads wait."""
        self._check_open()
        with self._guard:
            yield

    def finished(self, series: Sequence[str] | None = None) -> list[Finished]:
        """Cells in the store, of these series or of all, without their results."""
        return [Finished(each.key, each.failed) for each in self.packed(series)]

    def write(self, results: Sequence[CellResult]) -> None:
        """Add all cells or none; the same id replaces, other replications that are there are cut off."""
        self._check_open()
        new = packed(results)
        series = {each.key.series for each in new}
        with self._guard:
            there = [self._parts_of_id(id) for id in self._cells if id.partition(":")[0] in series]
            self._cells |= {each.key.id: each for each in trimmed(new, there, where=self.url)}

    def remove(self, ids: Sequence[str]) -> None:
        """Take cells out, so that they run again; ids that are not there are no fault."""
        self._check_open()
        for id in ids:
            self._parts_of_id(id)
        with self._guard:
            for id in ids:
                self._cells.pop(id, None)

    def packed(self, series: Sequence[str] | None = None) -> Iterator[Packed]:
        """Cells with their bytes, sorted by series, start and stop."""
        self._check_open()
        wanted = None if series is None else set(series)
        with self._guard:
            cells = [(each.key.series, each.key.start, each.key.stop, each) for each in self._cells.values()]
        chosen = [cell for cell in cells if wanted is None or cell[0] in wanted]
        return iter([cell[3] for cell in sorted(chosen, key=lambda cell: cell[:3])])

    def close(self) -> None:
        """Forget everything."""
        self._cells, self._plans, self._open = {}, {}, False

    def _check_open(self) -> None:
        if not self._open:
            raise self._closed()
