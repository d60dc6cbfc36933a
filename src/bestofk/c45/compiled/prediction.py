"""Rows on their way down a tree, one by one; a missing value sends a row down all branches, in fractions."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.c45.compiled.decorators import allocating, compiled
from bestofk.c45.compiled.workspace import branch_of
from bestofk.c45.rules import SMALL


@compiled
def _leaf_of(tree: Any, features: Any, cases: Any, row: Any) -> Any:
    """The leaf of a row; -1 where a value is missing on the way."""
    node = 0
    while tree.width[node] > 0:
        branch = branch_of(tree.feature[node], tree.threshold[node], features, cases, row)
        if branch < 0:
            return -1
        node = tree.first[node] + branch
    return node


@allocating
def labels(tree: Any, says: Any, features: Any, cases: Any) -> Any:
    """The class of each row."""
    rows = cases.numbers.shape[1]
    found, shares = np.empty(rows, np.int32), np.empty(tree.counts.shape[1])
    for row in range(rows):
        leaf = _leaf_of(tree, features, cases, row)
        if leaf >= 0:
            found[row] = says.label[leaf]
            continue
        _spread(tree, says, features, cases, row, shares)
        best, label = -1.0, 0
        for code in range(shares.shape[0]):
            if shares[code] - best > SMALL:
                best, label = shares[code], code
        found[row] = label
    return found


@allocating
def probabilities(tree: Any, says: Any, features: Any, cases: Any) -> Any:
    """Class probabilities of each row."""
    rows = cases.numbers.shape[1]
    found = np.empty((rows, tree.counts.shape[1]))
    for row in range(rows):
        leaf = _leaf_of(tree, features, cases, row)
        if leaf >= 0:
            found[row] = says.probabilities[leaf]
        else:
            _spread(tree, says, features, cases, row, found[row])
    return found


@allocating
def _spread(tree: Any, says: Any, features: Any, cases: Any, row: Any, shares: Any) -> None:
    """Sum the answers of all leaves that parts of the row reach."""
    shares[:] = 0.0
    nodes, weights, top = np.zeros(64, np.int64), np.ones(64), 1
    while top > 0:
        top -= 1
        node, weight = nodes[top], weights[top]
        width = tree.width[node]
        if width == 0:
            shares += weight * says.probabilities[node]
            continue
        if top + width > nodes.shape[0]:
            nodes = np.concatenate((nodes, np.zeros(top + width, np.int64)))
            weights = np.concatenate((weights, np.ones(top + width)))
        branch = branch_of(tree.feature[node], tree.threshold[node], features, cases, row)
        if branch >= 0:
            nodes[top], weights[top] = tree.first[node] + branch, weight
            top += 1
            continue
        for child in range(tree.first[node], tree.first[node] + width):
            if says.share[child] > SMALL:
                nodes[top], weights[top] = child, weight * says.share[child]
                top += 1
