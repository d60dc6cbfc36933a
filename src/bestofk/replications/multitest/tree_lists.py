"""The lists of rows that the search for a split reads, as compiled loops (extra ``fast``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need

numba = need("numba", purpose="the compiled kernel of the paper's tree")

# Share of the rows that must have the usual value of a column for it to be left out of the list.
WORTH_IT = 0.25
# A listed row is rank << RANK | class << ROW_BITS | row.
ROW_BITS, RANK = 24, 32
ROW, LABEL = (1 << ROW_BITS) - 1, (1 << (RANK - ROW_BITS)) - 1


def _part_in_two(listed: Any, child: Any, span: Any, impure: Any, spans: Any, buffer: Any) -> None:
    """Deal to two children: every row is written to both, and only the one that it belongs to goes on."""
    own = listed[span[0] : span[1]]
    left: Any = 0
    right: Any = 0
    for place in range(len(own)):
        entry = own[place]
        branch = np.int64(child[np.uint64(entry & ROW)])
        own[np.uint64(left)] = entry
        buffer[np.uint64(right)] = entry
        left += 1 - branch
        right += branch
    spans[0, 0], spans[0, 1] = span[0], span[0] + left
    first = span[0] + (left if impure[0] else 0)
    spans[1, 0], spans[1, 1] = first, first + right
    if impure[1]:
        listed[first : first + right] = buffer[:right]


def _part(listed: Any, child: Any, span: Any, branches: int, impure: Any, places: Any, spans: Any, buffer: Any) -> None:
    """Deal the listed rows of a column to the children that will be parted further, and say where they are."""
    if branches == 2:
        _part_in_two(listed, child, span, impure, spans, buffer)
        return
    places[:branches] = 0
    for place in range(span[0], span[1]):
        places[child[listed[place] & ROW]] += 1
    first = span[0]
    for branch in range(branches):
        count = places[branch]
        places[branch] = first if impure[branch] else -1
        spans[branch, 0], spans[branch, 1] = first, first + count
        first += count if impure[branch] else 0
    for place in range(span[0], span[1]):
        branch = child[listed[place] & ROW]
        at = places[branch]
        if at >= 0:
            buffer[at] = listed[place]
            places[branch] = at + 1
    listed[span[0] : first] = buffer[span[0] : first]


def _list_rows(numbers: Any, order: Any, y: Any, listed: Any, usual: Any, spans: Any) -> None:
    """Rows of every column in ascending order, but for the longest run of equal values: the usual one.

    A row is one number: the rank of its value, its class and its place in the file, so that all that a cut asks for
    stands side by side.
    """
    ends = np.empty(order.shape[1] + 1, np.int64)  # where the run of each rank ends
    for column in range(len(order)):
        values, own, ready = numbers[column], order[column], listed[column]
        last: Any = values[own[0]]
        rank: Any = 0
        for place in range(len(own)):
            row = np.uint64(own[place])
            rank += np.int64(values[row] != last)
            last = values[row]
            ends[np.uint64(rank)] = place + 1
            ready[place] = (rank << RANK) | (np.int64(y[row]) << ROW_BITS) | np.int64(own[place])
        start, best_start, best_end = 0, 0, 0
        for each in range(rank + 1):
            if ends[each] - start > best_end - best_start:
                best_start, best_end = start, ends[each]
            start = ends[each]
        if best_end - best_start < WORTH_IT * len(own):
            best_start, best_end = 0, 0  # nothing is left out
        usual[column] = ready[best_start]
        for place in range(best_end, len(own)):
            ready[best_start + place - best_end] = ready[place]
        spans[column, 0], spans[column, 1] = 0, len(own) - (best_end - best_start)


_compiled = numba.njit(cache=True, nogil=True)
_part_in_two = _compiled(_part_in_two)
part: Any = _compiled(_part)
list_rows: Any = _compiled(_list_rows)
