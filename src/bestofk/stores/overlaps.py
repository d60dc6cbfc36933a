"""Every replication once: what a store has already is cut off the cells that are written to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bestofk.design.plan.cell import CellResult
from bestofk.stores.packed import Packed
from bestofk.stores.packing import pack, unpack
from bestofk.stores.parts import lacking

#: Series, start and stop of a cell that is in the store.
Place = tuple[str, int, int]


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
