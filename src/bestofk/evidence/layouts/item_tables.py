"""Outcomes per item: one row per learner and item."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.phrases import counted, listed
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.items import Items
from bestofk.evidence.layouts.grid import Grid, Key, grid_of, joined, key_of, one_per_cell, refuse_two_spellings
from bestofk.evidence.layouts.item_entries import Entries, entries_of, settled_folds, unnamed_units
from bestofk.evidence.layouts.measure_columns import (
    NumberColumns,
    chosen_measure,
    mean_costs,
    measured_column,
    number_columns,
)
from bestofk.evidence.layouts.predictions import (
    ClassScores,
    classes_of,
    is_from_predictions,
    long_probabilities,
    predicted_outcome,
    prediction_measure,
    same_words,
    with_class_words,
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
    repeat = _repeat(table, roles, request)
    folds = {role: roles.column.pop(role) for role in ("replication", "fold") if role in roles}
    found = number_columns(table, roles, request)
    learner = key_of(table, "learner", roles.column["learner"])
    entries = entries_of(table, roles, folds, learner, repeat)
    item = entries.entry
    measure, larger, outcome = _outcome(table, roles, found, request, scores)
    _refuse_several_filters(table, roles, item)
    grid = grid_of(table, [learner, item], repeat)
    averaged = _is_averaged(table, roles, request, grid)
    roles.rate |= bool((np.isin(outcome, GRADES) | np.isnan(outcome)).all())  # so are means of repeats
    scores = None if averaged else scores
    refuse_two_spellings(table, roles.column["learner"], learner, grid.seen)
    _refuse_unmatched(table, learner, entries, grid.seen)
    predicted = "prediction" in roles and "truth" in roles and not averaged
    kept = settled_folds(table, roles, folds, entries, request, used=predicted or scores is not None)
    made = Items(
        learners=learner.names,
        items=item.names,
        values=grid.mean(outcome) if averaged else grid.spread(outcome),
        groups=entries.groups,
        group_name=entries.group_name,
        weights=_weights(table, roles, entries),
        truth=_truth(table, roles, entries),
        predictions=_predictions(table, roles, learner, grid) if predicted else None,
        **({} if scores is None else scores.by_learner(learner, grid)),
        **(kept if named else kept | unnamed_units(kept, roles)),
        measure=measure,
        larger_is_better=larger,
        costs=mean_costs(table, found, learner, measure),
        origin=roles.origin(table),
    )
    made = replace(made, gap_means=_gap_means(made, grid, outcome)) if averaged else made
    return _with_gap_places(made, table, grid, outcome)


def _gap_means(items: Items, grid: Grid, outcome: Array) -> dict[tuple[str, str], float]:
    """Means of items of which a repeat failed, which is then the worst result where there is one."""
    worst = items.worst
    if worst is None:
        return {}
    means = np.where(grid.seen, grid.mean(np.where(np.isnan(outcome), worst, outcome)), worst)
    gaps = np.argwhere(np.isnan(items.values))
    return {(items.learners[k], items.items[i]): float(means[k, i]) for k, i in gaps}


def _repeat(table: Table, roles: Roles, request: Request) -> Key | None:
    """Repeats of items; those of random splits, or that the caller counts, are replications."""
    if "repeat" not in roles:
        return None
    asked = request.test_fraction is not None or request.replications is not None
    if asked and "replication" in roles_of_name(roles.column["repeat"]):
        roles.column["replication"] = roles.column.pop("repeat")
        return None
    return key_of(table, "repeat", roles.column["repeat"])


def _is_averaged(table: Table, roles: Roles, request: Request, grid: Grid) -> bool:
    """Whether outcomes are means of an item's repeats, which is said back."""
    fewest, most = grid.rows_each
    if most == 1:
        return False
    number = counted(most, "repeat") if fewest == most else f"{fewest} to {counted(most, 'repeat')}"
    if request.on:
        raise InputError(
            f"there are {number} of an item, and several measures need one prediction of each.",
            table.where(column=roles.column["repeat"]),
            "keep the rows of one repeat; or leave --on out: outcomes are averaged within their item.",
        )
    roles.notes.append(f"{number} per item were averaged")
    return True


def _weights(table: Table, roles: Roles, entries: Entries) -> Array | None:
    """The weight of every item, which all its rows say alike."""
    if "weight" not in roles:
        return None
    column, unit = roles.column["weight"], entries.unit
    values = table.numbers(column)
    table.refuse(
        ~(np.isfinite(values) & (values > 0)),
        lambda row: f"the weight is {'empty' if np.isnan(values[row]) else f'{values[row]:g}'}.",
        "give every item a positive, finite weight, or remove the column.",
        column=column,
    )
    found = np.zeros(len(unit.names))
    found[unit.codes[::-1]] = values[::-1]  # the first row of an item is written last and stays

    def differs(row: int) -> str:
        first = int(np.argmax(unit.codes == unit.codes[row]))
        name = unit.names[unit.codes[row]]
        return f"the weight of item {name} is {values[row]:g}, but {values[first]:g} in {table.row_place(first)}."

    table.refuse(found[unit.codes] != values, differs, "give an item the same weight for all learners.", column=column)
    return np.asarray(found[entries.entry.carry(unit.codes)])


def _outcome(
    table: Table, roles: Roles, found: NumberColumns, request: Request, scores: ClassScores | None
) -> tuple[str, bool, Array]:
    """The measure, whether larger is better, and the outcome of every row."""
    if scores is not None and "prediction" not in roles and (request.on or not found.measures):
        measure, larger = prediction_measure(table, roles.column["truth"], roles, request, chances=False)
        return measure, larger, np.full(len(table), np.nan)  # decision scores that rank items and predict no class
    if is_from_predictions(table, roles, found, request):
        return predicted_outcome(table, roles, request, scores)
    _refuse_unclear_scores(table, roles, found, request)
    measure, larger, values = measured_column(table, roles, found, request, "items")
    roles.leave_out("further measures: choose one by measure=", [c for n, c in found.measures.items() if n != measure])
    return measure, larger, values


def _truth(table: Table, roles: Roles, entries: Entries) -> tuple[str, ...] | None:
    if "truth" not in roles:
        return None
    unit = entries.unit
    found = one_per_cell(table, roles.column["truth"], unit.codes, len(unit.names), what="truth")
    return tuple(found[entries.entry.carry(unit.codes)])


def _predictions(table: Table, roles: Roles, learner: Key, grid: Grid) -> dict[str, tuple[str, ...]]:
    found = np.full(grid.shape, "", dtype=object)
    found.flat[grid.cells] = same_words(table, roles.column["prediction"], roles.column["truth"]).words
    return dict(zip(learner.names, map(tuple, found), strict=True))


def _refuse_unmatched(table: Table, learner: Key, entries: Entries, seen: Flags) -> None:
    item, within = entries.entry, entries.within
    if len(learner.names) > 1 and not seen.all(axis=0).any():
        apart = int(np.argmin((seen[0] & seen).sum(axis=1)))  # who has least of what the first has
        raise InputError(
            f"no item is shared by all learners: {learner.names[0]} has {item.names[int(np.argmax(seen[0]))]}, "
            f"{learner.names[apart]} has {item.names[int(np.argmax(seen[apart] & ~seen[0]))]}.",
            table.where(column=item.role),
            f"give the same item {'' if within is None else f'and {within.role} '}the same name for every learner.",
        )


GRADES = (0.0, 0.5, 1.0)  # wrong, half right and right
SHOWN = 3  # as many missing results as an error names


def _with_gap_places(items: Items, table: Table, grid: Grid, outcome: Array) -> Items:
    """The same items, with the lines of the first outcomes, and of the first scores, that are missing."""
    gaps = {tuple(gap) for gone in (np.isnan(items.values), _without_score(items)) for gap in np.argwhere(gone)[:SHOWN]}
    rows = {gap: np.flatnonzero(grid.cells == gap[0] * grid.shape[1] + gap[1]) for gap in sorted(gaps)}
    places = {
        (items.learners[k], items.items[i]): table.row_place(int(found[np.argmax(np.isnan(outcome[found]))]))
        if found.size
        else "no row"
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


def _refuse_unclear_scores(table: Table, roles: Roles, found: NumberColumns, request: Request) -> None:
    """Refuse a column beside the truth of which neither its name nor the caller says what it is."""
    if "truth" not in roles or "prediction" in roles or found.scorer or request.larger_is_better is not None:
        return
    measure = chosen_measure(table, found, roles, request)
    if measure not in found.measures or is_larger_better(measure) is not None:
        return
    column, classes = found.measures[measure], classes_of(table, roles.column["truth"])
    raise InputError(
        f"the column {column} may hold scores of one of {len(classes)} classes, or outcomes.",
        table.where(column=column),
        "of two classes call it 'probability' (of the second) or 'decision', of more give a column of probabilities "
        "for each, for --on roc; say --larger-is-better or --smaller-is-better if it is an outcome per item.",
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
            f"keep the rows of one: --filter {roles.column['filter']}={names[-1]}.",
        )
