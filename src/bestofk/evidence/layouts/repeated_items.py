"""Items that occur in several replications: an entry is an item in its replication, or in its random split."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.phrases import counted, listed
from bestofk.evidence.divisions import Division, Indices, are_rounds, division_of, refuse_other_division
from bestofk.evidence.layouts.cells import Codes, Grid, Key, is_absurd, joined, key_of, one_per_cell
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.natural_order import last_number_first
from bestofk.tables.table import Table

_BY_FOLD = "tests take the mean of every test set, not items one by one"
_OTHER_ROWS = "rows of different folds are taken for different items: a column item names those that are the same"
_BY_ITEM = "tests of items one by one take the mean of an item's outcomes"


@dataclass(frozen=True, eq=False)
class Entries:
    """What rows are about: ``entry`` tells an item of one replication from the same item of another.

    ``within`` are the replications (or random splits) that have the same items; None where no item occurs twice.
    """

    entry: Key
    unit: Key
    groups: tuple[str, ...] | None
    within: Key | None = None

    @property
    def unit_of(self) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        """The code of the item of every entry."""
        found = np.zeros(len(self.entry.names), dtype=np.int64)
        found[self.entry.codes] = self.unit.codes
        return found

    @property
    def units(self) -> tuple[str, ...] | None:
        """The item of every entry; None where an entry is an item."""
        return None if self.within is None else tuple(self.unit.names[code] for code in self.unit_of)


def entries_of(
    table: Table, folds: Mapping[str, str], learner: Key, item: Key, groups: tuple[str, ...] | None
) -> Entries:
    """Tell the same item of several replications apart, by the replication where there is one, else by the fold."""
    if not folds or not _repeats(learner, item):
        return Entries(item, item, groups)
    role = "replication" if "replication" in folds else "fold"
    within = key_of(table, role, folds[role], sort=True)
    both = joined("item", [within, item])
    named = np.empty(len(both.names), dtype=object)
    used, first = np.unique(both.codes, return_index=True)
    named[used] = [f"{item.names[item.codes[row]]} of {role} {within.names[within.codes[row]]}" for row in first]
    made = Entries(Key("item", both.codes, tuple(named)), item, None, within)
    return Entries(made.entry, item, None if groups is None else tuple(groups[code] for code in made.unit_of), within)


def folds_of_entries(
    table: Table, roles: Roles, folds: Mapping[str, str], entries: Entries, request: Request
) -> dict[str, Any]:
    """Replication and fold of every entry, and the share of test data of random splits."""
    within = entries.within
    assert within is not None
    kept = (
        _by_items(table, roles, entries, request)
        if "replication" not in folds
        else _as_named(table, roles, folds, entries)
    )
    share = request.test_fraction or kept.get("test_fraction")
    number = counted(len(set(kept["replications"])), "random split" if share else "replication")
    by_fold = share or len(set(kept.get("folds", ()))) > 1
    roles.notes.append(f"the same items occur in {number}: {_BY_FOLD if by_fold else _BY_ITEM}")
    return {"units": entries.units, **kept}


def _as_named(table: Table, roles: Roles, folds: Mapping[str, str], entries: Entries) -> dict[str, Any]:
    kept = {"replications": _within(entries)}
    if "fold" in folds:
        found = one_per_cell(table, folds["fold"], entries.entry.codes, len(entries.entry.names), what="fold")
        refuse_unnamed(table, folds["fold"], found == "", entries.entry, "fold")
        note_empty(table, roles, folds["fold"], "fold")
        kept["folds"] = tuple(found)
    return kept


def _by_items(table: Table, roles: Roles, entries: Entries, request: Request) -> dict[str, Any]:
    """Folds without replications: those that cover all items in turn are replications, others are random splits."""
    within = entries.within
    assert within is not None
    places = np.zeros(len(entries.entry.names), dtype=np.int64)
    places[entries.entry.codes] = within.codes
    test = [entries.unit_of[places == fold] for fold in range(len(within.names))]
    order = _order_of_rounds(test, within.names)
    if request.test_fraction is None:
        if request.replications is None:
            _refuse_restarts(table, entries, test)
        _refuse_some_twice(table, entries, test)
    division = division_of([test[fold] for fold in order], None, table.source, said_share=request.test_fraction)
    refuse_other_division(division, request.replications, request.test_fraction, table.source)
    if division.test_fraction is not None:
        return {"replications": _within(entries), "test_fraction": division.test_fraction}
    roles.notes.append(f"by their items the folds are {division}")
    return _numbered(np.argsort(order)[places], division)


def _order_of_rounds(test: Indices, names: tuple[str, ...]) -> list[int]:
    """Folds in an order in which they cover all items in turn: that of their names, or f0r0, f1r0 … before f0r1."""
    named = list(range(len(names)))
    other = sorted(named, key=lambda fold: last_number_first(names[fold]))
    return next((order for order in (named, other) if are_rounds([test[fold] for fold in order])), named)


def _refuse_restarts(table: Table, entries: Entries, test: Indices) -> None:
    """Refuse folds that all begin with the same items: each may count its own from 0 up, or be a round over all."""
    within = entries.within
    sets = sorted(test, key=len)
    if within is None or len(sets) < 2 or not all(np.isin(less, more).all() for less, more in pairwise(sets)):
        return
    item = int(sets[0].min())
    rows = np.flatnonzero(entries.unit.codes == item)
    row = int(rows[np.argmax(within.codes[rows] != within.codes[rows[0]])])
    same = "the very same items" if len(sets[0]) == len(sets[-1]) else "no others than the largest has"
    raise InputError(
        f"item {entries.unit.names[item]} is in every fold, and every fold has {same}: items that are numbered anew in "
        "each fold, or rounds over the same ones.",
        table.where(row=row),
        "give the items names of their own, unique over the folds (such as 2.17 in fold 2); or, if these are rounds "
        "over the same items, give a column replication in the place of fold.",
    )


def _refuse_some_twice(table: Table, entries: Entries, test: Indices) -> None:
    """Refuse an item in two folds where most are in one: a row too many rather than random splits."""
    within = entries.within
    times = np.bincount(np.concatenate(test), minlength=len(entries.unit.names))
    twice = np.flatnonzero(times > 1)
    if within is None or 2 * twice.size >= times.size:
        return
    item = int(twice[0])
    rows = np.flatnonzero(entries.unit.codes == item)
    row = int(rows[np.argmax(within.codes[rows] != within.codes[rows[0]])])
    folds = [name for name, each in zip(within.names, test, strict=True) if item in each]
    rest = "other items are in one" if twice.size == 1 else f"so are {twice.size - 1} of {times.size - 1} others"
    raise InputError(
        f"item {entries.unit.names[item]} is in folds {listed(folds)}, and {rest}: these are neither folds "
        "nor repeated folds, and for random splits no share of test data is said.",
        table.where(row=row),
        "keep one row of every item and learner, or name the replications in a column replication; or, if these are "
        "random splits with 30 % test data, say --test-fraction 0.3.",
    )


def _numbered(places: Codes, division: Division) -> dict[str, Any]:
    replications, folds = np.divmod(places, division.folds)
    return {
        "replications": tuple(str(number + 1) for number in replications),
        "folds": tuple(str(number + 1) for number in folds),
    }


def _within(entries: Entries) -> tuple[str, ...]:
    assert entries.within is not None
    names = np.empty(len(entries.entry.names), dtype=object)
    names[entries.entry.codes] = np.array(entries.within.names, dtype=object)[entries.within.codes]
    return tuple(names)


def unnamed_units(kept: Mapping[str, Any], roles: Roles) -> dict[str, Any]:
    """Rows of several replications that no column names may be the same items: none is known."""
    replications = kept.get("replications", ())
    if len(set(replications)) < 2:
        if len(set(kept.get("folds", ()))) > 1:
            roles.notes.append(_OTHER_ROWS)
        return {}
    roles.notes.append("no column names the items, which may be the same in all replications: folds are compared")
    return {"units": ("",) * len(replications)}


class UnnamedFold(InputError):
    """An item whose fold or replication no row tells."""


def refuse_unnamed(table: Table, column: str, unknown: Any, item: Key, role: str) -> None:
    """Refuse an item whose fold or replication no row tells."""
    if unknown.any():
        row = int(np.argmax(unknown[item.codes]))
        raise UnnamedFold(
            f"the {role} of item {item.names[item.codes[row]]} is empty.",
            table.where(row=row, column=column),
            f"name the {role}, or remove the column {column}.",
        )


def note_empty(table: Table, roles: Roles, column: str, role: str) -> None:
    """Say that empty cells were filled from other rows of the same item."""
    empty = int((table.text(column).codes < 0).sum())
    if empty:
        roles.notes.append(f"the {role} of {counted(empty, 'row')} is empty and was taken from other rows of its item")


def _repeats(learner: Key, item: Key) -> bool:
    """Whether a learner has an item twice; what is no table at all is refused where its cells are filled."""
    size = len(item.names) * len(learner.names)
    if is_absurd(size, len(item.codes)):
        return False
    cells = item.codes.astype(np.int64) + len(item.names) * learner.codes.astype(np.int64)
    return int(Grid(cells, (size,)).seen.sum()) < len(cells)
