"""Outcomes per item: one row per learner and item."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.phrases import counted, listed
from bestofk.evidence.item_folds import USED_BY_ON
from bestofk.evidence.items import Items
from bestofk.evidence.layouts.cells import Grid, Key, grid_of, joined, key_of, one_per_cell
from bestofk.evidence.layouts.measured import (
    NumberColumns,
    chosen_measure,
    direction_of,
    finite_numbers,
    mean_costs,
    number_columns,
    refuse_impossible_columns,
)
from bestofk.evidence.layouts.predicted import (
    DISTANCES,
    ERRORS,
    OF_CHANCES,
    RIGHTS,
    chance_outcomes,
    outcomes,
    prediction_measure,
    refuse_missing_truth,
    refuse_other_classes,
    refuse_without_chances,
    same_words,
    with_class_words,
    words_of,
)
from bestofk.evidence.layouts.probabilities import (
    DECISION,
    EITHER,
    POSITIVE,
    PREDICTED,
    ClassScores,
    classes_of,
    long_probabilities,
)
from bestofk.evidence.layouts.repeated_items import (
    Entries,
    UnnamedFold,
    entries_of,
    folds_of_entries,
    note_empty,
    refuse_unnamed,
    unnamed_units,
)
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.measures.catalogue import is_larger_better
from bestofk.tables.table import Table


def long_items(table: Table, roles: Roles, request: Request) -> Items:
    """Read outcomes from a table with a column for the learner and one for the item."""
    table, scores = long_probabilities(with_class_words(table, roles), roles)
    return items_of(table, roles, request, scores)


def items_of(table: Table, roles: Roles, request: Request, scores: ClassScores | None, *, named: bool = True) -> Items:
    """Items of a long table with the scores of its rows; ``named``: a column of the source names the items."""
    folds = {role: roles.column.pop(role) for role in ("replication", "fold") if role in roles}
    found = number_columns(table, roles)
    learner = key_of(table, "learner", roles.column["learner"])
    entries = entries_of(table, folds, learner, *item_key(table, roles))
    item = entries.entry
    measure, larger, outcome = _outcome(table, roles, found, request, scores)
    _refuse_several_filters(table, roles, item)
    grid = grid_of(table, [learner, item])
    _refuse_unmatched(table, learner, entries, grid.seen, request)
    predicted = "prediction" in roles and "truth" in roles
    kept = settled_folds(table, roles, folds, entries, request, used=predicted or scores is not None)
    made = Items(
        learners=learner.names,
        items=item.names,
        values=grid.spread(outcome),
        groups=entries.groups,
        truth=_truth(table, roles, entries),
        predictions=_predictions(table, roles, learner, grid) if predicted else None,
        **({} if scores is None else scores.by_learner(learner, grid)),
        **(kept if named else kept | unnamed_units(kept, roles)),
        measure=measure,
        larger_is_better=larger,
        costs=mean_costs(table, found, learner, measure),
        origin=roles.origin(table),
    )
    return _with_gap_places(made, table, grid)


def item_key(table: Table, roles: Roles) -> tuple[Key, tuple[str, ...] | None]:
    """Return the items and the group of each: an item number may start again in every group or data set."""
    item = key_of(table, "item", roles.column.get("item"))
    parents = [key_of(table, role, roles.column[role]) for role in ("dataset", "group") if role in roles]
    if not parents:
        return item, None
    parent = joined("group", parents)
    both = joined("item", [parent, item])
    groups = np.empty(len(both.names), dtype=object)
    groups[both.codes] = np.array(parent.names, dtype=object)[parent.codes]
    plain_names = np.empty(len(both.names), dtype=object)
    plain_names[both.codes] = np.array(item.names, dtype=object)[item.codes]
    names = plain_names if len(set(plain_names)) == len(plain_names) else both.names
    return Key("item", both.codes, tuple(names)), tuple(groups)


def settled_folds(
    table: Table, roles: Roles, columns: Mapping[str, str], entries: Entries, request: Request, *, used: bool
) -> dict[str, Any]:
    """The replication and the fold of every entry; where items occur once, only if ``used``."""
    fault = _fault_of_datasets(table, roles, columns, request)
    if entries.within is not None:
        return folds_of_entries(table, roles, columns, entries, request) | fault
    if used:
        return kept_folds(table, roles, columns, entries.entry) | fault
    for column in columns.values():
        roles.leave_out("items are compared one by one", [column])
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
    one = f"judge one data set only, such as {names[0]}: --dataset {names[0]}."
    wrong, fix = (
        (f"there are {'random splits' if splits else 'folds'} of {those}.", one)
        if columns
        else (
            f"there are items of {those}, and data sets are no folds.",
            f"judge one of them, --dataset {names[0]}, and name its folds in a column fold (--on roc needs none); or "
            "leave --on out.",
        )
    )
    fault = (wrong, table.where(column=roles.column["dataset"]), fix)
    return {"fold_fault": fault, "fold_datasets": names if columns else ()}


def kept_folds(table: Table, roles: Roles, columns: Mapping[str, str], item: Key) -> dict[str, Any]:
    """The replication and the fold of every item; where rows do not agree on them, or lack them, what is wrong."""
    kept: dict[str, Any] = {}
    for role, column in columns.items():
        try:
            found = one_per_cell(table, column, item.codes, len(item.names), what=role)
            refuse_unnamed(table, column, found == "", item, role)
        except InputError as error:
            unnamed = isinstance(error, UnnamedFold)
            roles.leave_out("not known of every item" if unnamed else "not the same for all learners", columns.values())
            fix = f"right the column {column}, or remove it: all items are then one test set."
            return {"fold_fault": (error.wrong, error.where, fix)}
        kept[f"{role}s"] = tuple(found)
        note_empty(table, roles, column, role)
    if kept:
        said = listed([repr(column) for column in columns.values()])
        verb, it = ("names", "it") if len(columns) == 1 else ("name", "them")
        roles.notes.append(f"{said} {verb} the fold of an item: {USED_BY_ON} {it}, tests of items one by one do not")
    return kept


def _outcome(
    table: Table, roles: Roles, found: NumberColumns, request: Request, scores: ClassScores | None
) -> tuple[str, bool, Array]:
    """The measure, whether larger is better, and the outcome of every row."""
    if scores is not None and "prediction" not in roles and (request.on or not found.measures):
        refuse_without_chances(request.measure, table)
        return "error", False, np.full(len(table), np.nan)  # scores that rank items and predict no class
    if _is_from_predictions(table, roles, found, request):
        return _predicted_outcome(table, roles, request, scores)
    measure = chosen_measure(table, found, roles, request)
    _refuse_unclear_scores(table, roles, found, measure, request)
    roles.leave_out("further measures: choose one by measure=", [c for n, c in found.measures.items() if n != measure])
    if measure not in found.measures:
        raise InputError(
            "items have confusion counts.", table.source, "name one outcome per item, such as correct, or use folds."
        )
    larger = direction_of(measure, found, roles, request, table.source)
    refuse_impossible_columns(table, [found.measures[measure]], measure, scorer=found.scorer)
    return measure, larger, finite_numbers(table, found.measures[measure])


def _predicted_outcome(
    table: Table, roles: Roles, request: Request, scores: ClassScores | None
) -> tuple[str, bool, Array]:
    truth, prediction = roles.column["truth"], roles.column["prediction"]
    refuse_missing_truth(table, truth)
    known = scores if scores is not None and scores.values.ndim == 2 else None
    measure, larger = prediction_measure(table, truth, roles, request, chances=known is not None)
    if known is not None and plain(measure) in OF_CHANCES:
        return measure, larger, chance_outcomes(table, truth, known.classes, known.values, measure)
    if prediction != PREDICTED and plain(measure) not in DISTANCES:
        refuse_other_classes(table, truth, prediction)
    return measure, larger, outcomes(table, truth, prediction, measure)


def _is_from_predictions(table: Table, roles: Roles, found: NumberColumns, request: Request) -> bool:
    if "prediction" not in roles or "truth" not in roles:
        return False
    if request.on:
        return True
    asked = request.measure and plain(request.measure)
    if asked:
        return asked not in _names_of(found)
    if found.measures:
        made = [name for name in (ERRORS[0], RIGHTS[0], *ERRORS, *RIGHTS) if name not in _names_of(found)]
        raise InputError(
            f"the outcome may be read two ways: from {roles.column['prediction']} and {roles.column['truth']}, "
            f"or from the column {' or '.join(found.measures.values())}.",
            table.source,
            f"say which: --measure {made[0]}{f' (or {made[1]})' if made[:2] == [ERRORS[0], RIGHTS[0]] else ''} for "
            f"predictions, --measure {next(iter(found.measures))} for the column.",
        )
    return True


def _names_of(found: NumberColumns) -> set[str]:
    return {plain(name) for name in (*found.measures, *found.measures.values())}


def _truth(table: Table, roles: Roles, entries: Entries) -> tuple[str, ...] | None:
    if "truth" not in roles:
        return None
    unit = entries.unit
    found = one_per_cell(table, roles.column["truth"], unit.codes, len(unit.names), what="truth")
    return tuple(found if entries.within is None else found[entries.unit_of])


def _predictions(table: Table, roles: Roles, learner: Key, grid: Grid) -> dict[str, tuple[str, ...]]:
    found = np.full(grid.shape, "", dtype=object)
    found.flat[grid.cells] = words_of(same_words(table, roles.column["prediction"], roles.column["truth"]))
    return dict(zip(learner.names, map(tuple, found), strict=True))


def _refuse_unmatched(table: Table, learner: Key, entries: Entries, seen: Flags, request: Request) -> None:
    item, within = entries.entry, entries.within
    if request.one_file_each and not seen.all():
        lacking = int(np.argmax(~seen.all(axis=1)))
        absent = np.flatnonzero(~seen[lacking])
        first = ", ".join(item.names[i] for i in absent[:3])
        row = int(np.argmax(learner.codes == lacking))
        raise InputError(
            f"learner {learner.names[lacking]} lacks {counted(len(absent), 'item')} that others have: "
            f"{first}{', …' if len(absent) > 3 else ''}.",
            f"{table.file_of(row)}, learner {learner.names[lacking]}",
            "run all learners on the same items, or remove these items from the other files.",
        )
    if len(learner.names) > 1 and not seen.all(axis=0).any():
        raise InputError(
            f"no item is shared by all learners: {learner.names[0]} has {item.names[int(np.argmax(seen[0]))]}, "
            f"{learner.names[1]} has {item.names[int(np.argmax(seen[1]))]}.",
            table.where(column=item.role),
            f"give the same item {'' if within is None else f'and {within.role} '}the same name for every learner.",
        )


SHOWN = 3  # as many missing results as an error names


def _with_gap_places(items: Items, table: Table, grid: Grid) -> Items:
    """The same items, with the lines of the first outcomes, and of the first scores, that are missing."""
    gaps = {tuple(gap) for gone in (np.isnan(items.values), _without_score(items)) for gap in np.argwhere(gone)[:SHOWN]}
    rows = {gap: np.flatnonzero(grid.cells == gap[0] * grid.shape[1] + gap[1]) for gap in sorted(gaps)}
    places = {
        (items.learners[k], items.items[i]): table.row_place(int(found[0])) if found.size else "no row"
        for (k, i), found in rows.items()
    }
    return replace(items, gap_places=places) if places else items


def _without_score(items: Items) -> Flags:
    """(learners, items): whether a probability or a decision score is missing."""
    if items.probabilities is not None:
        return np.stack([np.isnan(items.probabilities[name]).any(axis=1) for name in items.learners])
    if items.decisions is not None:
        return np.isnan(np.stack([items.decisions[name] for name in items.learners]))
    return np.zeros((0, 0), dtype=bool)


def _refuse_unclear_scores(table: Table, roles: Roles, found: NumberColumns, measure: str, request: Request) -> None:
    """Refuse a column beside the truth of which neither its name nor the caller says what it is."""
    unclear = measure in found.measures and request.larger_is_better is None and is_larger_better(measure) is None
    if "truth" in roles and "prediction" not in roles and unclear and not found.scorer:
        column, classes = found.measures[measure], classes_of(table, roles.column["truth"])
        if plain(column) in POSITIVE | EITHER | DECISION:
            raise InputError(
                f"the column {column} is of one of two classes, and {roles.column['truth']} has {len(classes)}: "
                f"{', '.join(classes[:5])}{', …' if len(classes) > 5 else ''}.",
                table.where(column=column),
                "give a column of probabilities for every class, named as the truth names it, or a column prediction.",
            )
        raise InputError(
            f"the column {found.measures[measure]} may hold scores that rank items, or outcomes.",
            table.where(column=found.measures[measure]),
            "call it 'probability' (of the second class) or 'decision' for --on roc; say --larger-is-better or "
            "--smaller-is-better if it is an outcome per item.",
        )


def _refuse_several_filters(table: Table, roles: Roles, item: Key) -> None:
    """Refuse items with outcomes of several filters: how answers were taken from the model's words must be chosen."""
    if "filter" not in roles:
        return
    words = table.text(roles.column["filter"])
    used = np.unique(words.codes)
    chosen = Key("filter", words.codes + 1, ("", *words.categories))
    if len(used) > 1 and len(joined("item", [item, chosen]).names) > len(item.names):
        names = [chosen.names[code + 1] or "(empty)" for code in used]
        raise InputError(
            f"the items have outcomes of {len(names)} filters: {listed(names)}.",
            table.where(row=int(np.argmax(words.codes != words.codes[0])), column=roles.column["filter"]),
            f"keep the rows of one filter, such as {names[-1]}, in the files of all models.",
        )
