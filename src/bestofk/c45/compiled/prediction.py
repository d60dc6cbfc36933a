"""Rows on their way down a tree, one by one; a missing value sends a row down all branches, in fractions."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.c45.compiled.branches import branch_of, part_places
from bestofk.c45.compiled.decorators import allocating, compiled, inlined
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


@allocating
def answer_rows(nodes: Any, features: Any, cases: Any, gappy: Any, rows: Any, shares: Any, found: Any) -> Any:
    """Fill in the class of each row; a missing value sends a row down all branches, in fractions.

    All rows of a node go on at once where it asks for a number that none lacks, else each by itself.
    """
    _find_labels(nodes, shares)
    own, waiting, top = np.empty(shares.shape[0]), nodes.waiting, 1
    places, spare = np.arange(rows.shape[0]).astype(np.uint32), np.empty(rows.shape[0], np.uint32)
    aside, few = np.empty(rows.shape[0], np.uint32), 0  # rows that meet a gap: they need the room of those that wait
    waiting[0, 0], waiting[0, 1], waiting[0, 2] = 0, 0, rows.shape[0]
    while top > 0:
        top -= 1
        node, low, high = waiting[top, 0], waiting[top, 1], waiting[top, 2]
        feature, first = nodes.feature[node], nodes.first[node]
        if nodes.leaf[node] or features.levels[feature] > 0 or gappy[feature]:
            for place in places[low:high]:
                label = _label_from(node, nodes, features, cases, rows[place])
                found[place] = label
                aside[few] = place
                few += label < 0
            continue
        middle = part_places(
            cases.numbers[features.slot[feature]], nodes.threshold[node], rows, places, low, high, spare
        )
        if middle > low:
            waiting[top, 0], waiting[top, 1], waiting[top, 2] = first, low, middle
            top += 1
        if high > middle:
            waiting[top, 0], waiting[top, 1], waiting[top, 2] = first + 1, middle, high
            top += 1
    for place in aside[:few]:
        _spread_in_store(nodes, features, cases, rows[place], shares, own)
        found[place] = _clearly_largest(shares)


@inlined
def _label_from(node: Any, nodes: Any, features: Any, cases: Any, row: Any) -> Any:
    """What the leaf of a row says, from a node on; -1 where a value is missing on the way."""
    while not nodes.leaf[node]:
        branch = branch_of(nodes.feature[node], nodes.threshold[node], features, cases, row)
        if branch < 0:
            return -1
        node = nodes.first[node] + branch
    return nodes.start[node]


@compiled
def _find_labels(nodes: Any, shares: Any) -> Any:
    """What the leaves answer, noted in ``start``, and in ``size`` each node's parent: both are not needed any more."""
    waiting, top = nodes.waiting, 1
    waiting[0, 0], nodes.size[0] = 0, 0
    while top > 0:
        top -= 1
        node = waiting[top, 0]
        if nodes.leaf[node]:
            _probabilities_at(nodes, node, shares)
            nodes.start[node] = _clearly_largest(shares)
            continue
        for child in range(nodes.first[node], nodes.first[node] + nodes.width[node]):
            nodes.size[child] = node
            waiting[top, 0] = child
            top += 1


@compiled
def _probabilities_at(nodes: Any, node: Any, shares: Any) -> Any:
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
def _spread_in_store(nodes: Any, features: Any, cases: Any, row: Any, shares: Any, own: Any) -> Any:
    """Sum the answers of all leaves that parts of the row reach; nodes and weights wait in arrays of the store."""
    for label in range(shares.shape[0]):
        shares[label] = 0.0
    waiting, weights, top = nodes.waiting, nodes.expected, 1
    waiting[0, 0], weights[0] = 0, 1.0
    while top > 0:
        top -= 1
        node, weight = waiting[top, 0], weights[top]
        if nodes.leaf[node]:
            _probabilities_at(nodes, node, own)
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
