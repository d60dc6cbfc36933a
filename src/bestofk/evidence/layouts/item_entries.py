"""Which rows are of which item, and its replication and fold.

The same item may occur in several replications: an entry is an item in its replication, or in its random split.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from bestofk.core.arrays import Flags
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.names import plain
from bestofk.core.phrases import listed
from bestofk.evidence.columns import CROSSING_GROUPS, roles_of_name
from bestofk.evidence.divisions import Indices, are_rounds, division_of
from bestofk.evidence.layouts.grid import Codes, Grid, Key, is_absurd, joined, key_of, one_per_cell
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.natural_order import last_number_first
from bestofk.tables.table import Table

_OTHER_ROWS = "rows of different folds are taken for different items: a column item names those that are the same"


@frozen(eq=False)
class Entries:
    """What rows are about: ``entry`` tells an item of one replication from the same item of another.

    ``within`` are the replications (or random splits) that have the same items; None where no item occurs twice.
    """

    entry: Key
    unit: Key
    groups: tuple[str, ...] | None
    group_name: str
    within: Key | None = None


def entries_of(table: Table, roles: Roles, folds: Mapping[str, str], learner: Key, repeat: Key | None) -> Entries:
    """Tell the same item of several replications apart, by the replication where there is one, else by the fold.

    Repeats of an item are no entries of their own.
    """
    item, groups, called = _items(table, roles, learner)
    if not folds or not _repeats(learner, item if repeat is None else joined("item", [item, repeat])):
        return Entries(item, item, groups, called)
    role = "replication" if "replication" in folds else "fold"
    within = key_of(table, role, folds[role], sort=True)
    both = joined("item", [within, item])
    named = zip(both.names_in(item), both.names_in(within), strict=True)
    entry = Key("item", both.codes, tuple(f"{name} of {role} {place}" for name, place in named))
    of_entries = None if groups is None else tuple(groups[code] for code in both.carry(item.codes))
    return Entries(entry, item, of_entries, called, within)


def _items(table: Table, roles: Roles, learner: Key) -> tuple[Key, tuple[str, ...] | None, str]:
    """The items, the group of each, and what a group is: an item number may start again in every group or data set."""
    item = key_of(table, "item", roles.column.get("item"))
    named = {role: key_of(table, role, roles.column[role]) for role in ("dataset", "group") if role in roles}
    parents = [key for role, key in named.items() if len(key.names) > 1 or not _may_be_dataset(roles.column[role])]
    if not parents:
        return item, None, "group"
    called = _noun(roles.column[parents[0].role]) if len(parents) == 1 else "group"
    parent = joined("group", parents)
    both = joined("item", [parent, item])
    if len(both.names) > len(item.names):
        _refuse_item_in_two_groups(table, roles, learner, item, parent, both)
    names = both.names_in(item)
    item = Key("item", both.codes, names if len(set(names)) == len(names) else both.names)
    return item, both.names_in(parent), called


def _noun(column: str) -> str:
    """What one group is, from the name of its column: a task, a subject, a user."""
    return {"dataset": "data set"}.get(plain(column), plain(column).removesuffix("_id").replace("_", " "))


def _may_be_dataset(column: str) -> bool:
    """Whether a column may name the one data set that all items are of, which is then no group of them."""
    return "dataset" in roles_of_name(column)


def _refuse_item_in_two_groups(table: Table, roles: Roles, learner: Key, item: Key, parent: Key, both: Key) -> None:
    """Refuse groups that cut across items; items that start again in every group have most of their names in common."""
    items, groups = both.carry(item.codes), both.carry(parent.codes)
    twice = np.bincount(items, minlength=len(item.names)) > 1
    column = roles.column.get("group", roles.column.get("dataset", ""))
    wrong = twice & ~_in_two_of_one_learner(learner, item, both, items)
    if plain(column) in CROSSING_GROUPS or not _start_again(items, groups, twice):
        wrong = twice
    if wrong.any():
        row = int(np.argmax(wrong[item.codes]))
        other = int(np.argmax((item.codes == item.codes[row]) & (parent.codes != parent.codes[row])))
        there, here = (parent.names[parent.codes[each]] for each in (row, other))
        raise InputError(
            f"item {item.names[item.codes[row]]} is in group {here}, but in group {there} in {table.row_place(row)}.",
            table.where(row=other, column=column),
            "give an item the same group in all rows, and different items different names; if the same items are asked "
            f"again in every {table.called.get(column, column)}, call that column repeat: they are averaged.",
        )


def _in_two_of_one_learner(learner: Key, item: Key, both: Key, items: Codes) -> Flags:
    """Per item: whether a learner has it in two groups."""
    found = np.zeros(len(item.names), dtype=bool)
    for code in range(len(learner.names)):
        own = np.unique(both.codes[learner.codes == code])
        found |= np.bincount(items[own], minlength=len(found)) > 1
    return found


def _start_again(items: Codes, groups: Codes, twice: Flags) -> bool:
    """Whether most items of groups that share names are in the largest of these groups, as numbers from 1 on are."""
    sizes = np.bincount(groups) * (np.bincount(groups, weights=twice[items]) > 0)
    largest = int(sizes.argmax())
    among = np.zeros(len(twice), dtype=bool)
    among[items[groups == largest]] = True
    others = (sizes[groups] > 0) & (groups != largest)
    return bool(2 * among[items[others]].sum() >= others.sum())


def _repeats(learner: Key, item: Key) -> bool:
    """Whether a learner has an item twice; what is no table at all is refused where its cells are filled."""
    size = len(item.names) * len(learner.names)
    if is_absurd(size, len(item.codes)):
        return False
    cells = item.codes.astype(np.int64) + len(item.names) * learner.codes.astype(np.int64)
    return int(Grid(cells, (size,)).seen.sum()) < len(cells)


def settled_folds(
    table: Table, roles: Roles, columns: Mapping[str, str], entries: Entries, request: Request, *, used: bool
) -> dict[str, Any]:
    """The replication and the fold of every entry; where items occur once, only if ``used``."""
    fault = _fault_of_datasets(table, roles, columns, request)
    if entries.within is not None:
        return _folds_of_entries(table, roles, columns, entries, entries.within, request) | fault
    if used:
        return _folds_of_items(table, roles, columns, entries.entry) | fault
    roles.leave_out("items are compared one by one", columns.values())
    return {}


def _fault_of_datasets(table: Table, roles: Roles, columns: Mapping[str, str], request: Request) -> dict[str, Any]:
    """Why items of several data sets have no folds: neither is fold 1 of two data sets one fold, nor a data set one."""
    names = key_of(table, "dataset", roles.column.get("dataset")).names
    if len(names) < 2:
        return {}
    splits = "replication" in columns and "fold" not in columns
    if splits and request.test_fraction is None:  # seeds, or repeated answers: means of items take them as they are
        return {"fold_datasets": names}
    those = f"{len(names)} data sets, {listed(names[:3])}{' …' if len(names) > 3 else ''}"
    wrong = f"there are items of {those}, and a fold is of one data set."
    fix = f"judge one data set only, such as {names[0]}: --dataset {names[0]}; or leave --on out."
    fault = (wrong, table.where(column=roles.column["dataset"]), fix)
    return {"fold_fault": fault, "fold_datasets": names if columns else ()}


def _folds_of_items(table: Table, roles: Roles, columns: Mapping[str, str], item: Key) -> dict[str, Any]:
    """The replication and the fold of every item; where rows do not agree on them, or lack them, what is wrong."""
    kept: dict[str, Any] = {}
    for role, column in columns.items():
        try:
            kept[f"{role}s"] = _one_each(table, roles, column, item, role)
        except InputError as error:
            roles.leave_out("not known of every item", columns.values())
            fix = f"right the column {column}, or remove it: all items are then one test set."
            return {"fold_fault": (error.wrong, error.where, fix)}
    return kept


def _one_each(table: Table, roles: Roles, column: str, item: Key, role: str) -> tuple[str, ...]:
    """The fold, or the replication, of every item: empty cells are filled from other rows of the same item."""
    found = one_per_cell(table, column, item.codes, len(item.names), what=role)
    unknown = found[item.codes] == ""
    if unknown.any():
        row = int(np.argmax(unknown))
        raise InputError(
            f"the {role} of item {item.names[item.codes[row]]} is empty.",
            table.where(row=row, column=column),
            f"name the {role}, or remove the column {column}.",
        )
    return tuple(found)


def _folds_of_entries(
    table: Table, roles: Roles, folds: Mapping[str, str], entries: Entries, within: Key, request: Request
) -> dict[str, Any]:
    """Replication and fold of every entry, and the share of test data of random splits."""
    if "replication" in folds:
        kept: dict[str, Any] = {"replications": entries.entry.names_in(within)}
        if "fold" in folds:
            kept["folds"] = _one_each(table, roles, folds["fold"], entries.entry, "fold")
    else:
        kept = _by_items(table, roles, entries, within, request)
    return {"units": entries.entry.names_in(entries.unit), **kept}


def _by_items(table: Table, roles: Roles, entries: Entries, within: Key, request: Request) -> dict[str, Any]:
    """Folds without replications: those that cover all items in turn are replications, others are random splits."""
    places, units = entries.entry.carry(within.codes), entries.entry.carry(entries.unit.codes)
    test = [units[places == fold] for fold in range(len(within.names))]
    order = _order_of_rounds(test, within.names)
    if request.test_fraction is None and request.replications is None:
        _refuse_restarts(table, entries, within, test)
    division = division_of([test[fold] for fold in order], None, table.source, request)
    if division.test_fraction is not None:
        return {"replications": entries.entry.names_in(within), "test_fraction": division.test_fraction}
    roles.notes.append(f"by their items the folds are {division}")
    replications, folds = np.divmod(np.argsort(order)[places], division.folds)
    return {
        "replications": tuple(str(number + 1) for number in replications),
        "folds": tuple(str(number + 1) for number in folds),
    }


def _order_of_rounds(test: Indices, names: tuple[str, ...]) -> list[int]:
    """Folds in an order in which they cover all items in turn: that of their names, or f0r0, f1r0 … before f0r1."""
    named = list(range(len(names)))
    other = sorted(named, key=lambda fold: last_number_first(names[fold]))
    return next((order for order in (named, other) if are_rounds([test[fold] for fold in order])), named)


def _second_fold(table: Table, entries: Entries, within: Key, item: int) -> str:
    """Where an item is found in another fold than at first."""
    rows = np.flatnonzero(entries.unit.codes == item)
    return table.where(row=int(rows[np.argmax(within.codes[rows] != within.codes[rows[0]])]))


def _refuse_restarts(table: Table, entries: Entries, within: Key, test: Indices) -> None:
    """Refuse folds that all begin with the same items: each may count its own from 0 up, or be a round over all."""
    sets = sorted(test, key=len)
    if len(sets) < 2 or not all(np.isin(less, more).all() for less, more in pairwise(sets)):
        return
    item = int(sets[0].min())
    raise InputError(
        f"item {entries.unit.names[item]} is in every fold, and so are the others: items that are numbered anew "
        "in each fold, or rounds over the same ones.",
        _second_fold(table, entries, within, item),
        "give the items names of their own, unique over the folds (such as 2.17 in fold 2); or, if these are rounds "
        "over the same items, give a column replication in the place of fold.",
    )


def unnamed_units(kept: Mapping[str, Any], roles: Roles) -> dict[str, Any]:
    """Rows of several replications that no column names may be the same items: none is known."""
    replications = kept.get("replications", ())
    if len(set(replications)) < 2:
        if len(set(kept.get("folds", ()))) > 1:
            roles.notes.append(_OTHER_ROWS)
        return {}
    roles.notes.append("no column names the items, which may be the same in all replications: folds are compared")
    return {"units": ("",) * len(replications)}
