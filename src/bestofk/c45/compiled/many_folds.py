"""Trees of many folds of one table: columns are coded and sorted once, a fold takes its rows out of them in order."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.c45.cases import Cases, Features, Ints
from bestofk.c45.compiled.answering import answer_rows
from bestofk.c45.compiled.bits import Tables, tables
from bestofk.c45.compiled.coding import coded
from bestofk.c45.compiled.compiling import allocating, compiled
from bestofk.c45.compiled.growing import grow
from bestofk.c45.compiled.pruning import cut_back
from bestofk.c45.compiled.sample import Pool, Sample, kept_in_order
from bestofk.c45.compiled.store import Store, new_store
from bestofk.c45.compiled.taking import find_averaged, mark, see_levels, shared_of, take_orders
from bestofk.c45.rules import Rules


class Table:
    """A table with its classes, ready for any folds; not to be used by two threads at once."""

    def __init__(self, features: Features, cases: Cases, y: Ints, classes: int, rules: Rules) -> None:
        self.rules, self.times, self.longest = rules, 1, 0
        table = coded(features, cases, y, classes, often=True)
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
