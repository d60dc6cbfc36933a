"""Decision scores of two classes: larger for the second one, and no probabilities."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.phrases import listed
from bestofk.evidence.layouts.cells import Key
from bestofk.evidence.layouts.measured import finite_numbers
from bestofk.evidence.layouts.predicted import same_words
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.natural_order import class_order
from bestofk.tables.table import Table, Text

#: Names of a column of decision scores, and of the part after the colon in ``learner:decision``.
DECISION = frozenset({"decision", "decision_function", "decision_score", "decision_value"})


def classes_of(table: Table, truth: str) -> tuple[str, ...]:
    """The classes that occur in the truth, sorted: the second of two is the positive one."""
    words = same_words(table, truth, truth)
    return class_order(words.categories[code] for code in np.unique(words.codes[words.codes >= 0]))


def predicted_by(values: Array, learner: Key, classes: tuple[str, ...], roles: Roles) -> Text | None:
    """Above 0 the second class, as scikit-learn does; none of a learner whose scores are all on one side of 0.

    Such scores have another zero, if they have one: each learner's scale is its own. None where nobody predicts.
    """
    silent = ~(has_any(values > 0, learner) & has_any(values < 0, learner))
    if silent.any():
        names = [name for name, each in zip(learner.names, silent, strict=True) if each]
        roles.notes.append(f"the decision scores of {listed(names)} are all on one side of 0: they predict no class")
    if silent.all():
        return None
    roles.notes.append(f"a decision score above 0 predicts class {classes[1]}, any other {classes[0]}")
    unknown = np.isnan(values) | silent[learner.codes]
    return Text(np.where(unknown, -1, values > 0).astype(np.int32), classes)


def has_any(rows: Flags, learner: Key) -> Flags:
    """Of every learner, whether one of its rows is so."""
    return np.bincount(learner.codes[rows], minlength=len(learner.names)) > 0


def split_decisions(table: Table, roles: Roles, truth: str) -> tuple[Table, dict[str, Array]]:
    """Take ``learner:decision`` columns of two classes out; without predictions of their own above 0 is one."""
    classes = classes_of(table, truth)
    found = {name: name.rpartition(":") for name in roles.rest if plain(name.rpartition(":")[2]) in DECISION}
    found = {name: parts for name, parts in found.items() if parts[1] and parts[2] not in classes}
    if not found:
        return table, {}
    _refuse_other_classes(table, classes, next(iter(found)))
    roles.rest = [name for name in roles.rest if name not in found]
    values = {parts[0]: finite_numbers(table, name) for name, parts in found.items()}
    without = [name for name in values if name not in roles.rest]
    owner = Key("learner", np.repeat(np.arange(len(without)), len(table)), tuple(without))
    made = predicted_by(np.concatenate([values[n] for n in without]), owner, classes, roles) if without else None
    roles.rest += without
    empty = np.full(len(table), -1, dtype=np.int32)
    codes = [empty] * len(without) if made is None else np.split(made.codes, len(without))
    columns = {name: Text(each, classes) for name, each in zip(without, codes, strict=True)}
    return replace(table, columns={**table.columns, **columns}), values


def _refuse_other_classes(table: Table, classes: tuple[str, ...], column: str) -> None:
    if len(classes) != 2:
        raise InputError(
            f"{column} has decision scores, which are of two classes, and there are {len(classes)}.",
            table.where(column=column),
            "give probabilities of every class: columns learner:class.",
        )


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
