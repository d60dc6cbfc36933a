"""Is everything in a store sound, and what can still be read of a damaged one."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.design.plan.cell import CellResult
from bestofk.stores.cell_format import unpack
from bestofk.stores.cells import place_of
from bestofk.stores.memory import MemoryStore
from bestofk.stores.packed_store import PackedStore, key_of_row, plan_of_row
from bestofk.stores.sqlite.schema import connected, in_three_lines, refuse_newer
from bestofk.stores.store import PlanRecord, Store, is_time

_SERIES = "number, dataset, dataset_fingerprint, learner, learner_fingerprint, folds, seed, measures"
_GIVE_UP = 200_000  # rows in turn that cannot be read
_LAST = (1 << 63) - 1  # the largest number of a row


@frozen
class Verification:
    """What was looked at and what is wrong; ``sound`` when nothing is."""

    cells: int
    folds: int
    failed: int
    problems: tuple[str, ...]

    @property
    def sound(self) -> bool:
        """Whether there is no problem."""
        return not self.problems


@dataclass
class _Seen:
    """Folds by their fingerprints, so far, and the learner that had them first."""

    folds: dict[tuple[str, str, str, int, int], tuple[bytes, str]] = field(default_factory=dict)
    reach: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def verify_store(store: Store) -> Verification:
    """Check the medium, every cell's bytes, that learners share their folds, and that no replication is there twice."""
    seen = _Seen(problems=store.faults() if isinstance(store, PackedStore) else [])
    cells = folds = failed = 0
    try:
        for plan in store.plans():
            seen.problems += _problems_of(plan)
        for cell in _cells(store, seen.problems):
            cells, folds, failed = cells + 1, folds + cell.fit_seconds.size, failed + cell.failed
            _check_folds(cell, seen)
            _check_overlap(cell, seen)
    except InputError as error:  # the medium itself gave up: what comes behind cannot be reached
        seen.problems.append(error.wrong)
    return Verification(cells, folds, failed, tuple(seen.problems))


def _problems_of(plan: PlanRecord) -> list[str]:
    """A text that was not kept, and times that are none: what has any lock counts as fixed before its results."""
    begin = f"plan {plan.fingerprint[:12]}:"
    found = [] if plan.whole else [f"{begin} its text is not the one that was kept."]
    times = {"created": plan.created, "locked": plan.locked}
    wrong = {name: each for name, each in times.items() if each is not None and not is_time(each)}
    return [*found, *(f"{begin} it was {name} at {each}, which is no time." for name, each in wrong.items())]


def _cells(store: Store, problems: list[str]) -> Iterator[CellResult]:
    """All cells that can be read; the others are problems."""
    if not isinstance(store, PackedStore):
        yield from store.read()
        return
    for each in store.packed():
        try:
            cell = unpack(each.key, each.blob, where=store.url)
        except InputError as error:
            problems.append(f"{place_of(each.key)}: {error.wrong}")
            continue
        if cell.failed != each.failed:
            problems.append(f"{place_of(each.key)}: {cell.failed} folds failed, but {each.failed} are noted.")
        yield cell


def _check_folds(cell: CellResult, seen: _Seen) -> None:
    """Law 1: the folds of a data set are the same for all learners."""
    key = cell.key
    for row, marks in enumerate(cell.fingerprints):
        place = (key.dataset, key.dataset_fingerprint, key.folds, key.seed, key.start + row)
        first, learner = seen.folds.setdefault(place, (marks.tobytes(), key.learner))
        if first != marks.tobytes():
            seen.problems.append(
                f"{place_of(key)}: the folds of replication {key.start + row + 1} are not those of {learner}."
            )
            return


def _check_overlap(cell: CellResult, seen: _Seen) -> None:
    """Cells come in the order of their replications, so each must start where the last ended, or later."""
    key = cell.key
    if key.start < seen.reach.get(key.series, 0):
        seen.problems.append(f"{place_of(key)}: replication {key.start + 1} is in two cells.")
    seen.reach[key.series] = max(key.stop, seen.reach.get(key.series, 0))


def rescued(path: str | Path) -> MemoryStore:
    """Return a store in memory with the plans and cells of a damaged one that are whole."""
    path, rescue = Path(path), MemoryStore()
    if not path.is_file():
        raise InputError(f"there is no store {path}.", "rescuing a store", "check the name.")
    with in_three_lines(str(path)), _padded_copy(path) as copy, closing(connected(copy)) as damaged:
        refuse_newer(damaged, path)
        series = {row[0]: row[1:] for row in _rows(damaged, "series", _SERIES, "number")}
        for number, start, stop, blob in _rows(damaged, "cells", "series, start, stop, blob", "rowid"):
            with suppress(InputError, KeyError):  # bytes that are not whole, or of a series that is lost
                *about, measures = series[number]
                key = key_of_row((*about, start, stop, measures), where=str(path))
                rescue.write([unpack(key, blob, where=str(path))])
        with suppress(sqlite3.DatabaseError):
            for row in damaged.execute("SELECT fingerprint, text, created, locked FROM plans"):
                if (plan := plan_of_row(row)).whole:
                    created = plan.created if is_time(plan.created) else datetime.now(UTC).isoformat(timespec="seconds")
                    locked = plan.locked if is_time(plan.locked) else None
                    rescue.record_plan(replace(plan, created=created, locked=locked))
    return rescue


@contextmanager
def _padded_copy(path: Path) -> Iterator[Path]:
    """A copy as long as its first page says: SQLite reads nothing of a file that was cut off."""
    with TemporaryDirectory() as folder:
        copy = Path(shutil.copy(path, Path(folder, "damaged.db")))
        log = Path(f"{path}-wal")
        if log.is_file():
            shutil.copy(log, f"{copy}-wal")
        with copy.open("r+b") as file:
            start = file.read(32)
            size = int.from_bytes(start[16:18], "big") * int.from_bytes(start[28:32], "big")
            if start.startswith(b"SQLite format 3\0") and copy.stat().st_size < size:
                file.truncate(size)
        yield copy


def _rows(connection: sqlite3.Connection, table: str, columns: str, number: str) -> Iterator[tuple[Any, ...]]:
    """Each row, sought by its number, so that a damaged page costs its own rows only."""
    query = f"SELECT {number}, {columns} FROM {table} WHERE {number} >= ? ORDER BY {number} LIMIT 1"  # noqa: S608  names of ours
    row = missed = 0
    while missed < _GIVE_UP and row < _LAST:
        row, missed = row + 1, missed + 1
        try:
            found = connection.execute(query, (row,)).fetchone()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_ERROR:
                return  # there is no such table or column
            continue
        if found is None:
            return
        row, missed = max(row, found[0]), 0
        yield found[1:]
