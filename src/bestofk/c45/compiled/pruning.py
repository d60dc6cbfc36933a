"""Pessimistic pruning: leaf, largest branch or subtree, whichever promises the fewest errors on new rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.c45.compiled.collapsing import collapse
from bestofk.c45.compiled.compiling import allocating, compiled
from bestofk.c45.compiled.pessimism import expected_errors
from bestofk.c45.compiled.raising import deal_down, gather
from bestofk.c45.compiled.trying import errors_if_raised
from bestofk.c45.margins import BENEFIT, SMALL


@allocating
def cut_back(training: Any, rules: Any, nodes: Any, used: Any, heap: Any, lying: Any, deck: Any, room: Any) -> Any:
    """Collapse and prune where the rules say so; returns whether there was enough room."""
    if rules.collapse:
        collapse(nodes, used)
    if rules.pessimistic:
        return _prune(training, rules, nodes, used, heap, lying, deck, room)
    return True


@allocating
def _prune(training: Any, rules: Any, nodes: Any, used: Any, heap: Any, lying: Any, deck: Any, room: Any) -> Any:
    """From the leaves up; a branch that takes its parent's place is pruned again with the rows that it gains."""
    queue, expected = np.zeros(used, np.int64), nodes.expected
    marks = np.full(training.y.shape[0], -1, np.int32)
    complete = not _any(training.coded.gappy)
    top = _queued(nodes, 0, queue, 0)
    while top > 0:
        top -= 1
        node = queue[top]
        leaf = expected_errors(nodes.counts[node], rules.confidence, rules.deviate)
        expected[node] = leaf
        if nodes.leaf[node]:
            continue
        first, width = nodes.first[node], nodes.width[node]
        tree, raised, branch = 0.0, np.inf, _heaviest(nodes.counts, first, width)
        for child in range(first, first + width):
            tree += expected[child]
        if rules.raising and complete:
            raised = errors_if_raised(node, branch, nodes, heap, training, rules, deck)
        elif rules.raising:
            number = gather(node, nodes, heap, 0, deck, marks)
            raised, room_left = deal_down(branch, number, nodes, 0, heap, lying, training, rules, deck, room, False)
            if room_left < 0:
                return False
        if leaf - (tree + BENEFIT) < SMALL and leaf - (raised + BENEFIT) < SMALL:
            nodes.leaf[node] = True
        elif raised - (tree + BENEFIT) < SMALL:
            number = gather(node, nodes, heap, 0, deck, marks)
            _replace(nodes, node, branch)
            _, lying = deal_down(node, number, nodes, 0, heap, lying, training, rules, deck, room, True)
            if lying < 0:
                return False
            top = _queued(nodes, node, queue, top)
        else:
            expected[node] = tree
    return True


@compiled
def _any(flags: Any) -> Any:
    some = False
    for flag in flags:
        some = some or flag
    return some


@compiled
def _queued(nodes: Any, node: Any, queue: Any, top: Any) -> Any:
    """Add a subtree, parents before children; what is added last is taken first."""
    place = top
    queue[top] = node
    top += 1
    while place < top:
        each = queue[place]
        if not nodes.leaf[each]:
            for child in range(nodes.width[each]):
                queue[top] = nodes.first[each] + child
                top += 1
        place += 1
    return top


@compiled
def _heaviest(counts: Any, first: Any, width: Any) -> Any:
    """The heaviest branch, the last of equals."""
    heaviest, weight = first, 0.0
    for child in range(first, first + width):
        own = 0.0
        for each in counts[child]:
            own += each
        if weight - own < SMALL:
            heaviest, weight = child, own
    return heaviest


@compiled
def _replace(nodes: Any, node: Any, branch: Any) -> Any:
    nodes.feature[node] = nodes.feature[branch]
    nodes.threshold[node] = nodes.threshold[branch]
    nodes.first[node] = nodes.first[branch]
    nodes.width[node] = nodes.width[branch]
    nodes.leaf[node] = nodes.leaf[branch]
