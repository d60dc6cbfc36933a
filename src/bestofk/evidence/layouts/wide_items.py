"""Outcomes per item with one column per learner: outcomes themselves, or predictions beside the truth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.evidence.items import Items
from bestofk.evidence.layouts.cells import Key, flat_cells, one_per_cell, spread
from bestofk.evidence.layouts.decisions import classes_of, split_decisions
from bestofk.evidence.layouts.item_tables import folds_of_items, item_key, settled_folds, with_gap_places
from bestofk.evidence.layouts.measured import finite_numbers
from bestofk.evidence.layouts.predicted import (
    OF_CHANCES,
    chance_outcomes,
    outcomes,
    prediction_measure,
    refuse_missing_truth,
    same_words,
    with_class_words,
    words_of,
)
from bestofk.evidence.layouts.probabilities import (
    Probabilities,
    checked_probabilities,
    kept_probabilities,
    split_probabilities,
)
from bestofk.evidence.layouts.repeated_items import entries_of, unnamed_units
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.layouts.wide_scores import learner_columns, wide_measure
from bestofk.tables.table import Numbers, Table, Text

Order = npt.NDArray[np.intp]  # the row of every entry


def wide_items(table: Table, roles: Roles, request: Request) -> Items:
    """Read the outcome of every learner on every item from columns of numbers."""
    folds = folds_of_items(roles)
    unit, groups = item_key(table, roles)
    entries = entries_of(table, folds, None, unit, groups)
    columns = learner_columns(table, roles, request)
    measure, larger = wide_measure(table, columns, request)
    flat, shape = flat_cells(table, [entries.entry])
    made = Items(
        learners=columns,
        items=entries.entry.names,
        values=np.stack([spread(finite_numbers(table, name), flat, shape) for name in columns]),
        groups=entries.groups,
        **settled_folds(table, roles, folds, entries, request, used=False),
        measure=measure,
        larger_is_better=larger,
        origin=roles.origin(table),
    )
    row_of = np.argsort(flat)
    return with_gap_places(made, table, lambda _, i: int(row_of[i]))


def predicted_items(table: Table, roles: Roles, request: Request) -> Items:
    """Read outcomes from predicted classes, one column per learner, and a column with the truth."""
    folds = folds_of_items(roles)
    truth = roles.column["truth"]
    refuse_missing_truth(table, truth)
    roles.drop("prediction")
    table = with_class_words(table, roles)
    given = table.columns
    table, decisions = split_decisions(table, roles, truth)
    table, chances = split_probabilities(table, roles, classes_of(table, truth))
    named = "item" in roles
    unit, groups = _rows_or_items(table, roles)
    entries = entries_of(table, folds, None, unit, groups)
    flat, _ = flat_cells(table, [entries.entry])
    if entries.within is not None:  # which has to be the same in every replication
        one_per_cell(table, truth, unit.codes, len(unit.names), what="truth")
    back = np.argsort(flat)  # rows in the order of the items
    kept = settled_folds(table, roles, folds, entries, request, used=True)
    if not named:
        kept |= unnamed_units(kept, roles)
    columns = request.learners or tuple(roles.rest)
    known = bool(chances) and all(name in chances for name in columns)
    measure, larger = prediction_measure(table, truth, roles, request, chances=known)
    if plain(measure) in OF_CHANCES:
        tables = {name: checked_probabilities(table, name, chances[name]) for name in columns}
        values = [chance_outcomes(table, truth, tuple(chances[n]), tables[n], measure)[back] for n in columns]
    else:
        values = [outcomes(table, truth, name, measure, made=name not in given)[back] for name in columns]
    _refuse_none(table, columns)
    made = Items(
        learners=columns,
        items=entries.entry.names,
        values=np.stack(values),
        groups=entries.groups,
        **kept,
        truth=_in_order(same_words(table, truth, truth), back),
        predictions=_kept_predictions(table, truth, columns, back),
        **_kept_scores(table, roles, columns, chances, decisions, back),
        measure=measure,
        larger_is_better=larger,
        origin=roles.origin(table),
    )
    return with_gap_places(made, table, lambda _, i: int(back[i]))


def _kept_scores(
    table: Table,
    roles: Roles,
    columns: tuple[str, ...],
    chances: Probabilities,
    decisions: dict[str, Array],
    back: Order,
) -> dict[str, Any]:
    """Probabilities, else decision scores, with their classes, where all learners have them."""
    found = kept_probabilities(table, roles, columns, chances, back)
    if found is not None:
        return {"probabilities": found, "classes": tuple(chances[columns[0]])}
    lacking = [name for name in columns if name not in decisions]
    if decisions and lacking:
        _refuse_silent(table, roles, columns, lacking[0])
        roles.notes.append(f"decision scores were not used: learner {lacking[0]} has none")
    if lacking:
        return {}
    classes = classes_of(table, roles.column["truth"])
    return {"decisions": {name: decisions[name][back] for name in columns}, "classes": classes}


def _refuse_silent(table: Table, roles: Roles, columns: tuple[str, ...], lacking: str) -> None:
    """Decision scores of some learners have no areas beside the others, and on one side of 0 no predictions either."""
    silent = [name for name in columns if (same_words(table, name, roles.column["truth"]).codes < 0).all()]
    if silent:
        raise InputError(
            f"the decision scores of {silent[0]} are on one side of 0, where they predict no class, and learner "
            f"{lacking} has none to compare areas with.",
            table.where(column=f"{silent[0]}:decision"),
            f"add a column {silent[0]} with predicted classes, or give all learners decision scores.",
        )


def _kept_predictions(
    table: Table, truth: str, columns: tuple[str, ...], back: Order
) -> dict[str, tuple[str, ...]] | None:
    found = {name: _in_order(same_words(table, name, truth), back) for name in columns}
    return found if any(any(each) for each in found.values()) else None


def _refuse_none(table: Table, columns: tuple[str, ...]) -> None:
    if not columns:
        raise InputError(
            f"no column holds predictions; the columns are {', '.join(table.names)}.",
            table.source,
            "give one column of predicted classes per learner beside the truth.",
        )


def _rows_or_items(table: Table, roles: Roles) -> tuple[Key, tuple[str, ...] | None]:
    if "item" in roles:
        return item_key(table, roles)
    named = replace(table, columns={"item": Numbers(np.arange(1.0, len(table) + 1.0)), **table.columns})
    roles.column["item"] = "item"
    return item_key(named, roles)


def _in_order(words: Text, back: Order) -> tuple[str, ...]:
    return words_of(Text(words.codes[back], words.categories))
