"""Probabilities in a long table: a column per class, named as the truth names it, or one of the second of two."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.evidence.layouts.cells import Codes, Key, key_of, spread
from bestofk.evidence.layouts.decisions import DECISION, classes_of
from bestofk.evidence.layouts.long_decisions import EITHER, beside_probabilities, decided, decision_column
from bestofk.evidence.layouts.measured import finite_numbers
from bestofk.evidence.layouts.predicted import classes_by_label
from bestofk.evidence.layouts.probabilities import checked_probabilities, most_probable
from bestofk.evidence.layouts.roles import Roles
from bestofk.tables.table import Numbers, Table

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
            "give probabilities between 0 and 1; call the column 'decision' if it holds decision scores.",
        )
