"""What a branch would cost in its parent's place, where no value is missing: only its siblings' rows have to move."""

from __future__ import annotations

from typing import Any

from bestofk.c45.compiled.compiling import compiled, inlined
from bestofk.c45.compiled.dealing import branch_of, part_places
from bestofk.c45.compiled.pessimism import expected_errors
from bestofk.c45.margins import SMALL


@compiled
def errors_if_raised(node: Any, branch: Any, nodes: Any, heap: Any, training: Any, rules: Any, deck: Any) -> Any:
    """Errors to expect at the leaves of the branch with all rows of the node; everything stays as it is."""
    for sibling in range(nodes.first[node], nodes.first[node] + nodes.width[node]):
        if sibling != branch:
            _send(sibling, branch, nodes, heap, training, deck)
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
def _send(sibling: Any, branch: Any, nodes: Any, heap: Any, training: Any, deck: Any) -> Any:
    """Let all rows below a node walk down the branch, those of a node at once, and note at which leaves they arrive."""
    waiting, top, places = nodes.waiting, 1, deck.rows
    waiting[0, 0], waiting[0, 1], waiting[0, 2] = branch, 0, _places_below(sibling, nodes, places)
    while top > 0:
        top -= 1
        at, low, high = waiting[top, 0], waiting[top, 1], waiting[top, 2]
        feature, first = nodes.feature[at], nodes.first[at]
        if nodes.leaf[at] or training.features.levels[feature] > 0:
            for each in range(low, high):
                _arrive(at, places[each], nodes, heap, training)
            continue
        numbers = training.cases.numbers[training.features.slot[feature]]
        middle = part_places(numbers, nodes.threshold[at], heap.rows, places, low, high, deck.spare)
        if middle > low:
            waiting[top, 0], waiting[top, 1], waiting[top, 2] = first, low, middle
            top += 1
        if high > middle:
            waiting[top, 0], waiting[top, 1], waiting[top, 2] = first + 1, middle, high
            top += 1


@compiled
def _places_below(node: Any, nodes: Any, places: Any) -> Any:
    """Where the rows below a node lie in the heap; returns how many they are."""
    waiting, top, number = nodes.waiting, 1, 0
    waiting[0, 0] = node
    while top > 0:
        top -= 1
        each = waiting[top, 0]
        for child in range(nodes.first[each], nodes.first[each] + nodes.width[each]):
            waiting[top, 0] = child
            top += 1
        if nodes.width[each] > 0:
            continue
        for place in range(nodes.start[each], nodes.start[each] + nodes.size[each]):
            places[number] = place
            number += 1
    return number


@inlined
def _arrive(at: Any, place: Any, nodes: Any, heap: Any, training: Any) -> Any:
    """Let one row walk on to its leaf."""
    row = heap.rows[place]
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
