"""Pessimistic pruning: leaf, largest branch or subtree, whichever promises the fewest errors on new rows."""

from __future__ import annotations

import math

from bestofk.c45.cases import Training
from bestofk.c45.margins import BENEFIT, SMALL
from bestofk.c45.pessimism import added_errors
from bestofk.c45.plain.dealing import Share, dealt
from bestofk.c45.plain.draft import Node, breadth_first
from bestofk.c45.plain.growing import counts_of
from bestofk.c45.rules import Rules
from bestofk.core.arrays import Array


def prune(root: Node, training: Training, rules: Rules) -> None:
    """From the leaves up; a branch that takes its parent's place is pruned again with the rows that it gains."""
    expected: dict[int, float] = {}
    waiting = breadth_first(root)
    while waiting:
        node = waiting.pop()
        leaf = _expected(node.counts, rules)
        if not node.children:
            expected[id(node)] = leaf
            continue
        tree = sum(expected[id(child)] for child in node.children)
        branch, raised = _branch(node, training, rules)
        if leaf - (tree + BENEFIT) < SMALL and leaf - (raised + BENEFIT) < SMALL:
            node.become_leaf()
            expected[id(node)] = leaf
        elif raised - (tree + BENEFIT) < SMALL:
            node.question, node.children = branch.question, branch.children
            _fill(node, training)
            waiting.extend(breadth_first(node))
        else:
            expected[id(node)] = tree


def _branch(node: Node, training: Training, rules: Rules) -> tuple[Node, float]:
    """The heaviest branch, the last of equals, and its expected errors with all rows of its parent."""
    heaviest, weight = node.children[0], 0.0
    for child in node.children:
        if weight - child.weight < SMALL:
            heaviest, weight = child, child.weight
    if not rules.raising:
        return heaviest, math.inf
    errors, waiting = 0.0, [(heaviest, node.share)]
    while waiting:
        each, share = waiting.pop()
        if each.question is None:
            errors += _expected(counts_of(training, share), rules)
        else:
            shares = dealt(each.question, training.features, training.cases, share)
            waiting.extend(zip(each.children, shares, strict=True))
    return heaviest, errors


def _fill(node: Node, training: Training) -> None:
    """Deal the node's rows down the branch that took its place."""
    waiting: list[tuple[Node, Share]] = [(node, node.share)]
    while waiting:
        each, share = waiting.pop()
        each.share = share
        each.counts = counts_of(training, each.share)
        if each.question is not None:
            shares = dealt(each.question, training.features, training.cases, each.share)
            waiting.extend(zip(each.children, shares, strict=True))


def _expected(counts: Array, rules: Rules) -> float:
    weight, errors = float(counts.sum()), float(counts.sum() - counts.max())
    if weight < SMALL:
        return 0.0
    return errors + added_errors(weight, errors, rules.confidence, rules.deviate)
