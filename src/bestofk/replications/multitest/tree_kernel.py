"""The tree's growing and its pruned predictions as compiled loops (extra ``fast``); the same tree as the plain path."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.extras import need

numba = need("numba", purpose="the compiled kernel of the paper's tree")

# A tie within 1e-8 bits goes to the first column (plain path: tree_plain.TIE).
TIE = 1e-8


def _level_entropy(codes: Any, rows: Any, y: Any, start: int, end: int, counts: Any, xlogx: Any) -> float:
    """Entropy (times cases) left after a split into levels, or infinity when only one level is there."""
    counts[:] = 0
    levels, classes = counts.shape
    for place in range(start, end):
        row = rows[place]
        counts[codes[row], y[row]] += 1
    left, kinds = 0.0, 0
    for level in range(levels):
        cases = 0
        for label in range(classes):
            cases += counts[level, label]
            left -= xlogx[counts[level, label]]
        left += xlogx[cases]
        if cases > 0:
            kinds += 1
    return left if kinds > 1 else np.inf


def _best_cut(values: Any, order: Any, y: Any, start: int, end: int, totals: Any, below: Any, xlogx: Any) -> Any:
    """Entropy (times cases) left after the best cut of a number column, and the cut: the lowest on a tie."""
    cases = end - start
    best, cut = np.inf, 0.0
    below[:] = 0
    low, high = 0.0, 0.0
    for label in range(len(totals)):
        high += xlogx[totals[label]]
    for place in range(start, end - 1):
        label = y[order[place]]
        under, over = below[label], totals[label] - below[label]
        low += xlogx[under + 1] - xlogx[under]
        high += xlogx[over - 1] - xlogx[over]
        below[label] = under + 1
        here, there = values[order[place]], values[order[place + 1]]
        if there > here:
            taken = place - start + 1
            left = xlogx[taken] + xlogx[cases - taken] - low - high
            if left < best - TIE * cases:
                best = left
                cut = here + (there - here) / 2
                if cut >= there:
                    cut = here
    return best, cut


def _part(order: Any, child: Any, start: int, end: int, starts: Any, buffer: Any) -> None:
    """Deal the rows of a node to its children, each keeping its order."""
    place_of = starts.copy()
    for place in range(start, end):
        row = order[place]
        buffer[place_of[child[row]]] = row
        place_of[child[row]] += 1
    order[start:end] = buffer[start:end]


def _best_split(
    numbers: Any, codes: Any, levels: Any, columns: Any, y: Any, rows: Any, order: Any, node: Any, work: Any
) -> Any:
    """Column that leaves the least entropy in a node (−1: none parts it), and its cut; the first on a tie."""
    start, end = node
    totals, below, counts, xlogx = work
    best, chosen, cut = np.inf, -1, 0.0
    for column in range(len(columns)):
        where = columns[column]
        if where >= 0:
            left, at = _best_cut(numbers[where], order[where], y, start, end, totals, below, xlogx)
        else:
            left, at = _level_entropy(codes[~where], rows, y, start, end, counts[: levels[~where]], xlogx), 0.0
        if left < best - TIE * (end - start):
            best, chosen, cut = left, column, at
    return chosen, cut


def _send(numbers: Any, codes: Any, where: int, cut: float, rows: Any, node: Any, child: Any, starts: Any) -> None:
    """Write down the child of each row of a node, and where the rows of each child will start."""
    start, end = node
    starts[:] = 0
    for place in range(start, end):
        row = rows[place]
        child[row] = (1 if numbers[where, row] > cut else 0) if where >= 0 else codes[~where, row]
        starts[child[row] + 1] += 1
    starts[0] = start
    for branch in range(len(starts) - 1):
        starts[branch + 1] += starts[branch]


def _grow(
    numbers: Any, codes: Any, levels: Any, columns: Any, y: Any, classes: int, rows: Any, order: Any, xlogx: Any
) -> Any:
    """Column (−1: leaf), cut, first child and label of every node; the children of a node stand side by side."""
    most = 2
    for count in levels:
        most = max(most, count)
    size = len(rows) * most + 1  # a split parts its rows, so there are fewer splits than rows
    column_of, cut_of = np.full(size, -1, np.int64), np.zeros(size)
    child_of, label_of = np.zeros(size, np.int64), np.zeros(size, np.int64)
    first, last, stack = np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size, np.int64)
    totals, below = np.zeros(classes, np.int64), np.zeros(classes, np.int64)
    work = (totals, below, np.zeros((most, classes), np.int64), xlogx)
    child, buffer, starts = np.zeros(len(y), np.int64), np.zeros(len(rows), np.int64), np.zeros(most + 1, np.int64)
    last[0], nodes, waiting = len(rows), 1, 1
    while waiting:
        waiting -= 1
        node = stack[waiting]
        span = (first[node], last[node])
        totals[:] = 0
        for place in range(span[0], span[1]):
            totals[y[rows[place]]] += 1
        label_of[node] = np.argmax(totals)
        if totals[label_of[node]] == span[1] - span[0]:
            continue
        chosen, cut = _best_split(numbers, codes, levels, columns, y, rows, order, span, work)
        if chosen < 0:
            continue
        where = columns[chosen]
        _send(numbers, codes, where, cut, rows, span, child, starts)
        _part(rows, child, span[0], span[1], starts, buffer)
        for number in range(len(order)):
            _part(order[number], child, span[0], span[1], starts, buffer)
        column_of[node], cut_of[node], child_of[node] = chosen, cut, nodes
        for branch in range(2 if where >= 0 else levels[~where]):
            first[nodes], last[nodes] = starts[branch], starts[branch + 1]
            stack[waiting] = nodes
            waiting += 1
            nodes += 1
    return column_of[:nodes], cut_of[:nodes], child_of[:nodes], label_of[:nodes]


def _below(node: int, row: int, tree: Any, numbers: Any, codes: Any, columns: Any) -> Any:
    """Child of a node that a row goes to."""
    where = columns[tree[0][node]]
    step = (1 if numbers[where, row] > tree[1][node] else 0) if where >= 0 else codes[~where, row]
    return tree[2][node] + step


def _pruned(tree: Any, numbers: Any, codes: Any, columns: Any, y: Any, held_out: Any) -> Any:
    """Nodes that lose no correct held-out case by becoming a leaf."""
    as_leaf, as_tree = np.zeros(len(tree[0]), np.int64), np.zeros(len(tree[0]), np.int64)
    path = np.zeros(len(tree[0]), np.int64)
    for row in held_out:
        node, length = 0, 1
        path[0] = 0
        while tree[0][node] >= 0:
            node = _below(node, row, tree, numbers, codes, columns)
            path[length] = node
            length += 1
        for place in range(length):
            as_leaf[path[place]] += tree[3][path[place]] == y[row]
            as_tree[path[place]] += tree[3][node] == y[row]
    return as_leaf >= as_tree


def _labels(tree: Any, pruned: Any, numbers: Any, codes: Any, columns: Any, rows: Any) -> Any:
    """Label of each row: the walk ends at the first node that is a leaf or became one."""
    labels = np.zeros(len(rows), np.int64)
    for place in range(len(rows)):
        node = 0
        while tree[0][node] >= 0 and not pruned[node]:
            node = _below(node, rows[place], tree, numbers, codes, columns)
        labels[place] = tree[3][node]
    return labels


_compiled = numba.njit(cache=True, nogil=True)
_level_entropy = _compiled(_level_entropy)
_best_cut = _compiled(_best_cut)
_part = _compiled(_part)
_best_split = _compiled(_best_split)
_send = _compiled(_send)
_below = _compiled(_below)
grow: Any = _compiled(_grow)
pruned: Any = _compiled(_pruned)
labels: Any = _compiled(_labels)
