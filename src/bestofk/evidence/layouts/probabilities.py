"""Columns ``learner:class`` with the probability of every class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.phrases import counted
from bestofk.evidence.layouts.cells import Codes, Key, key_of, spread
from bestofk.evidence.layouts.decisions import (
    DECISION,
    EITHER,
    beside_probabilities,
    classes_of,
    decided,
    decision_column,
)
from bestofk.evidence.layouts.measured import finite_numbers
from bestofk.evidence.layouts.predicted import classes_by_label
from bestofk.evidence.layouts.roles import Roles
from bestofk.tables.table import Numbers, Table, Text

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
    for name, column in zip(columns.values(), values.T, strict=True):
        _refuse_outside(table, name, column)
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


#: Names of a single column: the probability of the second of two classes, which is the positive one.
POSITIVE = frozenset({"probability", "proba", "prob", "y_prob", "y_proba"})
_MADE = "predicted class"


@dataclass(frozen=True, eq=False)
class LongProbabilities:
    """Probabilities of every row, (rows, classes); decision scores of the second class, (rows,)."""

    classes: tuple[str, ...]
    values: Array

    def by_learner(self, learner: Key, flat: Codes, shape: tuple[int, ...]) -> dict[str, Any]:
        """As items keep them, (items, classes) or (items,) of every learner; NaN where a learner has no such item."""
        if self.values.ndim == 1:
            grid = spread(self.values, flat, shape)
        else:
            grid = np.stack([spread(column, flat, shape) for column in self.values.T], axis=-1)
        name = "decisions" if self.values.ndim == 1 else "probabilities"
        return {name: dict(zip(learner.names, grid, strict=True)), "classes": self.classes}


def long_probabilities(table: Table, roles: Roles) -> tuple[Table, LongProbabilities | None]:
    """Take probabilities out of the columns without a role; without predictions the most probable class is one."""
    if "truth" not in roles:
        return table, None
    classes = classes_of(table, roles.column["truth"])
    if len(classes) == 2 and _numeric(table, roles, DECISION | EITHER):
        found = _with_decisions(table, roles, classes)
        if found is not None:
            return found
    made, table = _columns(table, roles, classes)
    if not made:
        return table, None
    values = checked_probabilities(table, "a row", made)
    if "prediction" not in roles:
        table = _with_prediction(table, roles, most_probable(values, "every learner", made, roles))
    return table, LongProbabilities(classes, values)


def _with_decisions(
    table: Table, roles: Roles, classes: tuple[str, ...]
) -> tuple[Table, LongProbabilities | None] | None:
    """Decision scores, of the learners without probabilities where there are both; None where those are not used."""
    learner = key_of(table, "learner", roles.column["learner"])
    column = decision_column(table, roles, learner)
    if column is None:
        return None
    alone = _numeric(table, roles, POSITIVE)
    per_class = _class_columns(table, roles, classes)
    if per_class or len(alone) == 1:
        chance = per_class[classes[1]] if per_class else alone[0]
        chances = finite_numbers(table, chance)
        _refuse_outside(table, chance, chances)
        both = beside_probabilities(table, roles, learner, classes, column, chances)
        if both is None:
            return None
        roles.rest = [name for name in roles.rest if name not in (per_class.values() if per_class else alone)]
    else:
        both = decided(table, roles, learner, classes, column)
    values, said = both
    return (table if said is None else _with_prediction(table, roles, said)), LongProbabilities(classes, values)


def _with_prediction(table: Table, roles: Roles, said: Any) -> Table:
    roles.column["prediction"] = _MADE
    return replace(table, columns={**table.columns, _MADE: said})


def _numeric(table: Table, roles: Roles, names: frozenset[str]) -> list[str]:
    return [name for name in roles.rest if plain(name) in names and table.is_numeric(name)]


def _class_columns(table: Table, roles: Roles, classes: tuple[str, ...]) -> dict[str, str]:
    """The column of every class; empty where one has none."""
    found = {label: name for name, label in classes_by_label(roles.rest, classes).items() if label in classes}
    found |= {name: name for name in roles.rest if name in classes}  # the very spelling before another
    numeric = len(classes) > 1 and set(classes) <= set(found) and all(map(table.is_numeric, found.values()))
    return {label: found[label] for label in classes} if numeric else {}


def _columns(table: Table, roles: Roles, classes: tuple[str, ...]) -> tuple[dict[str, str], Table]:
    """The column of every class; empty where there are none."""
    per_class = _class_columns(table, roles, classes)
    if per_class:
        roles.rest = [name for name in roles.rest if name not in per_class.values()]
        return per_class, table
    alone = _numeric(table, roles, POSITIVE | EITHER)
    if len(classes) != 2 or len(alone) != 1:
        return {}, table
    roles.rest.remove(alone[0])
    roles.notes.append(f"column {alone[0]!r} was read as the probability of class {classes[1]}")
    other, values = f"1 − {alone[0]}", finite_numbers(table, alone[0])
    _refuse_outside(table, alone[0], values)
    return {classes[0]: other, classes[1]: alone[0]}, replace(
        table, columns={**table.columns, other: Numbers(_rest_of(values))}
    )


def _rest_of(values: Array) -> Array:
    """1 − p, as people write it: of 0.8 it is 0.2, which a threshold of 0.2 reaches, not 0.19999999999999996."""
    rest = 1 - values
    short = np.round(rest, 12)
    return np.where((short > 0) & (np.abs(rest - short) < 1e-15), short, rest)


def _refuse_outside(table: Table, column: str, values: Array) -> None:
    """As the file has it: the probability of the other class is made of it."""
    outside = (values < 0) | (values > 1)
    if outside.any():
        row = int(np.argmax(outside))
        raise InputError(
            f"{column} is {values[row]:g}, no probability.",
            table.where(row=row, column=column),
            "give probabilities between 0 and 1; call a column of decision scores 'decision', and rename a learner "
            "whose name has a colon.",
        )
