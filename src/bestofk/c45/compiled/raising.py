"""Rows dealt once more down a branch that may take, or has taken, its parent's place."""

from __future__ import annotations

from typing import Any

from bestofk.c45.compiled.compiling import compiled
from bestofk.c45.compiled.dealing import deal, find_branches
from bestofk.c45.compiled.pessimism import expected_errors
from bestofk.c45.compiled.store import copy_rows, lay


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
