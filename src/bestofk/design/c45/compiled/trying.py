"""What a branch would cost in its parent's place, where no value is missing: only its siblings' rows have to move."""

from __future__ import annotations

from typing import Any

from bestofk.design.c45.compiled.compiling import compiled
from bestofk.design.c45.compiled.dealing import branch_of
from bestofk.design.c45.compiled.pessimism import expected_errors
from bestofk.design.c45.margins import SMALL


@compiled
def errors_if_raised(node: Any, branch: Any, nodes: Any, heap: Any, training: Any, rules: Any) -> Any:
    """Errors to expect at the leaves of the branch with all rows of the node; everything stays as it is."""
    for sibling in range(nodes.first[node], nodes.first[node] + nodes.width[node]):
        if sibling != branch:
            _send(sibling, branch, nodes, heap, training)
    errors, waiting, top = 0.0, nodes.waiting, 1
    waiting[0, 0] = branch
    while top > 0:
        top -= 1
        each = waiting[top, 0]
        if nodes.leaf[each]:
            errors += _expected(each, nodes, rules)
            continue
        for child in range(nodes.first[each], nodes.first[each] + nodes.width[each]):
            waiting[top, 0] = child
            top += 1
    return errors


@compiled
def _send(sibling: Any, branch: Any, nodes: Any, heap: Any, training: Any) -> Any:
    """Let all rows below a node walk down the branch, and note at which leaves they arrive."""
    waiting, top = nodes.waiting, 1
    waiting[0, 0] = sibling
    while top > 0:
        top -= 1
        each = waiting[top, 0]
        for child in range(nodes.first[each], nodes.first[each] + nodes.width[each]):
            waiting[top, 0] = child
            top += 1
        if nodes.width[each] > 0:
            continue
        for place in range(nodes.start[each], nodes.start[each] + nodes.size[each]):
            row, at = heap.rows[place], branch
            while not nodes.leaf[at]:
                step = branch_of(nodes.feature[at], nodes.threshold[at], training.features, training.cases, row)
                at = nodes.first[at] + step
            nodes.trial[at, training.y[row]] += heap.weights[place]


@compiled
def _expected(leaf: Any, nodes: Any, rules: Any) -> Any:
    """Errors to expect with the rows that arrived; those are forgotten."""
    gained, trial = 0.0, nodes.trial[leaf]
    for weight in trial:
        gained += weight
    if gained < SMALL:
        return nodes.expected[leaf]
    for label in range(trial.shape[0]):
        trial[label] += nodes.counts[leaf, label]
    errors = expected_errors(trial, rules.confidence, rules.deviate)
    for label in range(trial.shape[0]):
        trial[label] = 0.0
    return errors
