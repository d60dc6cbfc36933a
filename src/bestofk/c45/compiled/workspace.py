"""Nodes, rows on their way and rows that lie at leaves, in arrays of fixed length; and room to work in.

Compiled code never makes them longer: it gives up where they are too short, and is called again with longer ones.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bestofk.c45.compiled.decorators import compiled
from bestofk.c45.compiled.table import Coded, Sample, thin_cells


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
    thin: Any
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
    parts += [np.zeros(thin_cells(table), np.int32), np.zeros(rows, np.uint32)]
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
