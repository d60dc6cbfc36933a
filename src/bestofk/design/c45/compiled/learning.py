"""Grow, collapse, prune: two calls into compiled code."""

from __future__ import annotations

import numpy as np

from bestofk.design.c45.cases import Training
from bestofk.design.c45.compiled.growing import grow, tables
from bestofk.design.c45.compiled.pruning import cut_back
from bestofk.design.c45.compiled.store import Nodes, new_store
from bestofk.design.c45.rules import Rules
from bestofk.design.c45.tree import Tree


def learn(training: Training, rules: Rules) -> Tree:
    """Return the tree of the training rows."""
    table, times = tables(len(training.y)), 1
    while True:  # most need one round; many fractions, or many levels, need more room
        order = np.argsort(training.cases.numbers, axis=1).astype(np.int32)
        nodes, heap, deck, room = new_store(training, order, rules.raising, times)
        used, lying = grow(training, rules, table, nodes, heap, deck, room)
        if used > 0 and cut_back(training, rules, nodes, used, heap, lying, deck, room):
            return _flat(nodes)
        times *= 2


def _flat(nodes: Nodes) -> Tree:
    """Number the nodes anew, level by level, without those below leaves."""
    old, first, leaf = [0], [], nodes.leaf
    for node in old:
        first.append(0 if leaf[node] else len(old))
        if not leaf[node]:
            old.extend(range(nodes.first[node], nodes.first[node] + nodes.width[node]))
    chosen = np.array(old)
    return Tree(
        np.where(leaf[chosen], np.int32(-1), nodes.feature[chosen]),
        np.where(leaf[chosen], np.nan, nodes.threshold[chosen]),
        np.array(first, dtype=np.int32),
        np.where(leaf[chosen], np.int32(0), nodes.width[chosen]),
        nodes.counts[chosen],
    )
