"""Rows sent down a grown tree, all rows of a node at once, as compiled loops (extra ``fast``)."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need

numba = need("numba", purpose="the compiled kernel of the paper's tree")


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


_compiled = numba.njit(cache=True, nogil=True)
_deal_by_cut = _compiled(_deal_by_cut)
_deal_by_level = _compiled(_deal_by_level)
_sent_down = _compiled(_sent_down)
pruned: Any = _compiled(_pruned)
labels: Any = _compiled(_labels)
