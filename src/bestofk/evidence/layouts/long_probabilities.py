"""Probabilities in a long table: a column per class, named as the truth names it, or one of the second of two."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.evidence.columns import plain
from bestofk.evidence.layouts.cells import Codes, Key, spread
from bestofk.evidence.layouts.decisions import DECISION, classes_of, predicted_by
from bestofk.evidence.layouts.measured import finite_numbers
from bestofk.evidence.layouts.probabilities import checked_probabilities, most_probable
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.table import Numbers, Table
from bestofk.stats.arrays import Array

#: Names of a single column: the probability of the second of two classes, which is the positive one.
POSITIVE = frozenset({"probability", "proba", "prob", "y_prob", "y_proba"})
#: Names of a column that may hold probabilities or decision scores: what is outside 0 and 1 tells.
EITHER = frozenset({"y_score", "score_positive"})
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
    decision = _decision(table, roles, classes)
    if decision is not None:
        return _decided(table, roles, classes, decision)
    made, table = _columns(table, roles, classes)
    if not made:
        return table, None
    values = checked_probabilities(table, "a row", made)
    if "prediction" not in roles:
        table = _with_prediction(table, roles, most_probable(values, "every learner", made, roles))
    return table, LongProbabilities(classes, values)


def _with_prediction(table: Table, roles: Roles, said: Any) -> Table:
    roles.column["prediction"] = _MADE
    return replace(table, columns={**table.columns, _MADE: said})


def _decision(table: Table, roles: Roles, classes: tuple[str, ...]) -> str | None:
    """The one column of decision scores, by its name, or by values that no probability has."""
    names = [name for name in roles.rest if plain(name) in DECISION | EITHER and table.is_numeric(name)]
    if len(classes) != 2 or len(names) != 1:
        return None
    values = finite_numbers(table, names[0])
    return names[0] if plain(names[0]) in DECISION or ((values < 0) | (values > 1)).any() else None


def _decided(
    table: Table, roles: Roles, classes: tuple[str, ...], column: str
) -> tuple[Table, LongProbabilities | None]:
    roles.rest.remove(column)
    roles.notes.append(f"column {column!r} was read as decision scores of class {classes[1]}, no probabilities")
    values = finite_numbers(table, column)
    said = None if "prediction" in roles else predicted_by(values, classes, roles)
    return (table if said is None else _with_prediction(table, roles, said)), LongProbabilities(classes, values)


def _columns(table: Table, roles: Roles, classes: tuple[str, ...]) -> tuple[dict[str, str], Table]:
    """The column of every class; empty where there are none."""
    if len(classes) > 1 and set(classes) <= set(roles.rest) and all(table.is_numeric(name) for name in classes):
        roles.rest = [name for name in roles.rest if name not in classes]
        return {name: name for name in classes}, table
    alone = [name for name in roles.rest if plain(name) in POSITIVE | EITHER and table.is_numeric(name)]
    if len(classes) != 2 or len(alone) != 1:
        return {}, table
    roles.rest.remove(alone[0])
    roles.notes.append(f"column {alone[0]!r} was read as the probability of class {classes[1]}")
    other, values = f"1 − {alone[0]}", finite_numbers(table, alone[0])
    _refuse_outside(table, alone[0], values)
    return {classes[0]: other, classes[1]: alone[0]}, replace(
        table, columns={**table.columns, other: Numbers(1 - values)}
    )


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
