"""Columns ``learner:class`` with the probability of every class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.phrases import counted
from bestofk.evidence.layouts.measured import finite_numbers
from bestofk.evidence.layouts.predicted import classes_by_label
from bestofk.evidence.layouts.roles import Roles
from bestofk.tables.table import Table, Text

Probabilities = dict[str, dict[str, str]]  # learner → class → column

ROUNDED = 1e-3  # how far probabilities of an item may be from 1 in all


def split_probabilities(table: Table, roles: Roles, classes: Sequence[str]) -> tuple[Table, Probabilities]:
    """Take ``learner:class`` columns out; a learner that has only these predicts its most probable class.

    ``classes`` are those of the truth, whose spelling is kept.
    """
    chances: Probabilities = {}
    for name in [name for name in roles.rest if ":" in name]:
        learner, _, label = name.rpartition(":")
        columns = chances.setdefault(learner, {})
        named = classes_by_label([label], classes)[label]
        if named in columns:
            raise InputError(
                f"{columns[named]} and {name} are of one class, {named}.",
                table.where(column=name),
                "remove one of them.",
            )
        columns[named] = name
        roles.rest.remove(name)
    made = {}
    for learner, columns in chances.items():
        values = checked_probabilities(table, learner, columns)
        if learner not in roles.rest:
            made[learner] = most_probable(values, f"learner {learner!r}", columns, roles)
    roles.rest += list(made)
    return replace(table, columns={**table.columns, **made}), chances


def kept_probabilities(
    table: Table,
    roles: Roles,
    learners: tuple[str, ...],
    chances: Probabilities,
    back: np.ndarray[tuple[int, ...], np.dtype[np.intp]],
) -> dict[str, Array] | None:
    """Probabilities (items, classes) of every learner; they are kept only where all learners have them."""
    lacking = [name for name in learners if name not in chances]
    if lacking:
        if chances:
            roles.notes.append(f"probabilities were not used: learner {lacking[0]} has none")
        return None
    classes = list(chances[learners[0]])
    for name in learners:
        if set(chances[name]) != set(classes):
            raise InputError(
                f"learner {name} has probabilities of {', '.join(chances[name])}, "
                f"learner {learners[0]} of {', '.join(classes)}.",
                table.source,
                "give a column 'learner:class' for every class and learner.",
            )
    return {n: np.stack([finite_numbers(table, chances[n][c]) for c in classes], axis=1)[back] for n in learners}


def checked_probabilities(table: Table, learner: str, columns: dict[str, str]) -> Array:
    """Probabilities (rows, classes) of a learner: each between 0 and 1, together 1."""
    values = np.stack([finite_numbers(table, name) for name in columns.values()], axis=1)
    outside = (values < 0) | (values > 1)
    if outside.any():
        row, label = np.argwhere(outside)[0]
        name = list(columns.values())[label]
        raise InputError(
            f"{name} is {values[row, label]:g}, no probability.",
            table.where(row=int(row), column=name),
            "give probabilities between 0 and 1; rename a learner whose name has a colon.",
        )
    total = values.sum(axis=1)
    wrong = np.abs(total - 1) > ROUNDED
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InputError(
            f"the probabilities of {learner} are {total[row]:g} in all.",
            table.where(row=row),
            f"give a column for every class ({', '.join(columns)} so far) and make them 1 in all.",
        )
    return values


#: Who predicts, where the rows are of all learners.
EVERY = "every learner"


def most_probable(values: Array, learner: str, columns: dict[str, str], roles: Roles) -> Text:
    """The most probable class of every row; none where a probability is missing."""
    roles.notes.append(f"{learner} predicts its most probable class")
    missing = np.isnan(values).any(axis=1)
    known = np.where(np.isnan(values), -np.inf, values)
    ties = int((((known == known.max(axis=1, keepdims=True)).sum(axis=1) > 1) & ~missing).sum())
    if ties:
        tied = counted(ties, "row") if learner == EVERY else f"{counted(ties, 'item')} of {learner}"
        roles.notes.append(f"{tied} with two or more most probable classes: the first of them was taken")
        if len(columns) == 2:
            roles.notes.append(
                "at a probability of exactly 0.5 the first class is predicted; a threshold (tpr@0.5) calls it positive"
            )
    return Text(np.where(missing, -1, known.argmax(axis=1)).astype(np.int32), tuple(columns))
