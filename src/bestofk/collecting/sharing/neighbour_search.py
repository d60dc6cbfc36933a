"""The compiled loops that search for neighbours, imported when a way first needs them (extra ``fast``)."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple


class Search(NamedTuple):
    """The loops of the search."""

    nearest_in_block: Any
    tally: Any
    spreads: Any
    search_one: Any
    search_many: Any
    first_nearest: Any


@cache
def search() -> Search:
    """Import the loops."""
    from bestofk.collecting.sharing import many_neighbours, neighbour_loops, one_neighbour

    return Search(
        neighbour_loops.nearest_in_block,
        neighbour_loops.tally,
        neighbour_loops.spreads,
        one_neighbour.search_one,
        many_neighbours.search_many,
        neighbour_loops.first_nearest,
    )
