"""What stores of packed cells have in common: rows, every replication once, and reading, which is unpacking."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.design.plan.cell import CellKey, CellResult
from bestofk.stores.cell_format import pack, unpack
from bestofk.stores.cells import lacking
from bestofk.stores.store import Finished, PlanRecord, Store, is_time

#: Columns of a key as ``key_of_row`` wants them first in a row.
KEY_COLUMNS = "dataset, dataset_fingerprint, learner, learner_fingerprint, folds, seed, start, stop, measures"
#: The same of a series, which has no replications of its own, behind its id.
SERIES_COLUMNS = f"id, {KEY_COLUMNS.replace('start, stop', '0, 1')}"
_MOST = 1 << 31  # replications
#: Series, start and stop of a cell that is in the store.
Place = tuple[str, int, int]


@frozen
class Packed:
    """A cell as it lies in the store: the results still in bytes."""

    key: CellKey
    failed: int
    blob: bytes


class PackedStore(Store):
    """Base of the stores that keep cells as bytes; usable in a ``with`` statement."""

    @abstractmethod
    def packed(self, series: Sequence[str] | None = None) -> Iterator[Packed]:
        """Cells with their bytes, sorted by series, start and stop; a snapshot of the moment of the first one."""

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

    def _parts_of_id(self, id: str) -> tuple[str, int, int]:
        """The series and the replications of a cell's id."""
        parts = id.split(":") if isinstance(id, str) else []
        if len(parts) != 3 or not (parts[1].isdecimal() and parts[2].isdecimal()):
            fix = "give ids as CellKey.id has them: series:start:stop."
            raise InputError(f"{id!r} is no id of a cell.", self.url, fix)
        return parts[0], int(parts[1]), int(parts[2])

    def _closed(self) -> InputError:
        return InputError("the store is closed.", self.url, "open it again: open_store(...).")


def series_row(key: CellKey) -> tuple[str, ...]:
    """What is the same for all cells of a series; a seed may be longer than an integer of a database."""
    return (
        *(key.dataset, key.dataset_fingerprint, key.learner, key.learner_fingerprint, key.folds),
        *(str(key.seed), key.measures),
    )


def key_of_row(row: Sequence[Any], *, where: str) -> CellKey:
    """Return the key at the start of a row; a file of others may hold anything."""
    dataset, dataset_mark, learner, learner_mark, folds, seed, start, stop, measures = row[:9]
    words = (dataset, dataset_mark, learner, learner_mark, folds, measures)
    if not all(isinstance(each, str) for each in words) or not 0 <= _number(start) < _number(stop) < _MOST:
        raise _damaged_row(where)
    try:
        return CellKey(dataset, dataset_mark, learner, learner_mark, folds, int(seed), start, stop, measures)
    except (TypeError, ValueError):
        raise _damaged_row(where) from None


def finished_of_row(row: Sequence[Any], *, where: str) -> Finished:
    """Return the cell of a row that ends with the number of failed folds."""
    if _number(row[-1]) < 0:
        raise _damaged_row(where)
    return Finished(key_of_row(row, where=where), row[-1])


def packed_of_row(row: Sequence[Any], *, where: str) -> Packed:
    """Return the cell of a row that ends with the number of failed folds and the bytes."""
    finished = finished_of_row(row[:-1], where=where)
    return Packed(finished.key, finished.failed, row[-1])


def faults_of_series(rows: Iterable[Sequence[Any]], *, where: str) -> Iterator[str]:
    """Series whose cells no run would find: their id is not that of what they are."""
    for id, *row in rows:
        with suppress(InputError):  # who reads the cells says so
            key = key_of_row(row, where=where)
            if id != key.series:
                yield f"learner {key.learner} on data set {key.dataset}: its id is {id}, and should be {key.series}."


def faults_of_meta(rows: Iterable[Sequence[Any]], *known: str) -> Iterator[str]:
    """What is said of the store itself and nobody has written, or is no time."""
    for name, value in rows:
        if name not in known:
            yield f"the store says {name} of itself, which no version has written."
        elif name == "created" and not is_time(value):
            yield f"the store was created at {value}, which is no time."


def plan_of_row(row: Sequence[Any]) -> PlanRecord:
    """Return the record of a plan; what is no text there is not whole, and tells so."""
    fingerprint, text, created, locked = row
    return PlanRecord(str(fingerprint), str(text), str(created), None if locked is None else str(locked))


def _number(value: Any) -> int:
    return value if isinstance(value, int) else -1


def _damaged_row(where: str) -> InputError:
    return InputError(
        "a row of the store is damaged.",
        where,
        "take your copy of it, or save what can be read: bestofk store merge new.db old.db --rescue.",
    )


def packed(results: Sequence[CellResult]) -> list[Packed]:
    """Return cells as a store keeps them; one that does not fit is refused."""
    return [Packed(each.key, each.failed, pack(each)) for each in results]


def trimmed(new: Sequence[Packed], there: Iterable[Place], *, where: str) -> list[Packed]:
    """Return what is to be written of new cells, given the cells of their series that are there.

    A cell with the same id replaces the old one; of any other only the replications are left that no cell has yet. Two
    runs that share a store cut the same work at different places: whichever comes first stays, and the results are
    the same.
    """
    ids: set[Place] = set()
    covered: dict[str, set[int]] = {}

    def cover(place: Place) -> None:
        ids.add(place)
        covered.setdefault(place[0], set()).update(range(*place[1:]))

    for place in there:
        cover(place)
    chosen: dict[Place, Packed] = {}
    for cell in new:
        for part in [cell] if _place(cell) in ids else _left_of(cell, covered.get(cell.key.series, set()), where):
            chosen[_place(part)] = part
            cover(_place(part))
    return list(chosen.values())


def _place(cell: Packed) -> Place:
    return cell.key.series, cell.key.start, cell.key.stop


def _left_of(cell: Packed, covered: set[int], where: str) -> list[Packed]:
    if covered.isdisjoint(range(cell.key.start, cell.key.stop)):
        return [cell]
    return packed(lacking(unpack(cell.key, cell.blob, where=where), covered))
