"""Nodes, rows on their way and rows that lie at leaves, in arrays of fixed length; and rows dealt to branches.

Compiled code never makes the arrays longer: it gives up where they are too short, and is called again with longer ones.
A row whose value is missing goes to all branches, in fractions.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from bestofk.c45.compiled.decorators import compiled, inlined
from bestofk.c45.compiled.table import Coded, Sample
from bestofk.c45.rules import SMALL


class Nodes(NamedTuple):
    """``start`` and ``size`` say which rows lie at a leaf; a node made a leaf keeps its children, who hold its rows.

    ``waiting`` are nodes that are still to be looked at, with their place in the deck; ``trial`` has the class
    weights that a leaf would gain, 0 but while that is tried.
    """

    feature: Any
    threshold: Any
    first: Any
    width: Any
    counts: Any
    leaf: Any
    start: Any
    size: Any
    expected: Any
    waiting: Any
    trial: Any


class Heap(NamedTuple):
    """Rows with their weights."""

    rows: Any
    weights: Any


class Deck(NamedTuple):
    """The rows of the nodes that wait, one node after the other; ``order`` has them once more by each number."""

    rows: Any
    weights: Any
    spare: Any
    spare_weights: Any
    order: Any


class Room(NamedTuple):
    """Room to work in: for each class, each level, each row, each feature; counts and keys of a node's rows."""

    left: Any
    right: Any
    left_bits: Any
    right_bits: Any
    cells: Any
    bags: Any
    fraction: Any
    size: Any
    cursor: Any
    live: Any
    branch: Any
    weight: Any
    gain: Any
    ratio: Any
    middle: Any
    under: Any
    above: Any
    numbers: Any
    starts: Any
    sorted: Any


class Store(NamedTuple):
    """All of them."""

    nodes: Nodes
    heap: Heap
    deck: Deck
    room: Room


def new_store(training: Sample, order: Any, keep: bool, times: int) -> Store:
    """Room for a sample, so many times what most need; ``keep`` rows at leaves."""
    rows, levels, table = len(training.rows), training.features.levels, training.coded
    capacity = times * (2 * rows + int(levels.sum()) + 16)
    deck = _new_deck(rows if times == 1 and not table.gappy.any() else 2 * times * rows, order)
    room = _new_room(len(training.y), len(levels), max(2, int(levels.max())), table)
    most = 4 * times * rows * keep
    heap = Heap(np.empty(most, np.uint32), np.empty(most))
    return Store(_new_nodes(capacity, table.classes), heap, deck, room)


def _new_nodes(capacity: int, classes: int) -> Nodes:
    """Leaves without rows."""
    four = np.zeros((4, capacity), np.int32)
    counts, two = np.zeros((capacity, classes)), np.zeros((2, capacity))
    leaf, waiting = np.empty(capacity, np.bool_), np.empty((capacity, 3), np.int32)
    return Nodes(
        *(four[0], two[0], four[1], four[2], counts, leaf, np.zeros(capacity, np.int32), four[3], two[1], waiting),
        np.zeros((capacity, classes)),
    )


def _new_deck(capacity: int, order: Any) -> Deck:
    orders = order if capacity == order.shape[1] else np.empty((len(order), capacity), np.uint32)
    orders[:, : order.shape[1]] = order
    lines, weights = np.empty((2, capacity), np.uint32), np.empty((2, capacity))
    return Deck(lines[0], weights[0], lines[1], weights[1], orders)


def _new_room(rows: int, features: int, levels: int, table: Coded) -> Room:
    classes, codes = table.classes, int(table.size[table.line < 0].max(initial=1)) + 2
    by_class, by_level, by_feature = np.zeros((4, classes)), np.zeros((2, levels)), np.zeros((3, features))
    places = np.zeros((2, levels), np.int64)
    lines = np.zeros(levels, np.bool_), np.zeros(rows, np.int32), np.ones(rows)
    counting = *np.zeros((2, classes), np.int64), np.zeros(codes << table.shift, np.int32), np.zeros(codes, np.int32)
    parts: list[Any] = [*by_class, np.zeros((levels, classes)), *by_level, *places, *lines, *by_feature, *counting]
    parts.append(np.zeros(rows, np.uint32))
    return Room(*parts)


@compiled
def copy_rows(rows: Any, weights: Any, start: Any, number: Any, to_rows: Any, to_weights: Any, at: Any) -> Any:
    """Copy rows and weights, place by place: as slices they take long to compile."""
    for place in range(number):
        to_rows[at + place] = rows[start + place]
        to_weights[at + place] = weights[start + place]


@compiled
def lay(nodes: Any, node: Any, heap: Any, lying: Any, rows: Any, weights: Any, start: Any, number: Any) -> Any:
    """Rows that end at this leaf; returns how many lie there now, -1 where there is no more room."""
    if lying + number > heap.rows.shape[0]:
        return -1
    copy_rows(rows, weights, start, number, heap.rows, heap.weights, lying)
    nodes.start[node], nodes.size[node], nodes.width[node] = lying, number, 0
    return lying + number


@inlined
def branch_of(feature: Any, threshold: Any, features: Any, cases: Any, row: Any) -> Any:
    """The branch of a row, -1 where the value is missing."""
    slot = features.slot[feature]
    if features.levels[feature] > 0:
        return cases.codes[slot, row]
    number = cases.numbers[slot, row]
    if math.isnan(number):
        return -1
    return 1 if number - threshold >= SMALL else 0


@compiled
def find_branches(
    feature: Any, threshold: Any, width: Any, features: Any, cases: Any, deck: Any, low: Any, high: Any, room: Any
) -> Any:
    """Fill in branches, fractions and numbers of rows; returns whether some value is missing."""
    for branch in range(width):
        room.bags[branch], room.size[branch] = 0.0, 0
    missing, total = 0, 0.0
    for place in range(low, high):
        row = deck.rows[place]
        branch = branch_of(feature, threshold, features, cases, row)
        room.branch[row] = branch
        if branch >= 0:
            room.bags[branch] += deck.weights[place]
            room.size[branch] += 1
        else:
            missing += 1
    for branch in range(width):
        total += room.bags[branch]
    for branch in range(width):
        room.fraction[branch] = room.bags[branch] / total if total > SMALL else 1.0 / width
        if room.fraction[branch] > SMALL:
            room.size[branch] += missing
    return missing > 0


@compiled
def deal(deck: Any, low: Any, high: Any, width: Any, room: Any) -> Any:
    """Write rows and weights of each branch to the spare line, from its cursor on."""
    for place in range(low, high):
        row = deck.rows[place]
        branch = room.branch[row]
        if branch >= 0:
            deck.spare[room.cursor[branch]] = row
            deck.spare_weights[room.cursor[branch]] = deck.weights[place]
            room.cursor[branch] += 1
            continue
        for each in range(width):
            if room.fraction[each] > SMALL:
                deck.spare[room.cursor[each]] = row
                deck.spare_weights[room.cursor[each]] = deck.weights[place] * room.fraction[each]
                room.cursor[each] += 1


@compiled
def deal_in_two(order: Any, low: Any, high: Any, room: Any, spare: Any) -> Any:
    """Deal rows in another order to two branches, in place; only those that go on are kept.

    Every row is written to both, and only the one that it belongs to moves on: no jump that cannot be foreseen.
    """
    own, branches = order[low:high], room.branch
    left: Any = 0
    right: Any = 0
    for place in range(high - low):
        row = own[place]
        branch = np.int64(branches[np.uint64(row)])
        own[np.uint64(left)] = row
        spare[np.uint64(right)] = row
        left += 1 - branch
        right += branch
    start = left if room.live[0] else 0
    if room.live[1]:
        for place in range(right):
            own[start + place] = spare[place]


@compiled
def part_places(numbers: Any, threshold: Any, rows: Any, places: Any, low: Any, high: Any, spare: Any) -> Any:
    """Put the places of rows below a threshold before the others, all in their order; returns where those begin."""
    own = places[low:high]
    left: Any = 0
    right: Any = 0
    for each in range(high - low):
        place = own[each]
        branch = np.int64(numbers[np.uint64(rows[np.uint64(place)])] - threshold >= SMALL)
        own[np.uint64(left)] = place
        spare[np.uint64(right)] = place
        left += 1 - branch
        right += branch
    for each in range(right):
        own[left + each] = spare[each]
    return low + left


@compiled
def part_whole(numbers: Any, threshold: Any, y: Any, deck: Any, low: Any, high: Any, room: Any) -> Any:
    """The same for the rows of a node that all have weight 1; counts those above by class, and notes the branches."""
    own, spare, branches, above = deck.rows[low:high], deck.spare, room.branch, room.above
    left: Any = 0
    right: Any = 0
    for label in range(above.shape[0]):
        above[label] = 0
    for place in range(high - low):
        row = own[place]
        branch = np.int64(numbers[np.uint64(row)] - threshold >= SMALL)
        branches[np.uint64(row)] = branch
        above[np.uint64(y[np.uint64(row)])] += branch
        own[np.uint64(left)] = row
        spare[np.uint64(right)] = row
        left += 1 - branch
        right += branch
    for place in range(right):
        own[left + place] = spare[place]
    room.size[0], room.size[1] = left, right


@compiled
def deal_order(order: Any, low: Any, high: Any, width: Any, room: Any, to: Any) -> Any:
    """The same for any number of branches, from their cursors on."""
    cursor, branches = room.cursor, room.branch
    for place in range(low, high):
        row = order[place]
        branch = branches[row]
        if branch >= 0:
            to[cursor[branch]] = row
            cursor[branch] += 1
            continue
        for each in range(width):
            if room.fraction[each] > SMALL:
                to[cursor[each]] = row
                cursor[each] += 1
