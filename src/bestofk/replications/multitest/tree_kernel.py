"""The tree's growing and its pruned predictions as compiled loops (extra ``fast``); the same tree as the plain path."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need
from bestofk.replications.multitest.tree_lists import list_rows, part
from bestofk.replications.multitest.tree_splits import best_split
from bestofk.replications.multitest.tree_walk import labels, pruned

__all__ = ["grow", "labels", "pruned", "sorted_rows"]
numba = need("numba", purpose="the compiled kernel of the paper's tree")


def _send(
    numbers: Any, codes: Any, where: int, cut: float, rows: Any, y: Any, node: Any, child: Any, starts: Any, counts: Any
) -> None:
    """Write down the child of each row of a node, the classes in it, and where the rows of each child will start."""
    start, end = node
    starts[:] = 0
    counts[:] = 0
    for place in range(start, end):
        row = rows[place]
        child[row] = (1 if numbers[where, row] > cut else 0) if where >= 0 else codes[~where, row]
        starts[child[row] + 1] += 1
        counts[child[row], y[row]] += 1
    starts[0] = start
    for branch in range(len(starts) - 1):
        starts[branch + 1] += starts[branch]


def _deal(order: Any, child: Any, start: int, end: int, places: Any, buffer: Any) -> None:
    """Deal rows to children, each child keeping their order; ``places`` say where a child's rows begin, −1: dropped."""
    for place in range(start, end):
        row = order[place]
        at = places[child[row]]
        if at >= 0:
            buffer[at] = row
            places[child[row]] = at + 1


def _sorted_rows(order: Any, inside: Any, cases: int) -> Any:
    """Rows of the file that are inside, by ascending value of each column; ``order`` has all rows of the file."""
    found, some = np.empty((len(order), cases), np.int32), np.empty(order.shape[1] + 1, np.int32)
    for column in range(len(order)):
        own = order[column]
        place: Any = 0
        for at in range(len(own)):  # a row outside is overwritten by the next: no jump that cannot be foreseen
            some[np.uint64(place)] = own[at]
            place += np.int64(inside[np.uint64(own[at])])
        found[column] = some[:cases]
    return found


def _grow(
    numbers: Any, codes: Any, levels: Any, columns: Any, y: Any, classes: int, rows: Any, order: Any, xlogx: Any
) -> Any:
    """Column (−1: leaf), cut, first child and label of every node; the children of a node stand side by side."""
    most, wide, cases = 2, len(order), len(rows)
    for count in levels:
        most = max(most, count)
    size = cases * most + 1  # a split parts its rows, so there are fewer splits than rows
    column_of, cut_of = np.full(size, -1, np.int64), np.zeros(size)
    child_of, label_of = np.zeros(size, np.int64), np.zeros(size, np.int64)
    # What waits: a node, its rows, for every number column the rows listed, and which columns are alive.
    stack = np.zeros((size, 3), np.int64)
    spans, alive = np.empty((size, wide, 2), np.int32), np.empty((size, len(columns)), np.bool_)
    listed, usual = np.empty((wide, cases), np.int64), np.zeros(wide, np.int64)
    labels = y.astype(np.int16)
    counts, impure = np.zeros((most, classes), np.int64), np.zeros(most, np.bool_)
    totals, below, block = np.zeros(classes, np.int64), np.zeros(classes, np.int64), np.zeros(classes, np.int64)
    steps = np.zeros(len(xlogx))
    steps[1:] = xlogx[1:] - xlogx[:-1]
    work = (totals, below, block, np.zeros((most, classes), np.int64), xlogx, steps)
    child, starts, places = np.zeros(len(y), np.int16), np.zeros(most + 1, np.int64), np.zeros(most, np.int64)
    buffer, listed_buffer = np.zeros(cases, np.int64), np.zeros(cases, np.int64)
    own_spans, own_alive = np.zeros((wide, 2), np.int32), np.zeros(len(columns), np.bool_)
    child_spans = np.zeros((most, 2), np.int32)
    list_rows(numbers, order, labels, listed, usual, spans[0])
    alive[0] = True
    stack[0, 2], nodes, waiting = cases, 1, 1
    while waiting:
        waiting -= 1
        node, start, end = stack[waiting]
        own_spans[:], own_alive[:] = spans[waiting], alive[waiting]
        totals[:] = 0
        for place in range(start, end):
            totals[labels[rows[place]]] += 1
        label_of[node] = np.argmax(totals)
        if totals[label_of[node]] == end - start:
            continue
        here = (start, end, own_spans, own_alive)
        chosen, cut = best_split(numbers, codes, levels, columns, labels, rows, listed, usual, here, work)
        if chosen < 0:
            continue
        where = columns[chosen]
        branches = 2 if where >= 0 else levels[~where]
        _send(numbers, codes, where, cut, rows, labels, (start, end), child, starts, counts)
        column_of[node], cut_of[node], child_of[node] = chosen, cut, nodes
        first = waiting
        for branch in range(branches):
            label_of[nodes + branch] = np.argmax(counts[branch])
            impure[branch] = counts[branch, label_of[nodes + branch]] < starts[branch + 1] - starts[branch]
            if impure[branch]:  # a pure child is a leaf already, its rows are not needed again
                stack[waiting, 0] = nodes + branch
                stack[waiting, 1], stack[waiting, 2] = starts[branch], starts[branch + 1]
                alive[waiting] = own_alive
                waiting += 1
        nodes += branches
        if waiting == first:
            continue
        places[:branches] = starts[:branches]
        _deal(rows, child, start, end, places, buffer)
        rows[start:end] = buffer[start:end]
        for column in range(len(columns)):
            number = columns[column]
            if number >= 0 and own_alive[column]:
                own = listed[number]
                part(own, child, own_spans[number], branches, impure, places, child_spans, listed_buffer)
                place = first
                for branch in range(branches):
                    if impure[branch]:
                        spans[place, number] = child_spans[branch]
                        place += 1
    return column_of[:nodes], cut_of[:nodes], child_of[:nodes], label_of[:nodes]


_compiled = numba.njit(cache=True, nogil=True)
_send = _compiled(_send)
_deal = _compiled(_deal)
sorted_rows: Any = _compiled(_sorted_rows)
grow: Any = _compiled(_grow)
