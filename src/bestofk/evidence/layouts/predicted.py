"""Outcomes from predictions and the truth: right or wrong for classes, how far off for numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.names import plain, unknown
from bestofk.evidence.layouts.measured import finite_numbers
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
        _refuse_numbers_to_predict(table, truth)
        _note_many_classes(table, truth, roles)
    return measure, settled_direction(measure, request.larger_is_better, where=table.source)


def refuse_without_chances(measure: str | None, table: Table) -> None:
    """Refuse a measure of probabilities where there are none."""
    if measure is not None and plain(measure) in OF_CHANCES:
        raise InputError(
            f"{measure} needs probabilities of every class and learner.",
            table.source,
            "give a column 'learner:class' for each, or a column per class beside the learner; or --measure error.",
        )


def outcomes(table: Table, truth: str, prediction: str, measure: str, *, made: bool = False) -> Array:
    """Return one outcome per row; NaN where there is no prediction. ``made`` of scores, a prediction is a class."""
    if plain(measure) in DISTANCES:
        distance = np.abs(finite_numbers(table, prediction) - finite_numbers(table, truth))
        return np.asarray(DISTANCES[plain(measure)](distance))
    first, second = same_words(table, truth, truth), same_words(table, prediction, truth)
    if not made:
        _refuse_other_classes(table, truth, prediction)
    right = _codes_in(second, first.categories) == first.codes
    return np.where(second.codes < 0, np.nan, OF_CLASSES[plain(measure)](right).astype(float))


def chance_outcomes(table: Table, truth: str, classes: Sequence[str], chances: Array, measure: str) -> Array:
    """Return one outcome per row from probabilities (rows, classes); NaN where one of them is missing."""
    place = {label: code for code, label in enumerate(classes)}
    words = words_of(same_words(table, truth, truth))
    lacking = next((row for row, word in enumerate(words) if word not in place), None)
    if lacking is not None:
        raise InputError(
            f"there is no probability of class {words[lacking]}.",
            table.where(row=lacking, column=truth),
            "give a column for every class.",
        )
    outcome = OF_CHANCES[plain(measure)](np.array([place[word] for word in words]), chances)
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
    kept = [class_word(word) for word in words.categories]
    return _renamed(words, ["" if is_absent(word) else word for word in kept])


def has_numbers(table: Table, truth: str) -> bool:
    """Whether all classes are numbers, or true and false; words of absence alone are classes."""
    return table.is_numeric(truth) and not bool(np.isnan(table.numbers(truth)).all())


def _as_truth_writes(numbers: Text, truth: Text) -> Text:
    """Numbers, whose spelling is lost, as the truth writes them, where one class of it alone is that number."""
    spelled: dict[str, list[str]] = {}
    for word in truth.categories:
        spelled.setdefault(class_word(word), []).append(word)
    alone = {number: words[0] for number, words in spelled.items() if len(words) == 1}
    return _renamed(numbers, [alone.get(word, word) for word in numbers.categories])


def _renamed(words: Text, names: Sequence[str]) -> Text:
    """The same words under other names, which may be the same; none where a name is empty."""
    place = {name: code for code, name in enumerate(dict.fromkeys(name for name in names if name))}
    codes = np.array([*(place.get(name, -1) for name in names), -1], dtype=np.int32)
    return Text(codes[words.codes], tuple(place))


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
    return replace(table, columns={**table.columns, **{name: same_words(table, name, truth) for name in text}})


def classes_by_label(labels: Iterable[str], classes: Sequence[str]) -> dict[str, str]:
    """The class that each label is of: itself, or the class of which it is another spelling (1.0, True)."""
    return {
        label: label if label in classes or class_word(label) not in classes else class_word(label) for label in labels
    }


def words_of(text: Text) -> tuple[str, ...]:
    """Return the word of every row, "" where it is empty."""
    return tuple(np.array([*text.categories, ""], dtype=object)[text.codes].tolist())


def refuse_missing_truth(table: Table, truth: str) -> None:
    """Refuse a row that does not say what would have been right."""
    empty = same_words(table, truth, truth).codes < 0
    if empty.any():
        raise InputError(
            f"the {truth} is empty.",
            table.where(row=int(np.argmax(empty)), column=truth),
            "give the true class of every item, or remove the row.",
        )


def _codes_in(words: Text, categories: tuple[str, ...]) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Codes of words in the categories of another column; −2 where it has no such word."""
    place = {word: code for code, word in enumerate(categories)}
    return np.array([*(place.get(word, -2) for word in words.categories), -2], dtype=np.int64)[words.codes]


def _refuse_other_classes(table: Table, truth: str, prediction: str) -> None:
    """A column whose values are mostly no classes of the truth is no column of predictions."""
    words = same_words(table, prediction, truth)
    said: Flags = words.codes >= 0
    foreign = said & (_codes_in(words, same_words(table, truth, truth).categories) == -2)
    if 2 * int(foreign.sum()) > int(said.sum()):
        row = int(np.argmax(foreign))
        raise InputError(
            f"{prediction} is {words_of(words)[row]!r}, which is no class of {truth}, as in most rows.",
            table.where(row=row, column=prediction),
            "give predicted classes; call probabilities 'learner:class'; remove other columns or say learners=[...].",
        )


def _note_many_classes(table: Table, truth: str, roles: Roles) -> None:
    """Whole numbers of many kinds may be numbers to predict: nothing but their number tells."""
    if table.is_numeric(truth):
        number = len(np.unique(finite_numbers(table, truth)))
        if number > MOST_CLASSES:
            roles.notes.append(f"{truth!r} was read as {number} classes: measure='mae' reads it as numbers")


def _refuse_numbers_to_predict(table: Table, truth: str) -> None:
    if table.is_numeric(truth):
        values = finite_numbers(table, truth)
        if (values % 1 > 0).any():
            row = int(np.argmax(values % 1 > 0))
            raise InputError(
                f"{truth} is {values[row]:g}: a number to predict and not a class.",
                table.where(row=row, column=truth),
                "say how far off a prediction is: --measure mae or --measure mse (measure='mae').",
            )
