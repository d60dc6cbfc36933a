"""The tree as compiled loops (extra ``fast``): the same nodes in the same order as the plain path."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.compiled import compiled
from bestofk.replications.multitest import tree_plain
from bestofk.replications.multitest.tree_plain import TIE

__all__ = ["grow", "labels", "pruned"]

pruned: Any = compiled(tree_plain.pruned)
labels: Any = compiled(tree_plain.labels)


@compiled
def _level_entropy(codes: Any, own: Any, y: Any, counts: Any, xlogx: Any) -> Any:
    """Entropy (times cases) left after a split into levels, or infinity when only one level is there."""
    counts[:] = 0
    for row in own:
        counts[codes[row], y[row]] += 1
    left, kinds = 0.0, 0
    for level in range(len(counts)):
        cases = 0
        for label in range(counts.shape[1]):
            cases += counts[level, label]
            left -= xlogx[counts[level, label]]
        left += xlogx[cases]
        kinds += cases > 0
    return left if kinds > 1 else np.inf


@compiled
def _best_cut(values: Any, own: Any, y: Any, totals: Any, below: Any, xlogx: Any, steps: Any) -> Any:
    """Entropy (times cases) left after the best cut of a number column, and the cut: the lowest on a tie.

    ``own`` are the rows in ascending order; ``steps[k]`` is ``xlogx[k] − xlogx[k − 1]``. Infinity when all rows have
    one value.
    """
    cases, low, high = len(own), 0.0, 0.0
    below[:] = 0
    for count in totals:
        high += xlogx[count]
    best, enough, cut, last = np.inf, np.inf, 0.0, values[own[0]]
    for taken in range(cases):
        row = np.uint64(own[taken])  # indices without a sign: no look whether to count from the end
        value, label = values[row], np.uint64(y[row])
        left = xlogx[taken] + xlogx[cases - taken] - low - high
        if left < enough and value > last:
            middle = last + (value - last) / 2
            best, enough, cut = left, left - TIE * cases, middle if middle < value else last
        few = below[label]
        low += steps[np.uint64(few + 1)]
        high -= steps[np.uint64(totals[label] - few)]
        below[label] = few + 1
        last = value
    return best, cut


@compiled
def _best_split(numbers: Any, codes: Any, levels: Any, columns: Any, y: Any, own: Any, alive: Any, work: Any) -> Any:
    """Column that leaves the least entropy in a node (−1: none parts it), and its cut; the first on a tie.

    A column with one value in the node has one in every node below it: it is no longer alive.
    """
    totals, below, counts, xlogx, steps = work
    best, chosen, cut = np.inf, -1, 0.0
    for column in range(len(columns)):
        if not alive[column]:
            continue
        where = columns[column]
        if where >= 0:
            left, at = _best_cut(numbers[where], own[where], y, totals, below, xlogx, steps)
        else:
            left, at = _level_entropy(codes[~where], own[-1], y, counts[: levels[~where]], xlogx), 0.0
        if left == np.inf:
            alive[column] = False
        elif left < best - TIE * own.shape[1]:
            best, chosen, cut = left, column, at
    return chosen, cut


@compiled
def _part(own: Any, child: Any, starts: Any, places: Any, buffer: Any) -> None:
    """Put the rows of a node in the order of their children, each child keeping their order."""
    places[: len(starts)] = starts - starts[0]
    for place in range(len(own)):
        row = own[place]
        branch = np.uint64(child[np.uint64(row)])
        at = places[branch]
        buffer[np.uint64(at)] = row
        places[branch] = at + 1
    own[:] = buffer[: len(own)]


@compiled
def grow(numbers: Any, codes: Any, levels: Any, columns: Any, y: Any, classes: int, order: Any) -> Any:
    """Column (−1: leaf), cut, first child and label of every node; the children of a node stand side by side.

    ``order`` has the rows by ascending value of every number column, then in file order; it is changed.
    """
    most, cases = 2, order.shape[1]
    for count in levels:
        most = max(most, count)
    size = cases * most + 1  # a split parts its rows, so there are fewer splits than rows
    column_of, cut_of = np.full(size, -1, np.int64), np.zeros(size)
    child_of, label_of = np.zeros(size, np.int64), np.zeros(size, np.int64)
    # What waits: a node, where its rows begin and end, and which columns are alive.
    stack, alive = np.zeros((size, 3), np.int64), np.ones((size, len(columns)), np.bool_)
    known, sizes = y.astype(np.int16), np.arange(cases + 1.0)
    xlogx, steps = sizes * np.log2(np.maximum(sizes, 1.0)), np.zeros(cases + 1)
    steps[1:] = xlogx[1:] - xlogx[:-1]
    totals = np.zeros(classes, np.int64)
    work = (totals, np.zeros(classes, np.int64), np.zeros((most, classes), np.int64), xlogx, steps)
    child, buffer = np.zeros(len(y), np.int16), np.zeros(cases, order.dtype)
    starts, places = np.zeros(most + 1, np.int64), np.zeros(most + 1, np.int64)
    stack[0, 2], nodes, waiting = cases, 1, 1
    while waiting:
        waiting -= 1
        node, start, end = stack[waiting]
        own, own_alive = order[:, start:end], alive[waiting].copy()
        totals[:] = 0
        for row in own[-1]:
            totals[known[row]] += 1
        label_of[node] = np.argmax(totals)
        if totals[label_of[node]] == end - start:
            continue
        chosen, cut = _best_split(numbers, codes, levels, columns, known, own, own_alive, work)
        if chosen < 0:
            continue
        where = columns[chosen]
        branches = 2 if where >= 0 else levels[~where]
        starts[:] = 0
        for row in own[-1]:
            child[row] = (1 if numbers[where, row] > cut else 0) if where >= 0 else codes[~where, row]
            starts[child[row] + 1] += 1
        starts[0] = start
        column_of[node], cut_of[node], child_of[node] = chosen, cut, nodes
        for branch in range(branches):
            starts[branch + 1] += starts[branch]
            if starts[branch] < starts[branch + 1]:  # an empty child is a leaf of the first class
                stack[waiting] = nodes + branch, starts[branch], starts[branch + 1]
                alive[waiting] = own_alive
                waiting += 1
        nodes += branches
        for column in range(len(columns)):
            if columns[column] >= 0 and own_alive[column]:
                _part(own[columns[column]], child, starts[: branches + 1], places, buffer)
        _part(own[-1], child, starts[: branches + 1], places, buffer)
    return column_of[:nodes], cut_of[:nodes], child_of[:nodes], label_of[:nodes]
