"""A tree grown from the root down, until no question helps."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.c45.cases import Training
from bestofk.c45.compiled.decorators import compiled
from bestofk.c45.compiled.pruning import cut_back
from bestofk.c45.compiled.split import question_for
from bestofk.c45.compiled.table import ends_here, kept_in_order, sample_of, tables
from bestofk.c45.compiled.thresholds import HANDFUL
from bestofk.c45.compiled.workspace import (
    Nodes,
    copy_rows,
    deal,
    deal_in_two,
    deal_order,
    find_branches,
    lay,
    new_store,
    part_whole,
)
from bestofk.c45.rules import SMALL, Rules
from bestofk.c45.tree import Tree


def learn(training: Training, rules: Rules) -> Tree:
    """Return the tree of the training rows."""
    sample, table, times = sample_of(training), tables(len(training.y)), 1
    kept = kept_in_order(sample.coded, sample.features)
    while True:  # most need one round; many fractions, or many levels, need more room
        nodes, heap, deck, room = new_store(sample, kept.copy(), rules.raising, times)
        used, lying = grow(sample, rules, table, nodes, heap, deck, room)
        if used > 0 and cut_back(sample, rules, nodes, used, heap, lying, deck, room):
            return _flat(nodes)
        times *= 2


def _flat(nodes: Nodes) -> Tree:
    """Number the nodes anew, level by level, without those below leaves."""
    old, first, leaf = [0], [], nodes.leaf
    for node in old:
        first.append(0 if leaf[node] else len(old))
        if not leaf[node]:
            old.extend(range(nodes.first[node], nodes.first[node] + nodes.width[node]))
    chosen = np.array(old)
    return Tree(
        np.where(leaf[chosen], np.int32(-1), nodes.feature[chosen]),
        np.where(leaf[chosen], np.nan, nodes.threshold[chosen]),
        np.array(first, dtype=np.int32),
        np.where(leaf[chosen], np.int32(0), nodes.width[chosen]),
        nodes.counts[chosen],
    )


@compiled
def grow(training: Any, rules: Any, table: Any, nodes: Any, heap: Any, deck: Any, room: Any) -> Any:
    """Return how many nodes there are and how many rows lie at leaves; -1 where there is too little room."""
    lying, used, top = np.int64(0), np.int64(1), np.int64(1)  # plain ones compile calls twice
    _plant(training, nodes, deck)
    while top > 0:
        top -= 1
        node, low, high = nodes.waiting[top, 0], nodes.waiting[top, 1], nodes.waiting[top, 2]
        feature, whole = -1, False
        counts = nodes.counts[node]
        nodes.leaf[node] = True
        if not ends_here(counts, rules.min_instances):
            whole = _weights_of_rows(deck.rows, deck.weights, low, high, room.weight)
            feature = question_for(
                training, rules, deck.rows[low:high], deck.order[:, low:high], counts, whole, room, table
            )
        if feature < 0:
            if rules.raising:
                lying = lay(nodes, node, heap, lying, deck.rows, deck.weights, low, high - low)
                if lying < 0:
                    return -1, 0
            continue
        levels = training.features.levels[feature]
        width = levels if levels > 0 else 2
        if used + width > nodes.leaf.shape[0]:
            return -1, 0
        _ask(nodes, node, used, feature, width, training, room.middle[feature])
        if whole and levels == 0 and not training.coded.gappy[feature]:
            lying = _halve(training, rules, nodes, node, heap, lying, deck, low, high, room)
            if lying < 0:
                return -1, 0
            top = _push(nodes, top, used, width, low, room)
            used += width
            continue
        missing = find_branches(
            feature, nodes.threshold[node], width, training.features, training.cases, deck, low, high, room
        )
        _count(nodes.counts, used, width, training.y, deck, low, high, room)
        kept, total = _layout(nodes.counts, used, width, rules.min_instances, room)
        if low + total > deck.rows.shape[0]:
            return -1, 0
        if rules.raising or kept:
            deal(deck, low, high, width, room)
            copy_rows(deck.spare, deck.spare_weights, 0, kept, deck.rows, deck.weights, low)
        if rules.raising:
            lying = _lay_all(nodes, used, width, heap, lying, deck, kept, room)
            if lying < 0:
                return -1, 0
        if kept and _some_need_order(width, room):
            _deal_orders(deck, low, high, width, missing, kept, room)
        top = _push(nodes, top, used, width, low, room)
        used += width
    return used, lying


@compiled
def _plant(training: Any, nodes: Any, deck: Any) -> Any:
    """The root with all rows."""
    rows = training.rows.shape[0]
    for place in range(rows):
        row = training.rows[place]
        nodes.counts[0, training.y[row]] += training.weights[place]
        deck.rows[place], deck.weights[place] = row, training.weights[place]
    nodes.waiting[0, 0], nodes.waiting[0, 1], nodes.waiting[0, 2] = 0, 0, rows


@compiled
def _weights_of_rows(rows: Any, weights: Any, low: Any, high: Any, weight: Any) -> Any:
    """Note the weight of each row in this node; returns whether all are 1."""
    whole = True
    for place in range(low, high):
        weight[rows[place]] = weights[place]
        whole = whole and weights[place] == 1.0
    return whole


@compiled
def _ask(nodes: Any, node: Any, used: Any, feature: Any, width: Any, training: Any, middle: Any) -> Any:
    """Give the node its question and its children, who are leaves as yet."""
    levels, slot = training.features.levels[feature], training.features.slot[feature]
    nodes.feature[node], nodes.first[node], nodes.width[node], nodes.leaf[node] = feature, used, width, False
    for child in range(used, used + width):
        nodes.leaf[child] = True
    if levels == 0:
        nodes.threshold[node] = largest_value(training.pool, slot, middle)


@compiled
def _halve(
    training: Any, rules: Any, nodes: Any, node: Any, heap: Any, lying: Any, deck: Any, low: Any, high: Any, room: Any
) -> Any:
    """Deal rows of weight 1 by a number that none lacks, in one pass; returns how many rows lie, -1: too many."""
    first, counts = nodes.first[node], nodes.counts
    numbers = training.cases.numbers[training.features.slot[nodes.feature[node]]]
    part_whole(numbers, nodes.threshold[node], training.y, deck, low, high, room)
    for label in range(counts.shape[1]):
        counts[first, label] = counts[node, label] - room.above[label]
        counts[first + 1, label] = room.above[label]
    kept, _ = _layout(counts, first, 2, rules.min_instances, room)
    left = room.size[0]
    for branch in range(2):
        if rules.raising and not room.live[branch] and lying >= 0:
            start = low + branch * left
            lying = lay(nodes, first + branch, heap, lying, deck.rows, deck.weights, start, room.size[branch])
    if room.live[1] and not room.live[0]:
        for place in range(room.size[1]):
            deck.rows[low + place] = deck.rows[low + left + place]
    if kept and _some_need_order(2, room):
        for line in range(deck.order.shape[0]):
            deal_in_two(deck.order[line], low, high, room, deck.spare)
    return lying


@compiled
def _count(counts: Any, first: Any, width: Any, y: Any, deck: Any, low: Any, high: Any, room: Any) -> Any:
    """Weight of each class in each child."""
    for place in range(low, high):
        row = deck.rows[place]
        branch = room.branch[row]
        if branch >= 0:
            counts[first + branch, y[row]] += deck.weights[place]
            continue
        for each in range(width):
            if room.fraction[each] > SMALL:
                counts[first + each, y[row]] += deck.weights[place] * room.fraction[each]


@compiled
def _layout(counts: Any, first: Any, width: Any, min_instances: Any, room: Any) -> Any:
    """Children that go on lie first, then those that end here; returns rows of the former, and of all."""
    total = 0
    for branch in range(width):
        room.live[branch] = not ends_here(counts[first + branch], min_instances)
        if room.live[branch]:
            room.cursor[branch] = total
            total += room.size[branch]
    kept = total
    for branch in range(width):
        if not room.live[branch]:
            room.cursor[branch] = total
            total += room.size[branch]
    return kept, total


@compiled
def _lay_all(nodes: Any, first: Any, width: Any, heap: Any, lying: Any, deck: Any, start: Any, room: Any) -> Any:
    """Rows of the children that end here."""
    for branch in range(width):
        if not room.live[branch] and lying >= 0:
            lying = lay(nodes, first + branch, heap, lying, deck.spare, deck.spare_weights, start, room.size[branch])
            start += room.size[branch]
    return lying


@compiled
def _some_need_order(width: Any, room: Any) -> Any:
    """Whether a child that goes on has more rows than are put in order one by one."""
    some = False
    for branch in range(width):
        some = some or (room.live[branch] and room.size[branch] > HANDFUL)
    return some


@compiled
def _deal_orders(deck: Any, low: Any, high: Any, width: Any, missing: Any, kept: Any, room: Any) -> Any:
    """Put the children's rows where their parent's were, in every order."""
    if width == 2 and not missing:
        for line in range(deck.order.shape[0]):
            deal_in_two(deck.order[line], low, high, room, deck.spare)
        return
    for line in range(deck.order.shape[0]):
        for branch in range(width):  # dealing has moved the cursors to the ends
            room.cursor[branch] -= room.size[branch]
        order = deck.order[line]
        deal_order(order, low, high, width, room, deck.spare)
        for place in range(kept):
            order[low + place] = deck.spare[place]


@compiled
def _push(nodes: Any, top: Any, first: Any, width: Any, low: Any, room: Any) -> Any:
    for branch in range(width):
        if room.live[branch]:
            high = low + room.size[branch]
            nodes.waiting[top, 0], nodes.waiting[top, 1], nodes.waiting[top, 2] = first + branch, low, high
            low = high
            top += 1
    return top


@compiled
def largest_value(pool: Any, slot: Any, middle: Any) -> Any:
    """Find it among the rows of the pool; NaN sorts last."""
    numbers, order = pool.numbers[slot], pool.order[slot]
    found = _present_below(numbers, order, pool.present, middle + SMALL)
    following = _present_below(numbers, order, pool.present, numbers[order[found]])
    value = numbers[order[found]]
    if following < 0 or value - numbers[order[following]] > SMALL:
        return value
    # Of values that are equal up to the margin the first that J48 meets stays.
    largest = -np.inf
    for row in pool.rows:
        if numbers[row] - middle < SMALL and numbers[row] - largest > SMALL:
            largest = numbers[row]
    return largest


@compiled
def _present_below(numbers: Any, order: Any, present: Any, limit: Any) -> Any:
    """The last place of a row that is present and below the limit; -1 where there is none."""
    low, high = 0, order.shape[0]
    while low < high:
        place = (low + high) // 2
        if numbers[order[place]] < limit:
            low = place + 1
        else:
            high = place
    place = low - 1
    while place >= 0 and not present[order[place]]:
        place -= 1
    return place
