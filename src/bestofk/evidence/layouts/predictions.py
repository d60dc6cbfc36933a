"""Outcomes from predictions and the truth, and scores of classes: probabilities of every class, or decisions of two."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.names import plain, spellings, unknown
from bestofk.core.phrases import counted, listed
from bestofk.evidence.layouts.grid import Grid, Key, key_of
from bestofk.evidence.layouts.measure_columns import NumberColumns, finite_numbers
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.natural_order import class_order
from bestofk.measures.catalogue import ENTRIES
from bestofk.measures.checks import settled_direction
from bestofk.tables.cells import class_word, is_absent, is_boolean
from bestofk.tables.table import Column, Numbers, Table, Text

MOST_CLASSES = 20  # above this, whole numbers are classes only with a note


def _per_row(*needs: str | None) -> dict[str, Callable[..., Array]]:
    """Measures with one outcome per row, and how it is made."""
    return {name: each.per_row for name, each in ENTRIES.items() if each.needs in needs and each.per_row is not None}


OF_CLASSES, DISTANCES, OF_CHANCES = _per_row("counts", None), _per_row("numbers"), _per_row("probabilities")
RIGHTS = tuple(name for name in OF_CLASSES if ENTRIES[name].larger_is_better)
ERRORS = tuple(name for name in OF_CLASSES if name not in RIGHTS)


#: The column of predictions that are made of scores, or that stood in columns of learners.
PREDICTED = "predicted class"


@frozen(eq=False)
class ClassScores:
    """Probabilities of every row, (rows, classes); decision scores of the second class, (rows,)."""

    classes: tuple[str, ...]
    values: Array

    def by_learner(self, learner: Key, grid: Grid) -> dict[str, Any]:
        """As items keep them, (items, classes) or (items,) of every learner; NaN where a learner has no such item."""
        if self.values.ndim == 1:
            name, found = "decisions", grid.spread(self.values)
        else:
            name, found = "probabilities", np.stack([grid.spread(column) for column in self.values.T], axis=-1)
        return {name: dict(zip(learner.names, found, strict=True)), "classes": self.classes}


def predicted_outcome(
    table: Table, roles: Roles, request: Request, scores: ClassScores | None
) -> tuple[str, bool, Array]:
    """The measure of predictions, whether larger is better, and the outcome of every row."""
    truth, prediction = roles.column["truth"], roles.column["prediction"]
    refuse_missing_truth(table, truth)
    known = scores if scores is not None and scores.values.ndim == 2 else None
    measure, larger = prediction_measure(table, truth, roles, request, chances=known is not None)
    if known is not None and plain(measure) in OF_CHANCES:
        return measure, larger, chance_outcomes(table, truth, known.classes, known.values, measure)
    if prediction != PREDICTED and plain(measure) not in DISTANCES:
        refuse_spellings(table, truth, [prediction])
        refuse_other_classes(table, truth, prediction)
    return measure, larger, outcomes(table, truth, prediction, measure)


def is_from_predictions(table: Table, roles: Roles, found: NumberColumns, request: Request) -> bool:
    """Whether outcomes are made of predictions and the truth; two ways to read them are refused."""
    if "prediction" not in roles or "truth" not in roles:
        return False
    if request.on:
        return True
    asked = request.measure and plain(request.measure)
    if asked:
        return asked not in _names_of(found)
    if found.measures:
        made = [name for name in (ERRORS[0], RIGHTS[0], *ERRORS, *RIGHTS) if name not in _names_of(found)]
        raise InputError(
            f"the outcome may be read two ways: from {roles.column['prediction']} and {roles.column['truth']}, "
            f"or from the column {' or '.join(found.measures.values())}.",
            table.source,
            f"say which: --measure {made[0]}{f' (or {made[1]})' if made[:2] == [ERRORS[0], RIGHTS[0]] else ''} for "
            f"predictions, --measure {next(iter(found.measures))} for the column.",
        )
    return True


def _names_of(found: NumberColumns) -> set[str]:
    return {plain(name) for name in (*found.measures, *found.measures.values())}


def prediction_measure(table: Table, truth: str, roles: Roles, request: Request, *, chances: bool) -> tuple[str, bool]:
    """Return the measure of predictions, error unless asked otherwise, and its direction.

    ``chances`` says whether there are probabilities to take it of.
    """
    measure = request.measure or "error"
    if not chances:
        refuse_without_chances(measure, table)
    known = OF_CLASSES | DISTANCES | (OF_CHANCES if chances else {})
    if plain(measure) not in known:
        raise unknown(
            measure, {ENTRIES[name].name: None for name in known}, what="measure of predictions", where=table.source
        )
    if plain(measure) not in DISTANCES:
        _check_classes(table, truth, roles)
    return measure, settled_direction(measure, request.larger_is_better, where=table.source)


def refuse_without_chances(measure: str | None, table: Table) -> None:
    """Refuse a measure of probabilities where there are none."""
    if measure is not None and plain(measure) in OF_CHANCES:
        raise InputError(
            f"{measure} needs probabilities of every class and learner.",
            table.source,
            "give a column 'learner:class' for each, or a column per class beside the learner; or --measure error.",
        )


def outcomes(table: Table, truth: str, prediction: str, measure: str) -> Array:
    """Return one outcome per row; NaN where there is no prediction."""
    if plain(measure) in DISTANCES:
        distance = np.abs(finite_numbers(table, prediction) - finite_numbers(table, truth))
        return np.asarray(DISTANCES[plain(measure)](distance))
    first, second = same_words(table, truth, truth), same_words(table, prediction, truth)
    right = _codes_in(second, first.categories) == first.codes
    return np.where(second.codes < 0, np.nan, OF_CLASSES[plain(measure)](right).astype(float))


def chance_outcomes(table: Table, truth: str, classes: Sequence[str], chances: Array, measure: str) -> Array:
    """Return one outcome per row from probabilities (rows, classes); NaN where one of them is missing."""
    place = {label: code for code, label in enumerate(classes)}
    words = same_words(table, truth, truth).words
    codes = np.array([place.get(word, -1) for word in words])
    fix = "give a column for every class."
    table.refuse(codes < 0, lambda row: f"there is no probability of class {words[row]}.", fix, column=truth)
    outcome = OF_CHANCES[plain(measure)](codes, chances)
    return np.where(np.isnan(chances).any(axis=1), np.nan, outcome)


def same_words(table: Table, column: str, truth: str) -> Text:
    """Return classes as words: as they are written, or, where those of the truth are numbers, 1 and 1.0 as one.

    Where all classes of the truth are numbers, or true and false, true is 1 too, in every column, and NA is none.
    """
    words = table.text(column)
    if not has_numbers(table, truth):
        return _as_truth_writes(words, table.text(truth)) if isinstance(table.column(column), Numbers) else words
    if isinstance(table.column(column), Numbers):
        return words
    kept = map(class_word, words.categories)
    return words.renamed("" if is_absent(word) else word for word in kept)


def has_numbers(table: Table, truth: str) -> bool:
    """Whether all classes are numbers, or true and false; words of absence alone are classes."""
    return table.is_numeric(truth) and not bool(np.isnan(table.numbers(truth)).all())


def _as_truth_writes(numbers: Text, truth: Text) -> Text:
    """Numbers, whose spelling is lost, as the truth writes them, where one class of it alone is that number."""
    spelled: dict[str, list[str]] = {}
    for word in truth.categories:
        spelled.setdefault(class_word(word), []).append(word)
    alone = {number: words[0] for number, words in spelled.items() if len(words) == 1}
    return numbers.renamed(alone.get(word, word) for word in numbers.categories)


def with_class_words(table: Table, roles: Roles) -> Table:
    """The truth and the predictions in the words of ``same_words``, so that every reader finds the same classes."""
    truth = roles.column.get("truth")
    if truth is None:
        return table
    columns = [truth, *([roles.column["prediction"]] if "prediction" in roles else [])]
    text = {name: table.text(name) for name in columns if isinstance(table.column(name), Text)}
    words = [word for each in text.values() for word in each.categories]
    if has_numbers(table, truth) and any(map(is_boolean, words)):
        roles.notes.append(f"true and false were read as the classes {class_word('true')} and {class_word('false')}")
    return table.with_columns({name: same_words(table, name, truth) for name in text})


def classes_by_label(labels: Iterable[str], classes: Sequence[str]) -> dict[str, str]:
    """The class that each label is of: itself, or the class of which it is another spelling (1.0, True)."""
    return {
        label: label if label in classes or class_word(label) not in classes else class_word(label) for label in labels
    }


def refuse_missing_truth(table: Table, truth: str) -> None:
    """Refuse a row that does not say what would have been right."""
    fix = "give the true class of every item, or remove the row."
    table.refuse(same_words(table, truth, truth).empty, lambda row: f"the {truth} is empty.", fix, column=truth)


def _codes_in(words: Text, categories: tuple[str, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Codes of words in the categories of another column; −2 where it has no such word."""
    place = {word: code for code, word in enumerate(categories)}
    return np.array([*(place.get(word, -2) for word in words.categories), -2], dtype=np.int64)[words.codes]


def refuse_other_classes(table: Table, truth: str, prediction: str) -> None:
    """A column whose values are mostly no classes of the truth is no column of predictions."""
    words = same_words(table, prediction, truth)
    foreign = ~words.empty & (_codes_in(words, same_words(table, truth, truth).categories) == -2)
    if 2 * int(foreign.sum()) > int((~words.empty).sum()):
        table.refuse(
            foreign,
            lambda row: f"{prediction} is {words.words[row]!r}, which is no class of {truth}, as in most rows.",
            "give predicted classes; call probabilities 'learner:class'; remove other columns or say learners=[...].",
            column=prediction,
        )


def refuse_spellings(table: Table, truth: str, predictions: Sequence[str]) -> None:
    """Refuse classes that differ in capitals alone, unless all of them are true somewhere and predicted somewhere."""
    said = {name: same_words(table, name, truth) for name in (*predictions, truth)}
    true, predicted = said[truth].used, [word for name in predictions for word in said[name].used]
    for words in spellings([*true, *predicted]):
        odd = [word for word in words if word not in true] or [word for word in words if word not in predicted]
        if odd:
            column = next(name for name, each in said.items() if odd[0] in each.used)
            other = next(word for word in words if word != odd[0])
            raise InputError(
                f"the class {odd[0]!r} differs from {other!r} in capitals or blanks alone.",
                table.where(row=said[column].words.index(odd[0]), column=column),
                "write every class one way, in the truth and in all predictions; two classes need names that differ in "
                "more.",
            )


def _check_classes(table: Table, truth: str, roles: Roles) -> None:
    """Refuse numbers to predict; whole numbers of many kinds may be such, and nothing but how many they are tells."""
    if not table.is_numeric(truth):
        return
    values = finite_numbers(table, truth)
    table.refuse(
        values % 1 > 0,
        lambda row: f"{truth} is {values[row]:g}: a number to predict and not a class.",
        "say how far off a prediction is: --measure mae or --measure mse (measure='mae').",
        column=truth,
    )
    number = len(np.unique(values))
    if number > MOST_CLASSES:
        roles.notes.append(f"{truth!r} was read as {number} classes: measure='mae' reads it as numbers")


ROUNDED = 1e-3  # how far probabilities of an item may be from 1 in all


def split_scores(table: Table, roles: Roles, truth: str) -> tuple[Table, dict[str, ClassScores], dict[str, Array]]:
    """Take columns ``learner:class`` and ``learner:decision`` out; a learner that has only these predicts by them."""
    classes = classes_of(table, truth)
    decisions: dict[str, Array] = {}
    found: dict[str, dict[str, str]] = {}
    for name in [name for name in roles.rest if ":" in name]:
        learner, _, label = name.rpartition(":")
        roles.rest.remove(name)
        if plain(label) in DECISION and label not in classes:
            if len(classes) != 2:
                raise InputError(
                    f"{name} has decision scores, which are of two classes, and there are {len(classes)}.",
                    table.where(column=name),
                    "give probabilities of every class: columns learner:class.",
                )
            decisions[learner] = finite_numbers(table, name)
            continue
        columns, named = found.setdefault(learner, {}), classes_by_label([label], classes)[label]
        if named in columns:
            wrong = f"{columns[named]} and {name} are of one class, {named}."
            raise InputError(wrong, table.where(column=name), "remove one of them.")
        columns[named] = name
    made = _decided_classes({n: each for n, each in decisions.items() if n not in roles.rest}, classes, roles)
    chances = {name: _checked_probabilities(table, name, columns) for name, columns in found.items()}
    for name, each in chances.items():
        if name not in (*roles.rest, *made):
            made[name] = most_probable(each, f"learner {name!r}", roles)
    roles.rest += list(made)
    return table.with_columns(made), chances, decisions


def _decided_classes(decisions: dict[str, Array], classes: tuple[str, ...], roles: Roles) -> dict[str, Column]:
    """The classes that decision scores of learners, one column each, predict."""
    if not decisions:
        return {}
    length = len(next(iter(decisions.values())))
    owner = Key("learner", np.repeat(np.arange(len(decisions)), length), tuple(decisions))
    said = predicted_by(np.concatenate(list(decisions.values())), owner, classes, roles)
    return {name: Text(codes, classes) for name, codes in zip(decisions, said.codes.reshape(-1, length), strict=True)}


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
