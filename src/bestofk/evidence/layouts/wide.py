"""One column per learner, turned into one row per learner: scores, outcomes, curves, predictions beside the truth."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.core.phrases import counted, listed
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.items import Items
from bestofk.evidence.layouts.grid import key_of
from bestofk.evidence.layouts.item_tables import items_of
from bestofk.evidence.layouts.measure_columns import (
    finite_numbers,
    nameless_measure,
    refuse_impossible_columns,
    refuse_means_with_spread,
    split_columns,
)
from bestofk.evidence.layouts.predictions import (
    DISTANCES,
    OF_CHANCES,
    PREDICTED,
    prediction_measure,
    refuse_missing_truth,
    refuse_other_classes,
    refuse_spellings,
    same_words,
    shared_scores,
    split_scores,
    with_class_words,
)
from bestofk.evidence.layouts.request import ROWS, Request
from bestofk.evidence.layouts.roles import KEY_ROLES, Roles, holds_runs, noun, role_of_names, word_of_names
from bestofk.evidence.measure_vectors.wanted import one_score
from bestofk.evidence.scores import COUNTS
from bestofk.measures.catalogue import cost_of_name, is_bounded, is_larger_better
from bestofk.measures.checks import UNTOLD, settled_direction
from bestofk.tables.cells import number_advice
from bestofk.tables.table import MEASURED, Column, Numbers, Table


def as_long(table: Table, roles: Roles, request: Request) -> tuple[Table, Roles, Request]:
    """Return a table of numbers as one with a row per learner, with its roles and what is asked of it."""
    columns = learner_columns(table, roles, request)
    if request.rows != "runs" and not any(role in roles for role in KEY_ROLES):  # runs go by learner, not by row
        table = with_row_names(table, roles, request)
    if request.on and "item" not in roles and "step" not in roles:
        datasets = key_of(table, "dataset", roles.column.get("dataset")).names
        raise one_score(request.on, "fold" if len(datasets) == 1 else "dataset", table.source)
    numbers = {name: finite_numbers(table, name) for name in columns}
    measure = nameless_measure(list(numbers.values()), roles, request)
    if not request.on:  # of which there is but one measure, whatever it is
        _check_measure(table, columns, measure, request)
    long = _row_per_learner(table, roles, MEASURED, {name: Numbers(each) for name, each in numbers.items()})
    roles.rest, roles.measures = [], {measure: MEASURED}
    return long, roles, replace(request, measure=None if request.on else measure, learners=None)


def predicted_items(table: Table, roles: Roles, request: Request) -> Items:
    """Read outcomes from predicted classes, one column per learner, and a column with the truth."""
    truth = roles.column["truth"]
    refuse_missing_truth(table, truth)
    roles.drop("prediction")
    table = with_class_words(table, roles)
    given = table.columns
    table, chances, decisions = split_scores(table, roles, truth)
    named = "item" in roles
    if not named:
        table = with_row_numbers(table, roles, "item")
    columns = request.learners or tuple(roles.rest)
    known = bool(chances) and all(name in chances for name in columns)
    measure, larger = prediction_measure(table, truth, roles, request, chances=known)
    if not columns:
        fix = "give one column of predicted classes per learner beside the truth."
        raise table.lacks("no column holds predictions", fix)
    numbers = plain(measure) in DISTANCES
    if not numbers and plain(measure) not in OF_CHANCES:
        classes = [name for name in columns if name in given]
        refuse_spellings(table, truth, classes)
        for name in classes:
            refuse_other_classes(table, truth, name)
    said: dict[str, Column] = {
        name: Numbers(finite_numbers(table, name)) if numbers else same_words(table, name, truth) for name in columns
    }
    scores = shared_scores(table, roles, said, chances, decisions)
    long = _row_per_learner(table, roles, PREDICTED, said)
    if scores is None or scores.values.ndim == 2 or not long.column(PREDICTED).empty.all():
        roles.column["prediction"] = PREDICTED
    roles.rest = []
    made = items_of(long, roles, replace(request, learners=None), scores, named=named)
    return replace(made, measure=measure, larger_is_better=larger)


def _row_per_learner(table: Table, roles: Roles, name: str, columns: Mapping[str, Column]) -> Table:
    """The columns that have a role once for every learner, and the columns of the learners under one name."""
    keys = table.only({each: each for each in roles.column.values()})
    roles.column["learner"] = "learner"
    return keys.stacked(columns, "learner", name)


def with_column_names_in_rows(table: Table, roles: Roles, request: Request) -> tuple[Table, Roles, Request]:
    """A column per data set, fold or run as a row for each of these; another table as it is.

    Columns are such where ``transpose`` says so; where they are no measures, and a measure that is none of them says
    so; or, of a table with one row per learner, their names, or what rows are said to be.
    """
    if request.on or roles.measures or any(role in roles for role in ("item", "truth", "step")):
        if request.transpose:
            raise _not_turned(table, "rows are of items, steps or several measures")
        return table, roles, request
    learners = table.text(roles.column["learner"])
    one_row_each = len(learners.used) == len(table) and not any(role in roles for role in KEY_ROLES)
    numeric, _, words = split_columns(table, roles.rest)
    facts = [name for name in numeric if is_fact(bare_name(name)) or is_cost(name, request)]
    columns = [name for name in numeric if name not in facts]
    measured = any(is_larger_better(name) is not None for name in columns) or {*COUNTS} & set(map(plain, columns))
    if not request.transpose and (len(columns) < 2 or measured):
        return table, roles, request
    if not columns:
        refuse_words(table, words)
        raise table.lacks("no column holds scores", "give a column of numbers for every data set.")
    sums = summaries_in(columns)
    if one_row_each and len(sums) == len(columns):
        raise InputError(
            f"each learner has one row, with {listed(sums)}: a summary, and single results are compared.",
            table.source,
            "give the results that it was made of, a row each: model,seed,accuracy.",
        )
    asked, role = request.measure, role_of_names([name for name in columns if name not in sums])
    role = role if role in IN_COLUMNS and role not in roles else ""
    if request.told_rows and (one_row_each or request.transpose) and (request.rows or not role):
        role = ROWS[request.told_rows]
    named = asked is not None and plain(asked) in map(plain, columns)
    if request.transpose:
        if "dataset" in roles or len(columns) < 2 or measured or named:
            raise _not_turned(table, f"beside the learner are {listed([*roles.column.values(), *columns][1:4])}")
        return _turned(table, roles, request, columns, facts, words, role or "dataset")
    if named or (asked is None and not (one_row_each and role)):
        return table, roles, request
    if (role or "dataset") in roles or not (one_row_each or _says_columns(columns, request)):
        return table, roles, request
    if not role:
        _refuse_numbered(table, columns, one_row_each=one_row_each)
    return _turned(table, roles, request, columns, facts, words, role or "dataset")


def _turned(
    table: Table,
    roles: Roles,
    request: Request,
    columns: list[str],
    facts: list[str],
    words: list[str],
    role: str,
) -> tuple[Table, Roles, Request]:
    """The table with a row for every cell of these columns, whose names have a role; facts of learners are costs."""
    request = replace(request, costs=(*(request.costs or ()), *facts) or None)
    _refuse_some_percents(table, columns, request)
    refuse_means_with_spread(table, words, request)
    refuse_words(table, words, "; or remove the column")
    sums = summaries_in(columns)
    roles.leave_out("summaries of the others", sums)
    columns = [name for name in columns if name not in sums]
    measure = request.measure or "score"
    values = {name: Numbers(finite_numbers(table, name)) for name in columns}
    roles.column[role] = called = plain(word_of_names(columns) or "") if role_of_names(columns) == role else role
    roles.rest = [*(name for name in roles.rest if name not in (*columns, *sums)), measure]
    kind = "run" if holds_runs(roles, request) else noun(role)
    roles.notes.append(f"the columns {_some(columns)} were read as {kind}s")
    long = table.without(columns).stacked(values, called, measure)
    return only_runs_made(long, measure, roles, request), roles, request


def only_runs_made(table: Table, column: str, roles: Roles, request: Request) -> Table:
    """The rows without those of runs that were not made: empty cells after the last result of a learner.

    An empty cell before it is a result that is missing, and so are all of a learner without any.
    """
    if not holds_runs(roles, request):
        return table
    learner = key_of(table, "learner", roles.column["learner"])
    empty = np.isnan(table.numbers(column))
    last = np.full(len(learner.names), len(table))
    last[learner.codes[~empty]] = np.flatnonzero(~empty)  # of several rows of a learner the last one stays
    left_out = np.arange(len(table)) > last[learner.codes]
    if not left_out.any():
        return table
    number = np.bincount(learner.codes[left_out], minlength=len(learner.names))
    whose = [f"{number[k]} of {learner.names[k]}" for k in np.flatnonzero(number)]
    roles.notes.append(f"empty cells were read as runs that were not made: {_some(whose)}")
    return table.rows(np.flatnonzero(~left_out))


def _some(names: Sequence[str]) -> str:
    return f"{listed(names[:3])}{' …' if len(names) > 3 else ''}"


def _not_turned(table: Table, reason: str) -> InputError:
    wrong = f"transpose says that columns are data sets, and {reason}."
    return InputError(wrong, table.source, "leave transpose out.")


def _refuse_some_percents(table: Table, columns: Sequence[str], request: Request) -> None:
    """Refuse columns of one measure of which some have per cent signs and others have none."""
    signed = [name for name in columns if name in request.percents]
    bare = [name for name in columns if name not in request.percents]
    if signed and bare:
        raise InputError(
            f"column {signed[0]!r} has per cent signs, and column {bare[0]!r} has none.",
            table.where(column=bare[0]),
            "write all columns in the same way: 12.5, or 0.125.",
        )


def is_cost(name: str, request: Request) -> bool:
    """Whether a column is a cost by its name, or by request."""
    return cost_of_name(bare_name(name)) is not None or name in (request.costs or ())


def _says_columns(columns: Sequence[str], request: Request) -> bool:
    """Whether the measure asked for is one by name or direction, so that columns of other names are not measures."""
    known = is_larger_better(str(request.measure)) is not None or request.larger_is_better is not None
    return known and not UNTOLD & set(map(plain, columns))


IN_COLUMNS = ("dataset", "replication", "fold")


def _refuse_numbered(table: Table, columns: Sequence[str], *, one_row_each: bool) -> None:
    """Columns that are called by numbers, or by a word that says nothing and a number, may be runs as well."""
    word = word_of_names(columns)
    if word == "" or (one_row_each and word is not None and (len(word) == 1 or _count_on(columns))):
        raise InputError(
            f"the columns {_some(columns)} may be runs (seeds), folds, data sets or items.",
            table.source,
            "say it, with one row per learner: --rows runs|folds|datasets|items (rows='runs'); or name them so: seed1, "
            "seed2 …, fold1, fold2 … or dataset1, dataset2 ….",
        )


def _count_on(names: Sequence[str]) -> bool:
    """Whether the numbers at the end of names go up by one."""
    numbers = [int(re.findall(r"\d+", name)[-1]) for name in names]
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def with_row_names(table: Table, roles: Roles, request: Request) -> Table:
    """Number the rows of a table without key columns, and read them as what they are said to be."""
    if request.told_rows is None and len(table) > 1:
        raise InputError(
            f"no column says what the {counted(len(table), 'row')} are: data sets, folds, runs or items.",
            table.source,
            "say it: --rows datasets|folds|runs|items (rows='folds'), or add a column dataset, fold, seed or item.",
        )
    role = ROWS[request.nameless_rows]
    if role == "fold" and len(table) > 1:
        roles.assume_one_replication()
    return with_row_numbers(table, roles, role)


def with_row_numbers(table: Table, roles: Roles, role: str) -> Table:
    """Number the rows, and give the numbers a role."""
    roles.column[role] = role
    return table.with_columns({role: Numbers(np.arange(1.0, len(table) + 1.0))}, first=True)


def learner_columns(table: Table, roles: Roles, request: Request) -> tuple[str, ...]:
    """Return the columns that are learners: those asked for, or all columns of numbers that are nothing else."""
    if request.learners is not None:
        for name in request.learners:
            table.column(name)
        roles.leave_out("not among learners=", [name for name in roles.rest if name not in request.learners])
        return request.learners
    numeric, empty, words = split_columns(table, roles.rest)
    refuse_means_with_spread(table, words, request)
    words = [name for name in words if cost_of_name(name) is None]
    facts = [name for name in numeric if is_fact(name) or cost_of_name(bare_name(name)) is not None]
    columns = [name for name in numeric if name not in facts]
    _refuse_measures(table, columns, [name for name in facts if not is_fact(name)], words)
    refuse_words(table, words, f"; or say which columns are learners: {chosen(columns)}" if len(columns) > 1 else "")
    roles.leave_out("words", words)
    if empty:
        raise InputError(
            f"column {empty[0]!r} has no scores.", table.where(column=empty[0]), "fill it, or remove the column."
        )
    if not columns:
        fix = "give one column of numbers per learner, or a column learner and one per measure."
        raise table.lacks("no column holds scores", fix)
    _refuse_some_percents(table, columns, request)
    roles.leave_out("facts about the data sets, or costs", facts)
    refuse_summaries(table, columns)
    return tuple(columns)


def _check_measure(table: Table, columns: tuple[str, ...], measure: str, request: Request) -> None:
    """Check the measure's direction, which columns named after learners do not tell, and their values."""
    settled_direction(measure, request.larger_is_better, where=f"{table.source}, one column per learner")
    if request.learners is None:
        refuse_other_sizes(table, columns, above=100)  # no percent either: no score at all
    refuse_impossible_columns(table, columns, measure)
    if request.learners is None:
        refuse_other_sizes(table, columns, percent=is_bounded(measure))


def _refuse_measures(table: Table, columns: list[str], costs: list[str], words: list[str]) -> None:
    """Columns that are measures and not learners, which a column of words that rows share may name."""
    known = [n for n in columns if is_larger_better(n) is not None or plain(n).startswith("test_")]
    used = {name: table.text(name).used for name in words if not (roles_of_name(name) or _is_remark(name))}
    found = [n for n, each in used.items() if 1 < len(each) < len(table) and not any(w[:1].isdigit() for w in each)]
    alone = len(known) > 1 or (known + costs and len(known) == len(columns)) or (known and costs)
    if alone or (found and (known or len(columns) == 1)):
        names = " or ".join(found[:4]) or "COLUMN"
        raise InputError(
            f"no column names the learner; measures or costs are {', '.join(columns + costs)}.",
            table.source,
            f"say which column does, --learner {names}, or add one; if these are the learners themselves, say so: "
            "learners=[...].",
        )


def refuse_words(table: Table, columns: Sequence[str], more: str = "") -> None:
    """Refuse columns of words among columns of scores, unless their names say that words are what they hold.

    Numbers that are decorated, which are scores for certain, are told before any other.
    """
    found = [name for name in columns if not (roles_of_name(name) or _is_remark(name))]
    firsts = {name: table.text(name).used[0] for name in found}
    for name in sorted(found, key=lambda each: not any(map(str.isdigit, firsts[each]))):
        row = int(np.argmax(table.text(name).codes >= 0))
        advice = number_advice(firsts[name]).removesuffix(".")
        raise InputError(
            f"column {name!r} holds {firsts[name]!r}, which is no number.",
            table.where(row=row, column=name),
            f"{advice}{more}.",
        )


def _is_remark(name: str) -> bool:
    return plain(name) in REMARKS or plain(name).endswith(("_hash", "_id", "_name", "_text"))


#: Columns of words beside scores.
REMARKS = frozenset(
    {
        *("note", "notes", "remark", "remarks", "comment", "comments", "description", "domain", "area", "source"),
        *("reference", "citation", "paper", "url", "link", "type", "kind", "status", "date", "timestamp", "name"),
        *("prompt", "text", "input", "answer", "response", "reason", "family", "version"),
    }
)
#: What a data set may have a number of; with n_, num_, number_of_ or # before it, or alone in the plural.
COUNTED = (
    *("instance", "inst", "sample", "example", "row", "item", "observation", "feature", "attribute", "attr"),
    *("column", "variable", "dimension", "class", "label", "target"),
)
_NUMBER_OF = re.compile(
    rf"(?:(?:n|no|nr|num|nb|number_of|no_of|n_of|#|%)_?)(?:{'|'.join(COUNTED)})(?:e?s)?|(?:{'|'.join(COUNTED)})e?s"
)
FACTS = frozenset(
    {
        *("n", "size", "time", "seconds", "runtime", "duration", "memory", "imbalance", "imbalance_ratio", "missing"),
        *("missing_values", "dimensionality", "majority", "minority", "year"),
    }
)
SUMMARIES = frozenset({"mean", "average", "avg", "median", "std", "sd", "best", "rank", "total"})
EXTREMES = frozenset({"min", "max"})  # beside a summary they are one; alone, max is a learner of the papers
SUMMARY_ENDINGS = ("_std", "_mean", "_rank")
MOST_TIMES = 50  # scores of one measure do not differ by more


def is_fact(name: str) -> bool:
    """Whether a column tells something about the data set and nothing about a learner.

    Examples
    --------
    >>> is_fact("n_instances"), is_fact("#inst"), is_fact("Classes"), is_fact("train_size"), is_fact("svm")
    (True, True, True, True, False)
    """
    word = plain(name)
    return word in FACTS or bool(_NUMBER_OF.fullmatch(word)) or "step" in roles_of_name(name)


def bare_name(name: str) -> str:
    """A name without its unit, and without the sign of a number.

    Examples
    --------
    >>> bare_name("#Params (M)")
    'Params'
    """
    return name.partition("(")[0].strip("# ")


def summaries_in(columns: Sequence[str]) -> list[str]:
    """Columns that are made of the others."""
    found = [name for name in columns if plain(name) in SUMMARIES or plain(name).endswith(SUMMARY_ENDINGS)]
    return found + [name for name in columns if plain(name) in EXTREMES] if found else []


def refuse_summaries(table: Table, columns: Sequence[str]) -> None:
    """Refuse a column that is made of the others."""
    found = summaries_in(columns)
    if found:
        raise InputError(
            f"column {found[0]} looks like a summary of the others.",
            table.where(column=found[0]),
            _choose([name for name in columns if name not in found], columns),
        )


def refuse_other_sizes(table: Table, columns: Sequence[str], *, above: float = 0.0, percent: bool = False) -> None:
    """Refuse a column, its median above a size, whose numbers are of another size than those of every other column.

    ``percent``: one of a rate may be in percent and another in shares, which is told where learners are compared.
    """
    with np.errstate(over="ignore"):  # the middle of two numbers near the largest is infinite, and far from others
        sizes = {name: float(np.nanmedian(np.abs(table.numbers(name)))) for name in columns}
    for name in sorted(columns, key=lambda each: -sizes[each]):
        others = [each for each in columns if each != name]
        if percent and sizes[name] > 1 and min(sizes.values()) <= 1:
            return
        if others and sizes[name] > above and all(_far(sizes[name], sizes[each]) for each in others):
            raise InputError(
                f"column {name} has the median {sizes[name]:g}, column {others[0]} {sizes[others[0]]:g}: "
                "these can hardly be scores of one measure.",
                table.where(column=name),
                _choose(others, columns),
            )


def _far(one: float, other: float) -> bool:
    """Whether one is more than fifty times the other; nothing is said about a median of zero."""
    return 0 < MOST_TIMES * min(one, other) < max(one, other)


def _choose(others: Sequence[str], columns: Sequence[str]) -> str:
    return f"say which columns are learners: {chosen(others if len(others) > 1 else columns)}."


def chosen(names: Sequence[str]) -> str:
    """How to say that these columns are the learners."""
    return f"learners={list(names)} (--learners {','.join(names)})"
