"""Reduced-error pruning: from the leaves up, a node is a leaf where that costs no error among rows held out."""

from __future__ import annotations

import numpy as np

from bestofk.c45.margins import SMALL
from bestofk.c45.tree import Answers, Tree
from bestofk.core.arrays import Array, Flags


def reduced(tree: Tree, says: Answers, held: Array) -> Tree:
    """Return the pruned tree; ``held`` has the weight of each class among the held-out rows that pass each node."""
    own = held.sum(axis=1) - held[np.arange(len(held)), says.label]
    errors, leaf = own.copy(), tree.width == 0
    for node in np.flatnonzero(~leaf)[::-1]:
        below = errors[tree.first[node] : tree.first[node] + tree.width[node]].sum()
        leaf[node] = own[node] - below < SMALL
        errors[node] = own[node] if leaf[node] else below
    return cut(tree, leaf)


def cut(tree: Tree, leaf: Flags) -> Tree:
    """Leave out all that is below the leaves."""
    kept = np.ones(len(leaf), dtype=bool)
    for node in np.flatnonzero(tree.width):
        kept[tree.first[node] : tree.first[node] + tree.width[node]] = kept[node] and not leaf[node]
    inner = kept & ~leaf
    width = np.where(inner, tree.width, 0)[kept]
    return Tree(
        np.where(inner, tree.feature, -1)[kept].astype(np.int32),
        np.where(inner, tree.threshold, np.nan)[kept],
        np.where(width > 0, 1 + np.cumsum(width) - width, 0).astype(np.int32),
        width.astype(np.int32),
        tree.counts[kept],
    )
