"""How one tree is grown, pruned and asked, in plain numpy; ``tree_kernel`` compiles two of the loops as they are."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.replications.multitest.table import Labels

#: Splits whose remaining entropy differs by less (bits) are equally good: the first column, the lowest cut wins.
TIE = 1e-8

#: Column (−1: leaf), cut, first child and label of every node; the children of a node stand side by side.
Tree: TypeAlias = tuple[Labels, Array, Labels, Labels]


def entropy_left(counts: Array) -> Any:
    """Mean entropy in bits of the branches (..., branches, classes) of a split, weighted by their cases."""
    cases = counts.sum(axis=-1)
    return (_xlogx(cases).sum(axis=-1) - _xlogx(counts).sum(axis=(-1, -2))) / cases.sum(axis=-1)


def _xlogx(x: Array) -> Array:
    return x * np.log2(np.maximum(x, 1.0))


def grow(
    numbers: Array, codes: Labels, levels: Labels, columns: Labels, y: Labels, classes: int, order: Labels
) -> Tree:
    """Grow a tree until every leaf is pure or nothing is left to split by; columns are the first axis.

    The last of ``order`` are the rows; the others, sorted by each number column, serve the compiled form.
    """
    column_of, cut_of, child_of, label_of = [-1], [0.0], [0], [0]
    waiting: list[tuple[int, Labels]] = [(0, order[-1])]
    while waiting:
        node, here = waiting.pop()
        counts = np.bincount(y[here], minlength=classes)
        label_of[node] = int(counts.argmax())
        chosen, cut = _best_split(numbers, codes, columns, y, classes, here) if counts.max() < len(here) else (-1, 0.0)
        if chosen < 0:
            continue
        where = int(columns[chosen])
        branch = (numbers[where, here] > cut).astype(np.int64) if where >= 0 else codes[~where, here]
        branches = 2 if where >= 0 else int(levels[~where])
        column_of[node], cut_of[node], child_of[node] = chosen, cut, len(label_of)
        waiting += [(len(label_of) + each, here[branch == each]) for each in range(branches)]
        column_of += [-1] * branches
        cut_of += [0.0] * branches
        child_of += [0] * branches
        label_of += [0] * branches
    return np.array(column_of), np.array(cut_of), np.array(child_of), np.array(label_of)


def _best_split(
    numbers: Array, codes: Labels, columns: Labels, y: Labels, classes: int, rows: Labels
) -> tuple[int, float]:
    best, chosen, cut = np.inf, -1, 0.0
    for column, where in enumerate(columns):
        if where >= 0:
            left, at = _best_cut(numbers[where, rows], y[rows], classes)
        else:
            left, at = _level_entropy(codes[~where, rows], y[rows], classes), 0.0
        if left < best - TIE:
            best, chosen, cut = left, column, at
    return chosen, cut


def _level_entropy(codes: Labels, y: Labels, classes: int) -> float:
    if codes.min() == codes.max():
        return np.inf
    counts = np.bincount(codes * classes + y, minlength=(codes.max() + 1) * classes)
    return float(entropy_left(counts.reshape(-1, classes).astype(np.float64)))


def _best_cut(values: Array, y: Labels, classes: int) -> tuple[float, float]:
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    ends = np.flatnonzero(ordered[1:] > ordered[:-1])
    if not len(ends):
        return np.inf, 0.0
    below = np.cumsum(np.eye(classes)[y[order]], axis=0)
    left = entropy_left(np.stack([below[ends], below[-1] - below[ends]], axis=1))
    best = 0
    for place in range(1, len(left)):
        best = place if left[place] < left[best] - TIE else best
    here, there = ordered[ends[best]], ordered[ends[best] + 1]
    cut = here + (there - here) / 2
    return float(left[best]), float(cut if cut < there else here)


# Plain loops, which the compiled form takes as they are.


def pruned(tree: Tree, numbers: Array, codes: Labels, columns: Labels, y: Labels, held_out: Labels) -> Flags:
    """Nodes that lose no correct held-out case by becoming a leaf."""
    column, cut, child, label = tree
    gain, path = np.zeros(len(label), np.int64), np.zeros(len(label), np.int64)
    for row in held_out:
        length = 0  # of the path from the root to a leaf
        while column[path[length]] >= 0:
            node = path[length]
            where = columns[column[node]]
            step = int(numbers[where, row] > cut[node]) if where >= 0 else codes[~where, row]
            length += 1
            path[length] = child[node] + step
        correct = int(label[path[length]] == y[row])
        for node in path[:length]:
            gain[node] += int(label[node] == y[row]) - correct
    return gain >= 0


def labels(tree: Tree, stop: Flags, numbers: Array, codes: Labels, columns: Labels, rows: Labels) -> Labels:
    """Label of each row: the walk ends at the first node that is a leaf or became one."""
    column, cut, child, label = tree
    found = np.empty(len(rows), np.int64)
    for place in range(len(rows)):
        row, node = rows[place], 0
        while column[node] >= 0 and not stop[node]:
            where = columns[column[node]]
            step = int(numbers[where, row] > cut[node]) if where >= 0 else codes[~where, row]
            node = child[node] + step
        found[place] = label[node]
    return found
