"""Rows answered by a tree that lies as it was grown and pruned, with what each leaf says worked out on the way."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.design.c45.compiled.compiling import allocating, compiled
from bestofk.design.c45.compiled.dealing import branch_of
from bestofk.design.c45.margins import SMALL


@allocating
def answer_rows(nodes: Any, features: Any, cases: Any, rows: Any, shares: Any, found: Any) -> Any:
    """Fill in the class of each row; a missing value sends a row down all branches, in fractions."""
    _find_labels(nodes, shares)
    own = np.empty(shares.shape[0])
    for place in range(rows.shape[0]):
        row, node, branch = rows[place], 0, 0
        while not nodes.leaf[node]:
            branch = branch_of(nodes.feature[node], nodes.threshold[node], features, cases, row)
            if branch < 0:
                break
            node = nodes.first[node] + branch
        if branch < 0:
            _spread(nodes, features, cases, row, shares, own)
            found[place] = _clearly_largest(shares)
        else:
            found[place] = nodes.start[node]


@compiled
def _find_labels(nodes: Any, shares: Any) -> Any:
    """What the leaves answer, noted in ``start``, and in ``size`` each node's parent: both are not needed any more."""
    waiting, top = nodes.waiting, 1
    waiting[0, 0], nodes.size[0] = 0, 0
    while top > 0:
        top -= 1
        node = waiting[top, 0]
        if nodes.leaf[node]:
            _probabilities(nodes, node, shares)
            nodes.start[node] = _clearly_largest(shares)
            continue
        for child in range(nodes.first[node], nodes.first[node] + nodes.width[node]):
            nodes.size[child] = node
            waiting[top, 0] = child
            top += 1


@compiled
def _probabilities(nodes: Any, node: Any, shares: Any) -> Any:
    """A leaf without rows says what its parent would."""
    total = _total(nodes.counts[node])
    if not total > SMALL:
        node = nodes.size[node]
        total = _total(nodes.counts[node])
    for label in range(shares.shape[0]):
        shares[label] = nodes.counts[node, label] / total


@compiled
def _total(counts: Any) -> Any:
    total = 0.0
    for weight in counts:
        total += weight
    return total


@compiled
def _clearly_largest(shares: Any) -> Any:
    """The first class that no later one clearly exceeds."""
    best, found = -1.0, 0
    for label in range(shares.shape[0]):
        if shares[label] - best > SMALL:
            best, found = shares[label], label
    return found


@compiled
def _spread(nodes: Any, features: Any, cases: Any, row: Any, shares: Any, own: Any) -> Any:
    """Sum the answers of all leaves that parts of the row reach; nodes and weights wait in arrays of the store."""
    for label in range(shares.shape[0]):
        shares[label] = 0.0
    waiting, weights, top = nodes.waiting, nodes.expected, 1
    waiting[0, 0], weights[0] = 0, 1.0
    while top > 0:
        top -= 1
        node, weight = waiting[top, 0], weights[top]
        if nodes.leaf[node]:
            _probabilities(nodes, node, own)
            for label in range(shares.shape[0]):
                shares[label] += weight * own[label]
            continue
        first, width = nodes.first[node], nodes.width[node]
        branch = branch_of(nodes.feature[node], nodes.threshold[node], features, cases, row)
        if branch >= 0:
            waiting[top, 0], weights[top] = first + branch, weight
            top += 1
            continue
        whole = _total(nodes.counts[node])
        for child in range(first, first + width):
            share = _total(nodes.counts[child]) / whole
            if share > SMALL:
                waiting[top, 0], weights[top] = child, weight * share
                top += 1
