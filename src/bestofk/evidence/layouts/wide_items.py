"""Outcomes per item with one column per learner: outcomes themselves, or predictions beside the truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bestofk.core.errors import InputError
from bestofk.evidence.items import Items
from bestofk.evidence.layouts.cells import Key, flat_cells, spread
from bestofk.evidence.layouts.item_tables import folds_of_items, item_key, kept_folds, note_unused_folds
from bestofk.evidence.layouts.measured import finite_numbers
from bestofk.evidence.layouts.predicted import (
    outcomes,
    prediction_measure,
    refuse_missing_truth,
    same_words,
    words_of,
)
from bestofk.evidence.layouts.probabilities import kept_probabilities, split_probabilities
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.layouts.wide_scores import learner_columns, wide_measure
from bestofk.evidence.table import Numbers, Table, Text


def wide_items(table: Table, roles: Roles, request: Request) -> Items:
    """Read the outcome of every learner on every item from columns of numbers."""
    note_unused_folds(roles)
    item, groups = item_key(table, roles)
    columns = learner_columns(table, roles, request)
    measure, larger = wide_measure(table, columns, request)
    flat, shape = flat_cells(table, [item])
    return Items(
        learners=columns,
        items=item.names,
        values=np.stack([spread(finite_numbers(table, name), flat, shape) for name in columns]),
        groups=groups,
        measure=measure,
        larger_is_better=larger,
        origin=roles.origin(table),
    )


def predicted_items(table: Table, roles: Roles, request: Request) -> Items:
    """Read outcomes from predicted classes, one column per learner, and a column with the truth."""
    folds = folds_of_items(roles)
    truth = roles.column["truth"]
    refuse_missing_truth(table, truth)
    roles.drop("prediction")
    table, chances = split_probabilities(table, roles)
    item, groups = _rows_or_items(table, roles)
    flat, _ = flat_cells(table, [item])
    back = np.argsort(flat)  # rows in the order of the items
    kept = kept_folds(table, roles, folds, item)
    columns = request.learners or tuple(roles.rest)
    measure, larger = prediction_measure(table, truth, roles, request)
    values = [outcomes(table, truth, name, measure)[back] for name in columns]
    classes = tuple(next(iter(chances.values()), {}))
    _refuse_none(table, columns)
    return Items(
        learners=columns,
        items=item.names,
        values=np.stack(values),
        groups=groups,
        **kept,
        truth=_in_order(same_words(table, truth), back),
        predictions={name: _in_order(same_words(table, name), back) for name in columns},
        probabilities=kept_probabilities(table, roles, columns, chances, back),
        classes=classes if set(columns) <= set(chances) else (),
        measure=measure,
        larger_is_better=larger,
        origin=roles.origin(table),
    )


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


def _in_order(words: Text, back: np.ndarray[tuple[int, ...], np.dtype[np.intp]]) -> tuple[str, ...]:
    return words_of(Text(words.codes[back], words.categories))
