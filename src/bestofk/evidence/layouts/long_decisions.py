"""Decision scores in a long table, alone or of the learners that have no probabilities."""

from __future__ import annotations

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.phrases import listed
from bestofk.evidence.layouts.cells import Key
from bestofk.evidence.layouts.decisions import DECISION, has_any, predicted_by
from bestofk.evidence.layouts.measured import finite_numbers
from bestofk.evidence.layouts.roles import Roles
from bestofk.tables.table import Table, Text

#: Names of a column that may hold probabilities or decision scores: what is outside 0 and 1 tells.
EITHER = frozenset({"y_score", "score_positive"})


def decision_column(table: Table, roles: Roles, learner: Key) -> str | None:
    """The one column of decision scores, by its name, or by values of every learner that no probability has."""
    names = [name for name in roles.rest if plain(name) in DECISION | EITHER and table.is_numeric(name)]
    if len(names) != 1:
        return None
    if plain(names[0]) in DECISION:
        return names[0]
    values = finite_numbers(table, names[0])
    outside = has_any((values < 0) | (values > 1), learner)
    _refuse_both(table, names[0], learner, outside, has_any(~np.isnan(values), learner) & ~outside)
    return names[0] if outside.any() else None


def decided(
    table: Table, roles: Roles, learner: Key, classes: tuple[str, ...], column: str
) -> tuple[Array, Text | None]:
    """Decision scores of all rows, and the classes that they predict."""
    roles.rest.remove(column)
    roles.notes.append(f"column {column!r} was read as decision scores of class {classes[1]}, no probabilities")
    values = finite_numbers(table, column)
    return values, None if "prediction" in roles else predicted_by(values, learner, classes, roles)


def beside_probabilities(
    table: Table, roles: Roles, learner: Key, classes: tuple[str, ...], column: str, chances: Array
) -> tuple[Array, Text | None] | None:
    """Scores where some learners have probabilities and the others decision scores; None where all have the first."""
    has = has_any(~np.isnan(chances), learner)
    decision = finite_numbers(table, column)
    lacking = ~has & has_any(~np.isnan(decision), learner)
    if not lacking.any():
        roles.rest.remove(column)
        roles.leave_out("decision scores, beside probabilities", [column])
        return None
    own = lacking[learner.codes]
    scores, said = decided(table, roles, learner, classes, column)
    names = [name for name, each in zip(learner.names, has, strict=True) if each]
    if names:
        roles.notes.append(f"a probability of {listed(names)} above 0.5 predicts class {classes[1]}")
    codes = np.full(len(table), -1, dtype=np.int32) if said is None else said.codes
    likely = np.where(np.isnan(chances), -1, chances > 0.5).astype(np.int32)  # a tie goes to the first class
    both = Text(np.where(own, codes, likely), classes)
    return np.where(own, scores, chances), None if "prediction" in roles else both


def _refuse_both(table: Table, column: str, learner: Key, outside: Flags, inside: Flags) -> None:
    if outside.any() and inside.any():
        score, chance = (learner.names[int(np.argmax(each))] for each in (outside, inside))
        raise InputError(
            f"{column} of learner {chance} lies between 0 and 1 and that of learner {score} does not: probabilities "
            "and decision scores are told apart by nothing else.",
            table.where(column=column),
            "put probabilities in a column probability and decision scores in a column decision; each learner needs "
            "one of the two.",
        )
