"""Scores of classes: probabilities of every class, or decision scores of two, by column or by ``learner:class``."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.phrases import counted, listed
from bestofk.evidence.layouts.grid import Key, key_of
from bestofk.evidence.layouts.measure_columns import finite_numbers
from bestofk.evidence.layouts.predictions import PREDICTED, ClassScores, classes_by_label, same_words
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.natural_order import class_order
from bestofk.tables.table import Column, Numbers, Table, Text

ROUNDED = 1e-3  # how far probabilities of an item may be from 1 in all


def split_probabilities(table: Table, roles: Roles, truth: str) -> tuple[Table, dict[str, ClassScores]]:
    """Take ``learner:class`` columns out; a learner that has only these predicts its most probable class."""
    classes = classes_of(table, truth)
    found: dict[str, dict[str, str]] = {}
    for name in [name for name in roles.rest if ":" in name]:
        learner, _, label = name.rpartition(":")
        columns = found.setdefault(learner, {})
        named = classes_by_label([label], classes)[label]
        if named in columns:
            raise InputError(
                f"{columns[named]} and {name} are of one class, {named}.",
                table.where(column=name),
                "remove one of them.",
            )
        columns[named] = name
        roles.rest.remove(name)
    chances = {name: _checked_probabilities(table, name, columns) for name, columns in found.items()}
    made = {
        name: most_probable(each, f"learner {name!r}", roles)
        for name, each in chances.items()
        if name not in roles.rest
    }
    roles.rest += list(made)
    return table.with_columns(made), chances


def shared_scores(
    table: Table,
    roles: Roles,
    said: Mapping[str, Column],
    chances: Mapping[str, ClassScores],
    decisions: Mapping[str, Array],
) -> ClassScores | None:
    """Probabilities, else decision scores, of all learners one under another; None where one learner has neither.

    ``said`` are the predictions of the learners.
    """
    lacking = [name for name in said if name not in chances]
    if not lacking:
        classes = chances[next(iter(said))].classes
        return ClassScores(
            classes, np.concatenate([_in_order(table, name, chances[name], said, classes) for name in said])
        )
    if chances:
        roles.notes.append(f"probabilities were not used: learner {lacking[0]} has none")
    lacking = [name for name in said if name not in decisions]
    if decisions and lacking:
        _refuse_silent(table, said, lacking[0])
        roles.notes.append(f"decision scores were not used: learner {lacking[0]} has none")
    if lacking:
        return None
    return ClassScores(classes_of(table, roles.column["truth"]), np.concatenate([decisions[name] for name in said]))


def _in_order(table: Table, name: str, own: ClassScores, said: Mapping[str, Column], classes: tuple[str, ...]) -> Array:
    """Probabilities of the classes in this order, which have to be all the classes."""
    if set(own.classes) != set(classes):
        raise InputError(
            f"learner {name} has probabilities of {', '.join(own.classes)}, "
            f"learner {next(iter(said))} of {', '.join(classes)}.",
            table.source,
            "give a column 'learner:class' for every class and learner.",
        )
    return own.values[:, [own.classes.index(label) for label in classes]]


def _refuse_silent(table: Table, said: Mapping[str, Column], lacking: str) -> None:
    """Decision scores of some learners have no areas beside the others, and on one side of 0 no predictions either."""
    silent = next((name for name, each in said.items() if each.empty.all()), None)
    if silent is not None:
        raise InputError(
            f"the decision scores of {silent} are on one side of 0, where they predict no class, and learner "
            f"{lacking} has none to compare areas with.",
            table.where(column=f"{silent}:decision"),
            f"add a column {silent} with predicted classes, or give all learners decision scores.",
        )


def _checked_probabilities(table: Table, learner: str, columns: Mapping[str, str]) -> ClassScores:
    """Probabilities of a learner by class and column: each between 0 and 1, together 1."""
    fix = "give probabilities between 0 and 1; rename a learner whose name has a colon."
    values = np.stack([_probability(table, name, fix) for name in columns.values()], axis=1)
    total = values.sum(axis=1)
    table.refuse(
        np.abs(total - 1) > ROUNDED,
        lambda row: f"the probabilities of {learner} are {total[row]:g} in all.",
        f"give a column for every class ({', '.join(columns)} so far) and make them 1 in all.",
    )
    return ClassScores(tuple(columns), values)


def _probability(table: Table, column: str, fix: str) -> Array:
    """A column of numbers between 0 and 1."""
    values = finite_numbers(table, column)
    outside = (values < 0) | (values > 1)
    table.refuse(outside, lambda row: f"{column} is {values[row]:g}, no probability.", fix, column=column)
    return values


#: Who predicts, where the rows are of all learners.
EVERY = "every learner"


def most_probable(scores: ClassScores, learner: str, roles: Roles) -> Text:
    """The most probable class of every row; none where a probability is missing."""
    roles.notes.append(f"{learner} predicts its most probable class")
    missing = np.isnan(scores.values).any(axis=1)
    known = np.where(np.isnan(scores.values), -np.inf, scores.values)
    ties = int((((known == known.max(axis=1, keepdims=True)).sum(axis=1) > 1) & ~missing).sum())
    if ties:
        tied = counted(ties, "row") if learner == EVERY else f"{counted(ties, 'item')} of {learner}"
        roles.notes.append(f"{tied} with two or more most probable classes: the first of them was taken")
        if len(scores.classes) == 2:
            roles.notes.append(
                "at a probability of exactly 0.5 the first class is predicted; a threshold (tpr@0.5) calls it positive"
            )
    return Text(np.where(missing, -1, known.argmax(axis=1)).astype(np.int32), scores.classes)


#: Names of a single column: the probability of the second of two classes, which is the positive one.
POSITIVE = frozenset({"probability", "proba", "prob", "y_prob", "y_proba"})
_ONE_COLUMN = "give probabilities between 0 and 1; call the column 'decision' if it holds decision scores."


def long_probabilities(table: Table, roles: Roles) -> tuple[Table, ClassScores | None]:
    """Take scores of classes out of the columns without a role; without predictions they make them."""
    if "truth" not in roles:
        return table, None
    classes = classes_of(table, roles.column["truth"])
    per_class = _class_columns(table, roles, classes)
    alone = _numeric(table, roles, POSITIVE)
    column = decision_column(table, roles) if len(classes) == 2 else None
    chance = per_class[classes[1]] if per_class else alone[0] if len(alone) == 1 else None
    if column is not None:
        learner = key_of(table, "learner", roles.column["learner"])
        chances = np.full(len(table), np.nan) if chance is None else _probability(table, chance, _ONE_COLUMN)
        if chance is None or _some_lack(table, column, learner, chances):
            scores, said = decided(table, roles, learner, classes, column, chances)
            gone = per_class.values() if per_class else [chance]
            roles.rest = [name for name in roles.rest if name not in gone]
            return _with_prediction(table, roles, said), scores
        roles.rest.remove(column)
        roles.leave_out("decision scores, beside probabilities", [column])
    table, per_class = (table, per_class) if per_class else _one_column(table, roles, classes)
    if not per_class:
        return table, None
    roles.rest = [name for name in roles.rest if name not in per_class.values()]
    scores = _checked_probabilities(table, "a row", per_class)
    return _with_prediction(
        table, roles, None if "prediction" in roles else most_probable(scores, EVERY, roles)
    ), scores


def _with_prediction(table: Table, roles: Roles, said: Text | None) -> Table:
    if said is None:
        return table
    roles.column["prediction"] = PREDICTED
    return table.with_columns({PREDICTED: said})


def _numeric(table: Table, roles: Roles, names: frozenset[str]) -> list[str]:
    return [name for name in roles.rest if plain(name) in names and table.is_numeric(name)]


def _class_columns(table: Table, roles: Roles, classes: tuple[str, ...]) -> dict[str, str]:
    """The column of every class; empty where one has none."""
    found = {label: name for name, label in classes_by_label(roles.rest, classes).items() if label in classes}
    found |= {name: name for name in roles.rest if name in classes}  # the very spelling before another
    numeric = len(classes) > 1 and set(classes) <= set(found) and all(map(table.is_numeric, found.values()))
    return {label: found[label] for label in classes} if numeric else {}


def _one_column(table: Table, roles: Roles, classes: tuple[str, ...]) -> tuple[Table, dict[str, str]]:
    """The probability of the second of two classes, and one made of it for the first; empty where there is none."""
    alone = _numeric(table, roles, POSITIVE | EITHER)
    if len(classes) != 2 or len(alone) != 1:
        return table, {}
    roles.notes.append(f"column {alone[0]!r} was read as the probability of class {classes[1]}")
    other = f"1 − {alone[0]}"
    rest = Numbers(_rest_of(_probability(table, alone[0], _ONE_COLUMN)))
    return table.with_columns({other: rest}), {classes[0]: other, classes[1]: alone[0]}


def _rest_of(values: Array) -> Array:
    """1 − p, as people write it: of 0.8 it is 0.2, which a threshold of 0.2 reaches, not 0.19999999999999996."""
    rest = 1 - values
    short = np.round(rest, 12)
    return np.where((short > 0) & (np.abs(rest - short) < 1e-15), short, rest)


#: Names of a column of decision scores, and of the part after the colon in ``learner:decision``.
DECISION = frozenset({"decision", "decision_function", "decision_score", "decision_value"})


def classes_of(table: Table, truth: str) -> tuple[str, ...]:
    """The classes that occur in the truth, sorted: the second of two is the positive one."""
    words = same_words(table, truth, truth)
    return class_order(words.used)


def predicted_by(values: Array, learner: Key, classes: tuple[str, ...], roles: Roles) -> Text:
    """Above 0 the second class, as scikit-learn does; none of a learner whose scores are all on one side of 0.

    Such scores have another zero, if they have one: each learner's scale is its own.
    """
    silent = ~(has_any(values > 0, learner) & has_any(values < 0, learner))
    if silent.any():
        names = [name for name, each in zip(learner.names, silent, strict=True) if each]
        roles.notes.append(f"the decision scores of {listed(names)} are all on one side of 0: they predict no class")
    if not silent.all():
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
    if found and len(classes) != 2:
        column = next(iter(found))
        raise InputError(
            f"{column} has decision scores, which are of two classes, and there are {len(classes)}.",
            table.where(column=column),
            "give probabilities of every class: columns learner:class.",
        )
    roles.rest = [name for name in roles.rest if name not in found]
    values = {parts[0]: finite_numbers(table, name) for name, parts in found.items()}
    without = [name for name in values if name not in roles.rest]
    if not without:
        return table, values
    owner = Key("learner", np.repeat(np.arange(len(without)), len(table)), tuple(without))
    made = predicted_by(np.concatenate([values[n] for n in without]), owner, classes, roles)
    roles.rest += without
    codes = np.split(made.codes, len(without))
    return table.with_columns({n: Text(each, classes) for n, each in zip(without, codes, strict=True)}), values


#: Names of a column that may hold probabilities or decision scores: what is outside 0 and 1 tells.
EITHER = frozenset({"y_score", "score_positive"})


def decision_column(table: Table, roles: Roles) -> str | None:
    """The one column of decision scores, by its name, or by values of every learner that no probability has."""
    names = _numeric(table, roles, DECISION | EITHER)
    if len(names) != 1 or plain(names[0]) in DECISION:
        return names[0] if len(names) == 1 else None
    learner, values = key_of(table, "learner", roles.column["learner"]), finite_numbers(table, names[0])
    outside = has_any((values < 0) | (values > 1), learner)
    inside = has_any(~np.isnan(values), learner) & ~outside
    if outside.any() and inside.any():
        score, chance = (learner.names[int(np.argmax(each))] for each in (outside, inside))
        raise InputError(
            f"{names[0]} of learner {chance} lies between 0 and 1 and that of learner {score} does not: probabilities "
            "and decision scores are told apart by nothing else.",
            table.where(column=names[0]),
            "put probabilities in a column probability and decision scores in a column decision; each learner needs "
            "one of the two.",
        )
    return names[0] if outside.any() else None


def _some_lack(table: Table, column: str, learner: Key, chances: Array) -> bool:
    """Whether a learner has decision scores and no probability."""
    has = has_any(~np.isnan(chances), learner)
    return bool((has_any(~np.isnan(finite_numbers(table, column)), learner) & ~has).any())


def decided(
    table: Table, roles: Roles, learner: Key, classes: tuple[str, ...], column: str, chances: Array
) -> tuple[ClassScores, Text | None]:
    """Decision scores, probabilities of the learners that have those, and the classes that they predict, if any."""
    roles.rest.remove(column)
    roles.notes.append(f"column {column!r} was read as decision scores of class {classes[1]}, no probabilities")
    scores = finite_numbers(table, column)
    has = has_any(~np.isnan(chances), learner)
    likely = has[learner.codes]
    values = ClassScores(classes, np.where(likely, chances, scores))
    if "prediction" in roles:
        return values, None
    said = predicted_by(scores, learner, classes, roles)
    names = [name for name, each in zip(learner.names, has, strict=True) if each]
    if names:
        roles.notes.append(f"a probability of {listed(names)} above 0.5 predicts class {classes[1]}")
    more = np.where(np.isnan(chances), -1, chances > 0.5).astype(np.int32)  # a tie goes to the first class
    both = Text(np.where(likely, more, said.codes), classes)
    return values, None if both.empty.all() else both
