"""Collapsing and pessimistic pruning: leaf, largest branch or subtree, whichever promises the fewest new errors."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.c45 import pruning
from bestofk.c45.compiled.decorators import allocating, compiled, inlined
from bestofk.c45.compiled.workspace import branch_of, copy_rows, deal, find_branches, lay, part_places
from bestofk.c45.rules import BENEFIT, SMALL, WORTHLESS


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
    top = _queued(nodes, np.int64(0), queue, np.int64(0))
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


@compiled
def collapse(nodes: Any, used: Any) -> Any:
    """From the root down; children come after their parents, so that one pass each way is enough."""
    below = nodes.expected
    for node in range(used - 1, -1, -1):
        below[node] = 0.0
        for child in range(nodes.first[node], nodes.first[node] + nodes.width[node]):
            below[node] += below[child]
        if nodes.leaf[node]:
            below[node] = errors_of(nodes.counts[node])
    for node in range(used):
        if not nodes.leaf[node] and below[node] >= errors_of(nodes.counts[node]) - WORTHLESS:
            nodes.leaf[node] = True


@compiled
def errors_of(counts: Any) -> Any:
    """Weight of all classes but the most frequent."""
    total, largest = 0.0, 0.0
    for weight in counts:
        total += weight
        largest = max(largest, weight)
    return total - largest


added_errors = compiled(pruning.added_errors)


@compiled
def expected_errors(counts: Any, confidence: Any, deviate: Any) -> Any:
    """Errors among the training rows and those to add; none where there are no rows."""
    total, largest = 0.0, 0.0
    for weight in counts:
        total += weight
        largest = max(largest, weight)
    if total < SMALL:
        return 0.0
    return total - largest + added_errors(total, total - largest, confidence, deviate)


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
            errors += _expected_at(each, nodes, rules)
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
def _expected_at(leaf: Any, nodes: Any, rules: Any) -> Any:
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


@compiled
def gather(node: Any, nodes: Any, heap: Any, top: Any, deck: Any, marks: Any) -> Any:
    """Lay the rows of a node on the deck, from the leaves below; fractions of a row are put together again.

    Nodes wait from place ``top`` on; ``marks`` are -1 for all rows, before and after. Returns how many rows there are.
    """
    bottom, number = top, 0
    nodes.waiting[top, 0] = node
    top += 1
    while top > bottom:
        top -= 1
        each = nodes.waiting[top, 0]
        for child in range(nodes.first[each], nodes.first[each] + nodes.width[each]):
            nodes.waiting[top, 0] = child
            top += 1
        if nodes.width[each] > 0:
            continue
        for place in range(nodes.start[each], nodes.start[each] + nodes.size[each]):
            row = heap.rows[place]
            if marks[row] < 0:
                marks[row] = number
                deck.rows[number], deck.weights[number] = row, 0.0
                number += 1
            deck.weights[marks[row]] += heap.weights[place]
    for place in range(number):
        marks[deck.rows[place]] = -1
    return number


@compiled
def deal_down(
    node: Any,
    number: Any,
    nodes: Any,
    top: Any,
    heap: Any,
    lying: Any,
    training: Any,
    rules: Any,
    deck: Any,
    room: Any,
    filled: Any,
) -> Any:
    """Deal the rows on the deck down a subtree; returns the errors to expect at its leaves, and how many rows lie.

    With ``filled`` the nodes take the rows for their own, else they stay as they are; -1 where the room is too little.
    """
    errors, bottom, counts, waiting = 0.0, top, room.left, nodes.waiting
    waiting[top, 0], waiting[top, 1], waiting[top, 2] = node, 0, number
    top += 1
    while top > bottom:
        top -= 1
        each, low, high = waiting[top, 0], waiting[top, 1], waiting[top, 2]
        if filled or nodes.leaf[each]:
            _count(training.y, deck, low, high, counts)
            if filled:
                for label in range(counts.shape[0]):
                    nodes.counts[each, label] = counts[label]
        if nodes.leaf[each]:
            errors += expected_errors(counts, rules.confidence, rules.deviate)
            if filled:
                lying = lay(nodes, each, heap, lying, deck.rows, deck.weights, low, high - low)
                if lying < 0:
                    return errors, lying
            continue
        width = nodes.width[each]
        find_branches(
            nodes.feature[each], nodes.threshold[each], width, training.features, training.cases, deck, low, high, room
        )
        total = _layout(width, room)
        if low + total > deck.rows.shape[0]:
            return errors, -1
        deal(deck, low, high, width, room)
        copy_rows(deck.spare, deck.spare_weights, 0, total, deck.rows, deck.weights, low)
        top = _push(waiting, top, nodes.first[each], width, low, room, filled)
    return errors, lying


@compiled
def _count(y: Any, deck: Any, low: Any, high: Any, counts: Any) -> Any:
    for label in range(counts.shape[0]):
        counts[label] = 0.0
    for place in range(low, high):
        counts[y[deck.rows[place]]] += deck.weights[place]


@compiled
def _layout(width: Any, room: Any) -> Any:
    total = 0
    for branch in range(width):
        room.cursor[branch] = total
        total += room.size[branch]
    return total


@compiled
def _push(waiting: Any, top: Any, first: Any, width: Any, low: Any, room: Any, filled: Any) -> Any:
    """A branch without rows expects no errors, but where it is filled it must forget those that it had."""
    for branch in range(width):
        high = low + room.size[branch]
        if filled or high > low:
            waiting[top, 0], waiting[top, 1], waiting[top, 2] = first + branch, low, high
            top += 1
        low = high
    return top
