"""Outcomes from predictions and the truth: right or wrong for classes, how far off for numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.names import plain, spellings, unknown
from bestofk.evidence.layouts.grid import Grid, Key
from bestofk.evidence.layouts.measure_columns import NumberColumns, finite_numbers
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.measures.catalogue import ENTRIES
from bestofk.measures.checks import settled_direction
from bestofk.tables.cells import class_word, is_absent, is_boolean
from bestofk.tables.table import Numbers, Table, Text

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
