"""Is everything in a store sound? Every cell is unpacked, and the laws of the house are checked on what is inside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from bestofk.core.errors import InputError
from bestofk.design.plan.cell import CellResult
from bestofk.stores.checking import place_of
from bestofk.stores.packed import PackedStore
from bestofk.stores.packing import unpack
from bestofk.stores.store import Store


@dataclass(frozen=True)
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
        for cell in _cells(store, seen.problems):
            cells, folds, failed = cells + 1, folds + cell.fit_seconds.size, failed + cell.failed
            _check_folds(cell, seen)
            _check_overlap(cell, seen)
    except InputError as error:  # the medium itself gave up: what comes behind cannot be reached
        seen.problems.append(error.wrong)
    return Verification(cells, folds, failed, tuple(seen.problems))


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
