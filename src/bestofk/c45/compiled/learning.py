"""Grow, collapse, prune: two calls into compiled code."""

from __future__ import annotations

import numpy as np

from bestofk.c45.cases import Training
from bestofk.c45.compiled.bits import tables
from bestofk.c45.compiled.growing import grow
from bestofk.c45.compiled.pruning import cut_back
from bestofk.c45.compiled.sample import kept_in_order, sample_of
from bestofk.c45.compiled.store import Nodes, new_store
from bestofk.c45.rules import Rules
from bestofk.c45.tree import Tree


def learn(training: Training, rules: Rules) -> Tree:
    """Return the tree of the training rows."""
    sample, table, times = sample_of(training), tables(len(training.y)), 1
    kept = kept_in_order(sample.coded, sample.features)
    while True:  # most need one round; many fractions, or many levels, need more room
        nodes, heap, deck, room = new_store(sample, kept.copy(), rules.raising, times)
        used, lying = grow(sample, rules, table, nodes, heap, deck, room)
        if used > 0 and cut_back(sample, rules, nodes, used, heap, lying, deck, room):
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
