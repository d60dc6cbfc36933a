"""The tree's growing and its pruned predictions as compiled loops (extra ``fast``); the same tree as the plain path.

First the rows sent down a grown tree, all rows of a node at once, then its growing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need
from bestofk.replications.multitest.tree_splits import best_split, list_rows, part

numba = need("numba", purpose="the compiled kernel of the paper's tree")
_compiled = numba.njit(cache=True, nogil=True)


def _deal_by_cut(values: Any, cut: float, own: Any, buffer: Any) -> Any:
    """Put the rows up to the cut before those above it; how many they are."""
    left: Any = 0
    right: Any = 0
    for place in range(len(own)):  # every row is written to both sides: no jump that cannot be foreseen
        row = own[place]
        above = np.int64(values[np.uint64(row)] > cut)
        own[np.uint64(left)] = row
        buffer[np.uint64(right)] = row
        left += 1 - above
        right += above
    own[left:] = buffer[:right]
    return left


def _deal_by_level(codes: Any, first: int, start: int, own: Any, begin: Any, end: Any, buffer: Any) -> None:
    """Put the rows in the order of their levels; ``first`` is the child of the first level."""
    for row in own:
        end[first + codes[row]] += 1
    at, child = 0, first
    while at < len(own):
        count = end[child]
        begin[child], end[child] = start + at, start + at
        at, child = at + count, child + 1
    for row in own:
        child = first + codes[row]
        buffer[end[child] - start] = row
        end[child] += 1
    own[:] = buffer[: len(own)]


def _sent_down(tree: Any, stop: Any, numbers: Any, codes: Any, columns: Any, rows: Any) -> Any:
    """The rows so that those of each node lie side by side, and where they begin and end; none goes past a ``stop``."""
    size = len(tree[0])
    order, buffer = rows.astype(np.int32), np.empty(len(rows), np.int32)
    begin, end = np.zeros(size, np.int64), np.zeros(size, np.int64)
    end[0] = len(rows)
    for node in range(size):  # a child comes after its parent
        if tree[0][node] < 0 or stop[node] or begin[node] == end[node]:
            continue
        where, first, own = columns[tree[0][node]], tree[2][node], order[begin[node] : end[node]]
        if where >= 0:
            middle = begin[node] + _deal_by_cut(numbers[where], tree[1][node], own, buffer)
            begin[first], end[first], begin[first + 1], end[first + 1] = begin[node], middle, middle, end[node]
        else:
            _deal_by_level(codes[~where], first, begin[node], own, begin, end, buffer)
    return order, begin, end


def _pruned(tree: Any, numbers: Any, codes: Any, columns: Any, y: Any, held_out: Any) -> Any:
    """Nodes that lose no correct held-out case by becoming a leaf."""
    size = len(tree[0])
    order, begin, end = _sent_down(tree, np.zeros(size, np.bool_), numbers, codes, columns, held_out)
    correct, found = np.zeros(len(order) + 1, np.int64), np.zeros(size, np.bool_)
    for node in range(size):
        if tree[0][node] < 0:
            for place in range(begin[node], end[node]):
                correct[place + 1] = tree[3][node] == y[order[place]]
    for place in range(len(order)):
        correct[place + 1] += correct[place]
    for node in range(size):
        as_leaf = 0
        for place in range(begin[node], end[node]):
            as_leaf += tree[3][node] == y[order[place]]
        found[node] = as_leaf >= correct[end[node]] - correct[begin[node]]
    return found


def _labels(tree: Any, pruned: Any, numbers: Any, codes: Any, columns: Any, rows: Any) -> Any:
    """Label of each row: the walk ends at the first node that is a leaf or became one."""
    order, begin, end = _sent_down(tree, pruned, numbers, codes, columns, rows)
    by_row, labels = np.empty(numbers.shape[1], np.int64), np.empty(len(rows), np.int64)
    for node in range(len(tree[0])):
        if tree[0][node] < 0 or pruned[node]:
            for place in range(begin[node], end[node]):
                by_row[order[place]] = tree[3][node]
    for place in range(len(rows)):
        labels[place] = by_row[rows[place]]
    return labels


_deal_by_cut = _compiled(_deal_by_cut)
_deal_by_level = _compiled(_deal_by_level)
_sent_down = _compiled(_sent_down)
pruned: Any = _compiled(_pruned)
labels: Any = _compiled(_labels)


__all__ = ["grow", "labels", "pruned", "sorted_rows"]


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


_send = _compiled(_send)
_deal = _compiled(_deal)
sorted_rows: Any = _compiled(_sorted_rows)
grow: Any = _compiled(_grow)
