"""Trees of many folds of one table: columns are coded and sorted once, a fold takes its rows out of them in order."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from bestofk.c45.cases import Cases, Features, Ints
from bestofk.c45.compiled.decorators import allocating, compiled, inlined
from bestofk.c45.compiled.pruning import cut_back
from bestofk.c45.compiled.table import Pool, Sample, Tables, coded, kept_in_order, key_levels, tables
from bestofk.c45.compiled.tree import grow
from bestofk.c45.compiled.workspace import Store, branch_of, new_store, part_places
from bestofk.c45.rules import MANY_LEVELS, SMALL, Rules


class Table:
    """A table with its classes, ready for any folds; not to be used by two threads at once."""

    def __init__(self, features: Features, cases: Cases, y: Ints, classes: int, rules: Rules) -> None:
        self.rules, self.times, self.longest = rules, 1, 0
        table = coded(features, cases, y, classes)
        self.shared = shared_of(features, cases, kept_in_order(table, features))
        own = Features(features.slot, features.levels.copy())
        everybody, flags = np.arange(len(y)), np.ones(len(features.slot), np.bool_)
        pool = Pool(cases.numbers, table.order, everybody, np.ones(len(y), np.bool_))
        self._size = table.size.copy()
        self.sample = Sample(
            own, Cases(cases.numbers, cases.codes.copy()), y, table, everybody, np.ones(len(y)), classes, flags, pool
        )
        self.tables: Tables = tables(len(y))
        self.store: Store | None = None

    def answers(self, trains: list[Any], tests: list[Any]) -> list[Any]:
        """Class codes of the test rows of each fold."""
        train, train_at = _joined(trains)
        test, test_at = _joined(tests)
        found, done = np.empty(len(test), np.int64), 0
        self._make_room(max(len(rows) for rows in trains))
        while True:  # most need one round; many fractions, or many levels, need more room
            assert self.store is not None
            done = answer_folds(
                self.sample,
                self.shared,
                self.rules,
                self.tables,
                *self.store,
                train,
                train_at,
                test,
                test_at,
                found,
                done,
            )
            if done == len(trains):
                return np.split(found, test_at[1:-1])
            self.times *= 2
            self.store = None
            self._make_room(max(len(rows) for rows in trains))

    def _make_room(self, rows: int) -> None:
        if self.store is not None and rows <= self.longest:
            return
        self.longest = rows
        whole = Features(self.sample.features.slot, self.shared.levels)  # folds may have fewer levels
        table = self.sample.coded._replace(size=self._size)
        sample = self.sample._replace(rows=np.zeros(rows, np.int64), features=whole, coded=table)
        if rows >= len(self.tables.bits):  # repeated rows
            self.tables = tables(rows)
        if rows > len(self.shared.ones):
            self.shared = self.shared._replace(ones=np.ones(rows))
        order = np.zeros((len(self.shared.kept), rows), np.uint32)
        store = new_store(sample, order, self.rules.raising, self.times)
        self.store = store._replace(room=store.room._replace(sorted=np.zeros(rows, np.uint32)))


def _joined(parts: list[Any]) -> tuple[Any, Any]:
    starts = np.zeros(len(parts) + 1, np.int64)
    np.cumsum([len(part) for part in parts], out=starts[1:])
    return np.concatenate(parts).astype(np.int64, copy=False), starts


@allocating
def answer_folds(
    base: Any,
    shared: Any,
    rules: Any,
    table: Any,
    nodes: Any,
    heap: Any,
    deck: Any,
    room: Any,
    train: Any,
    train_at: Any,
    test: Any,
    test_at: Any,
    found: Any,
    done: Any,
) -> Any:
    """Learn and answer fold after fold; returns how many are done, fewer than all where the room is too little."""
    while done < train_at.shape[0] - 1:
        rows = train[train_at[done] : train_at[done + 1]]
        classes = mark(rows, base, shared)
        see_levels(base, shared, room.cursor)
        find_averaged(base.features.levels, float(rows.shape[0]), base.averaged)
        take_orders(shared, deck.order)
        pool = Pool(base.pool.numbers, base.pool.order, rows, base.pool.present)
        sample = Sample(
            base.features,
            base.cases,
            base.y,
            base.coded,
            rows,
            shared.ones[: rows.shape[0]],
            classes,
            base.averaged,
            pool,
        )
        used, lying = grow(sample, rules, table, nodes, heap, deck, room)
        if used < 0 or not cut_back(sample, rules, nodes, used, heap, lying, deck, room):
            return done
        asked = test[test_at[done] : test_at[done + 1]]
        answers = found[test_at[done] : test_at[done + 1]]
        answer_rows(nodes, base.features, base.cases, base.coded.gappy, asked, room.left, answers)
        _forget(nodes, used)
        done += 1
    return done


@compiled
def _forget(nodes: Any, used: Any) -> Any:
    """Make the nodes leaves without rows again."""
    for node in range(used):
        nodes.width[node] = nodes.first[node] = nodes.size[node] = nodes.start[node] = 0
        for label in range(nodes.counts.shape[1]):
            nodes.counts[node, label] = 0.0


class Shared(NamedTuple):
    """What no fold changes: levels and codes of the nominal features, their rows level by level, rows in order.

    ``starts`` of feature slot s and level k are at ``base[s] + k``; ``times`` and ``changed`` are room to work in: how
    often a fold has each row, and which nominal features the last fold saw with fewer levels.
    """

    levels: Ints
    codes: Ints
    kept: Any
    base: Any
    starts: Any
    rows: Any
    times: Ints
    changed: Any
    ones: Any


def shared_of(features: Features, cases: Cases, kept: Any) -> Shared:
    """Collect the rows of each level."""
    widths = features.levels[features.levels > 0]
    base = np.cumsum(widths + 1) - (widths + 1)
    lines = [
        np.flatnonzero(line == level)
        for line, width in zip(cases.codes, widths, strict=True)
        for level in range(width + 1)
    ]  # the last holds none: it only ends the line
    starts = np.append(0, np.cumsum([len(line) for line in lines], dtype=np.int64)).astype(np.int64)
    return Shared(
        features.levels.copy(),
        cases.codes.copy(),
        kept,
        base.astype(np.int64),
        starts,
        np.concatenate([np.zeros(0, np.int64), *lines]),
        np.zeros(cases.numbers.shape[1], np.int32),
        np.zeros(len(widths), np.bool_),
        np.ones(cases.numbers.shape[1]),
    )


@allocating
def mark(rows: Any, base: Any, shared: Any) -> Any:
    """Note which rows the fold has, and how often; returns how many classes it has."""
    for row in range(shared.times.shape[0]):
        shared.times[row] = 0
    there = np.zeros(base.coded.classes, np.bool_)
    for row in rows:
        shared.times[row] += 1
        there[base.y[row]] = True
    for row in range(shared.times.shape[0]):
        base.pool.present[row] = shared.times[row] > 0
    classes = 0
    for each in there:
        classes += each
    return classes


@compiled
def see_levels(base: Any, shared: Any, place_of: Any) -> Any:
    """Number the levels that the fold has; a level that it lacks is missing."""
    for feature in range(shared.levels.shape[0]):
        levels, slot = shared.levels[feature], base.features.slot[feature]
        if levels == 0:
            continue
        seen = 0
        for level in range(levels):
            place_of[level] = -1
            at = shared.base[slot] + level
            for place in range(shared.starts[at], shared.starts[at + 1]):
                if base.pool.present[shared.rows[place]]:
                    place_of[level] = seen
                    seen += 1
                    break
        if seen == levels and not shared.changed[slot]:
            continue
        shared.changed[slot] = seen < levels
        base.features.levels[feature] = base.coded.size[feature] = max(seen, 1)
        for row in range(shared.times.shape[0]):
            code = shared.codes[slot, row]
            base.cases.codes[slot, row] = place_of[code] if code >= 0 else -1
        key_levels(base.cases.codes[slot], max(seen, 1), base.y, base.coded.shift, base.coded.keys[feature])


@compiled
def find_averaged(levels: Any, weight: Any, averaged: Any) -> Any:
    """Which features count in the average gain: those with few levels, or all where none has few."""
    some = False
    for feature in range(levels.shape[0]):
        averaged[feature] = levels[feature] == 0 or MANY_LEVELS * weight - levels[feature] > SMALL
        some = some or averaged[feature]
    if not some:
        for feature in range(levels.shape[0]):
            averaged[feature] = True


@compiled
def take_orders(shared: Any, order: Any) -> Any:
    """The rows of the fold in the order of each feature that is kept so; repeated rows as often as they are there."""
    number, most = 0, 0
    for times in shared.times:
        number += times
        most = max(most, times)
    for line in range(shared.kept.shape[0]):
        to = order[line]
        place: Any = 0
        if most == 1:
            for row in shared.kept[line]:  # a row that the fold has not is overwritten by the next
                if place == number:
                    break
                to[np.uint64(place)] = row
                place += np.int64(shared.times[np.uint64(row)])
            continue
        for row in shared.kept[line]:
            for _ in range(shared.times[row]):
                to[place] = row
                place += 1


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
