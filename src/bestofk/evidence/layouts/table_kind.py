"""Which kind of evidence a table holds: by the layout of a program, else by the names of its columns."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import plain, unknown
from bestofk.core.phrases import counted
from bestofk.evidence import Battles, Curves, Items, Results, Scores
from bestofk.evidence.columns import SYNONYMS, UNCLEAR_STEPS, has_role, roles_of_name
from bestofk.evidence.layouts.curve_tables import long_curves, long_runs
from bestofk.evidence.layouts.dataset_rows import holds_items, items_number_rows, rows_of_dataset
from bestofk.evidence.layouts.grid import Codes, Key, joined, key_of, places_within
from bestofk.evidence.layouts.item_tables import long_items
from bestofk.evidence.layouts.layout import Layout
from bestofk.evidence.layouts.long_scores import long_scores
from bestofk.evidence.layouts.measure_columns import pass_over_faults
from bestofk.evidence.layouts.request import ROWS, Request
from bestofk.evidence.layouts.roles import KEY_ROLES, MOST, Roles, holds_runs, noun, roles_of, row_role
from bestofk.evidence.layouts.shelf import layout_of
from bestofk.evidence.layouts.tidy import is_tidy, on_one_measure, with_measure_columns
from bestofk.evidence.layouts.told_columns import as_told
from bestofk.evidence.layouts.wide import (
    as_long,
    chosen,
    is_cost,
    only_runs_made,
    predicted_items,
    with_column_names_in_rows,
)
from bestofk.evidence.programs.optuna import refuse_told_trials
from bestofk.evidence.programs.tracker_tables import with_finished_runs
from bestofk.evidence.programs.training import with_runs_named
from bestofk.measures.catalogue import cost_of_name, is_larger_better
from bestofk.tables.table import MEASURED, Numbers, Table


def evidence_from_table(table: Table, request: Request) -> Results:
    """Read a table as the evidence that its columns say it is."""
    refuse_told_trials(table, request)
    table, request = as_told(table, request)
    return evidence_in_layout(layout_of(table.names), table, request)


def evidence_in_layout(layout: Layout | None, table: Table, request: Request) -> Results:
    """Read a table in the layout of a program; without one by the names of its columns alone."""
    return selected(_evidence(layout, table, request), request.learners)


def selected(evidence: Results, learners: tuple[str, ...] | None) -> Results:
    """Return the evidence of the learners asked for only; battles with others say how strong these are."""
    if learners is None or learners == evidence.learners:
        return evidence
    for name in learners:
        if name not in evidence.learners:
            raise unknown(name, evidence.learners, what="learner", where=evidence.origin.source)
    if isinstance(evidence, Battles):
        return evidence.among(name for name in evidence.learners if name in learners)
    return evidence.without([name for name in evidence.learners if name not in learners])


def _evidence(layout: Layout | None, table: Table, request: Request) -> Results:
    if len(table) == 0:
        raise InputError("there are no rows.", table.source, "give one row per result.")
    read = with_runs_named(table, request) if layout is None else layout.read(table, request)
    if not isinstance(read, tuple):
        _with_used_columns(table, request, table.only({}), layout)
        return read
    (table, request, said), given = read, table
    request = _with_used_columns(given, request, table, layout)
    table, notes, assumed = with_named_index(table, request)
    notes[:0] = [*request.notes, *said]
    if layout is None:
        table = with_finished_runs(table, request.told.values())
    if is_tidy(table):
        table, request, tidied = (with_measure_columns if request.on else on_one_measure)(table, request)
        notes += tidied
    return _by_columns(table, request, notes, assumed)


def _with_used_columns(table: Table, request: Request, read: Table, layout: Layout | None) -> Request:
    """The told columns by their names in the table that was read; those that a layout has no use for are refused."""
    told = dict(request.told)
    for role, column in told.items():
        if column in read.names and (layout is None or role == "learner"):
            continue
        told[role] = column if column in read.names else role
        if told[role] not in read.names or not _has_values_of(read, told[role], table, request.told[role]):
            raise InputError(
                f"the table is of a program that bestofk knows, and the {noun(role)} is not read from another column.",
                table.source,
                "leave the option out, or rename the columns: learner, dataset, fold …",
            )
    return replace(request, told=told)


def _has_values_of(read: Table, name: str, table: Table, column: str) -> bool:
    """Whether a column that was read is the one that was told, maybe under another name and with fewer rows."""
    return column not in table.names or set(read.text(name).used) <= set(table.text(column).used)


def _by_columns(table: Table, request: Request, notes: list[str], assumed: list[str]) -> Scores | Items | Curves:
    """Read a table whose columns have names and whose rows are of one kind."""
    roles = roles_of(table, request.rows, request.told)
    roles.assumed += [*assumed, *request.assumed]
    roles.rate = request.rate
    if MEASURED in roles.rest:
        roles.rest.remove(MEASURED)
        roles.measures = {request.measure or "score": MEASURED}
    _settle_step(roles, request)
    if "item" not in request.told and items_number_rows(table, roles):
        roles.leave_out("numbers the rows", [roles.column.pop("item")])
    roles.note_names(request)
    roles.notes[:0] = notes
    roles.leave_out("lists or objects", table.left_out)
    roles.leave_out("not in all files", table.partial)
    if request.dataset is not None and holds_items(roles):
        table = rows_of_dataset(table, roles, request.dataset, request.learners)
        roles.keep_only(table.names)
    _refuse_items_and_steps(table, roles)
    _refuse_unclear_steps(table, roles)
    _refuse_other_rows(table, roles, request)
    nameless = not any(role in roles for role in KEY_ROLES)
    if holds_items(roles) or (nameless and request.nameless_rows == "items"):
        _claim_weights(table, roles, request)
    if "learner" in roles:
        pass_over_faults(table, roles, request)
        table, roles, request = with_column_names_in_rows(table, roles, request)
        return long_evidence(with_told_rows(table, roles, request), roles, request)
    for role in ("failure", "fingerprint"):
        roles.drop(role)
    if "truth" in roles:
        return predicted_items(table, roles, request)
    roles.drop("prediction")
    table, roles, request = as_long(table, roles, request)
    table = only_runs_made(table, MEASURED, roles, request)
    return long_evidence(with_told_rows(table, roles, request, wide=True), roles, request)


def _claim_weights(table: Table, roles: Roles, request: Request) -> None:
    """Weights of items, unless the column is a learner: one among the names asked for, or with values like theirs."""
    learners = request.learners
    if learners is None and "learner" not in roles:
        named = [name for name in roles.rest if "weight" in roles_of_name(name)]
        learners = tuple(name for name in named if _is_like_learners(table, roles, request, name))
    roles.claim("weight", table, but=learners or ())


def _is_like_learners(table: Table, roles: Roles, request: Request, name: str) -> bool:
    """Whether a column is one learner more; refused where it may be weights as well: its values are like the others."""
    if not table.is_numeric(name):
        return False
    others = [each for each in roles.rest if each != name and table.is_numeric(each) and not is_cost(each, request)]
    if not others:
        return False
    values, beside = table.numbers(name), np.concatenate([table.numbers(each) for each in others])
    fractions = bool((values % 1 > 0).any()) and not (beside % 1 > 0).any()
    if fractions or not (np.nanmin(beside) <= values.min() and values.max() <= np.nanmax(beside)):
        return False
    if values.min() <= 0:
        return True
    raise InputError(
        f"column {name!r} may be read two ways: weights of the items, or a learner, whose values are like the others.",
        table.where(column=name),
        f"say which columns are learners: {chosen(others)} if {name} is none, {chosen([name, *others])} if it is one.",
    )


def long_evidence(table: Table, roles: Roles, request: Request) -> Scores | Items | Curves:
    """Read a table with a column that names the learner, as its roles say."""
    if "item" in roles:
        return long_items(table, roles, request)
    if "step" in roles:
        return long_curves(table, roles, request)
    return (long_runs if holds_runs(roles, request) else long_scores)(table, roles, request)


ROW_ROLES = {
    "datasets": ("dataset",),
    "folds": ("fold", "replication"),
    "items": ("item", "truth"),
    "runs": ("replication",),
}
#: Roles whose columns together tell rows apart.
KEYS = ("learner", "dataset", "replication", "fold", "item", "step")


def _refuse_items_and_steps(table: Table, roles: Roles) -> None:
    if "item" in roles and "step" in roles:
        raise InputError(
            f"the table may be read two ways: outcomes per item ({roles.column['item']}) "
            f"or curves along {roles.column['step']}.",
            table.source,
            "remove or rename the column that is not meant.",
        )


def _settle_step(roles: Roles, request: Request) -> None:
    """An iteration is what the rows are said to be: a fold, beside folds their replication, or a run."""
    if plain(roles.column.get("step", "")) in UNCLEAR_STEPS and request.rows in WITHIN_DATASETS:
        role = "replication" if "fold" in roles else ROWS[request.rows]
        if role not in roles:
            roles.column[role] = roles.column.pop("step")


def _refuse_unclear_steps(table: Table, roles: Roles) -> None:
    """An iteration beside folds is a step of training in some tables and a replication of the folds in others."""
    name = roles.column.get("step", "")
    if plain(name) not in UNCLEAR_STEPS or "fold" not in roles or "replication" in roles:
        return
    number = len(key_of(table, "step", name).names)
    folds = len(key_of(table, "fold", roles.column["fold"]).names)
    raise InputError(
        f"{name!r} may be read two ways: curves of {counted(number, 'step')} in {counted(folds, 'fold')}, "
        f"or {counted(number, 'replication')} of {counted(folds, 'fold')}.",
        table.where(column=name),
        f"rename {name} to step (training), or say --rows folds (rows='folds') if it repeats the folds.",
    )


def _refuse_other_rows(table: Table, roles: Roles, request: Request) -> None:
    there = [role for role in KEY_ROLES if role in roles]
    if request.rows is None or not there or any(role in roles for role in ROW_ROLES[request.rows]):
        return
    if there == ["dataset"] and request.rows in WITHIN_DATASETS and repeats(table, roles):
        return
    raise InputError(
        f"rows is {request.rows!r}, but the column {roles.column[there[0]]!r} says the {noun(there[0])}.",
        table.source,
        "leave rows out, or rename the column.",
    )


_UNNAMED = re.compile(r"(unnamed( \d+)?|index|level_\d+)")


def with_named_index(table: Table, request: Request) -> tuple[Table, list[str], list[str]]:
    """Give unnamed columns the role that their content has, drop mere row numbers; also notes and assumptions."""
    notes: list[str] = []
    assumed: list[str] = []
    for name in _columns_of_names(table, request):
        known = _role_of_words(table, name, request)
        role = known or ("" if has_role(table.names, "learner") else request.nameless_rows.removesuffix("s"))
        if not known and role == "dataset" and request.rows is None:
            assumed.append("rows-are-datasets")
        table = _renamed(table, name, role, notes)
    for name in [name for name in table.names if _UNNAMED.fullmatch(name)]:
        table = _settled_number(table, name, notes, request)
    return table, notes, assumed


def _columns_of_names(table: Table, request: Request) -> list[str]:
    """Columns of words without a name; or the first one, where it has a word of its own for every row and no role."""
    found = [name for name in table.names if _UNNAMED.fullmatch(name) and not table.is_numeric(name)]
    first = table.names[0]
    if found or request.rows is not None or has_role(table.names, *SYNONYMS) or table.is_numeric(first):
        return found
    return [first] if len(table) <= MOST and _names_rows(table, first) else []


def _names_rows(table: Table, name: str) -> bool:
    """Whether a column has a word for every row, no two the same, and all others are numbers, at least two of them."""
    words, others = table.text(name), [each for each in table.names if each != name]
    numbers = len(others) > 1 and all(map(table.is_numeric, others))
    return numbers and not words.empty.any() and len(words.used) == len(table)


def _role_of_words(table: Table, name: str, request: Request) -> str:
    """Words beside measures name the learner; beside one column per learner the row; "" where that is not known."""
    if has_role(table.names, "learner"):
        return "dataset" if not has_role(table.names, "dataset") else ""
    rest = [n for n in table.names if n != name and not _UNNAMED.fullmatch(n) and not roles_of_name(n)]
    if any(cost_of_name(n) is not None or plain(n).startswith("test_") for n in rest):
        return "learner"
    if rest and all(is_larger_better(n) is not None for n in rest):
        return "learner"
    alone = not has_role(table.names, *KEY_ROLES)
    return row_role(table, name, rest, request) if alone and _names_rows(table, name) else ""


def _settled_number(table: Table, name: str, notes: list[str], request: Request) -> Table:
    values = table.numbers(name) if table.is_numeric(name) else np.full(len(table), np.nan)
    if has_role(table.names, "learner") and np.array_equal(values, _row_places(table)) and values.any():
        role = ROWS[request.rows or "folds"]
        if not has_role(table.names, role) and len(np.unique(values)) < len(values):
            return _renamed(table, name, role, notes)
        return _dropped(table, name, notes)
    if _numbers_rows(table, values) or ((name in table.index or _restarts(values)) and _are_told_apart(table)):
        return _dropped(table, name, notes)
    if name not in table.index and (name == "index" or name.startswith("level_")):
        return table  # a name that somebody may have given on purpose
    what = "the index of the data frame" if name in table.index else f"column {list(table.names).index(name) + 1}"
    fix = "name it (learner, dataset, fold …) or remove it: of a frame, rename_axis('fold') or reset_index(drop=True)."
    raise InputError(f"{what} has no name.", table.where(column=name), fix)


def _restarts(values: Array) -> bool:
    """Whether numbers count from 0 or from 1 up, and again and again, as those of frames that were put together do."""
    first = values[0] if len(values) else np.nan
    return first in (0.0, 1.0) and bool(((np.diff(values) == 1) | (values[1:] == first)).all())


def _is_whole(values: Array) -> bool:
    return bool(np.isfinite(values).all()) and bool((values == np.rint(values)).all())


def _keys_of(table: Table, *roles: str) -> list[Key]:
    """The columns that have one of these roles before any other."""
    named = ((name, role) for name in table.names for role in roles_of_name(name)[:1])
    return [key_of(table, role, name) for name, role in named if role in roles]


def _are_told_apart(table: Table) -> bool:
    """Whether columns with names tell all rows apart."""
    keys = _keys_of(table, *KEYS)
    return bool(keys) and len(np.unique(joined("rows", keys).codes)) == len(table)


def _numbers_rows(table: Table, values: Array) -> bool:
    """Whether whole numbers are what is left of a numbering of rows that were filtered, sorted or put together."""
    if not _is_whole(values) or not has_role(table.names, "fold", "item"):
        return _is_whole(values) and len(np.unique(values)) == len(values)
    learners = [key.codes for key in _keys_of(table, "learner")]
    return len(np.unique(np.column_stack([*learners, values]), axis=0)) == len(values)


def _row_places(table: Table) -> Codes:
    """Place of every row among those of the same learner, data set and replication, from 0."""
    return places_within(joined("rows", _keys_of(table, "learner", "dataset", "replication")).codes)


def _renamed(table: Table, name: str, role: str, notes: list[str]) -> Table:
    if not role or role in table.names or has_role(table.names, role):
        return table
    nameless = bool(_UNNAMED.fullmatch(name))
    notes.append(f"{'the column without a name' if nameless else f'column {name!r}'} was read as {noun(role)}")
    return table.renamed({name: role})


def _dropped(table: Table, name: str, notes: list[str]) -> Table:
    notes.append("a column that only numbers the rows was not used")
    return table.without([name])


#: Columns that tell the rows of a learner and a data set apart.
TELLING_ROLES = ("replication", "fold", "item", "truth", "step")
#: What rows of one data set may be.
WITHIN_DATASETS = ("folds", "runs")


def with_told_rows(table: Table, roles: Roles, request: Request, *, wide: bool = False) -> Table:
    """Number the rows of every learner, and data set, where no column tells them apart.

    Of a ``wide`` table, whose columns may have different lengths, empty cells at the end of a column are no runs.
    """
    if any(role in roles for role in TELLING_ROLES):
        return table
    told = request.told_rows
    if "dataset" in roles and (told == "datasets" or not repeats(table, roles)):
        return table
    if told is None:
        _refuse_untold(table, roles)
        return table
    if wide and told == "runs":
        table = _without_tails(table)
    places = places_within(_learner_cells(table, roles))
    if told != "runs":
        _refuse_unequal(table, roles, told)
    if told == "folds" and places.any():
        roles.assume_one_replication()
    name = told.removesuffix("s")
    roles.column[ROWS[told]] = name
    roles.rest = [each for each in roles.rest if each != name]
    roles.notes.append(f"the rows of every learner were numbered, and read as {noun(name)}s")
    return table.with_columns({name: Numbers((places + 1).astype(np.float64))})


def repeats(table: Table, roles: Roles) -> bool:
    """Whether two rows have the same learner, where a column names it, and the same data set."""
    return bool(places_within(_learner_cells(table, roles)).any())


def _keys(table: Table, roles: Roles) -> list[Key]:
    return [key_of(table, role, roles.column[role]) for role in ("learner", "dataset") if role in roles]


def _learner_cells(table: Table, roles: Roles) -> Codes:
    return joined("rows", _keys(table, roles)).codes


def _refuse_untold(table: Table, roles: Roles) -> None:
    """Ask what the rows of a learner are; a single row that is there twice is told of later."""
    cells = joined("rows", _keys(table, roles))
    numbers = np.bincount(cells.codes)
    if numbers.min() < 2 if "dataset" in roles else numbers.max() < 2:
        return
    at = int(np.argmax(numbers))
    of_task = " of a data set" if "dataset" in roles else ""
    ways = "runs|folds" if "dataset" in roles else "runs|folds|items"
    first = key_of(table, "learner", roles.column["learner"])
    row = int(np.argmax(cells.codes == at))
    raise InputError(
        f"learner {first.names[first.codes[row]]} has {counted(int(numbers[at]), 'row')}{of_task}, and no column tells "
        "them apart.",
        table.source,
        f"say what the rows are: --rows {ways} (rows='runs' for independent runs or seeds); or add a column seed, fold "
        "or item.",
    )


def _refuse_unequal(table: Table, roles: Roles, told: str) -> None:
    """Rows that are matched by their place must be equally many."""
    keys = _keys(table, roles)
    numbers = np.bincount(joined("rows", keys).codes)
    if numbers.min() == numbers.max():
        return
    learner = keys[0]
    own = np.bincount(learner.codes)
    most, least = (learner.names[int(at)] for at in (np.argmax(own), np.argmin(own)))
    raise InputError(
        f"learner {most} has {counted(int(own.max()), 'row')}, learner {least} {own.min()}: no column tells which of "
        f"them are the same {noun(told.removesuffix('s'))}.",
        table.source,
        f"add a column {ROWS[told]}, or say --rows runs (rows='runs') if they are independent runs.",
    )


def _without_tails(table: Table) -> Table:
    """The table without empty cells after the last value of a learner."""
    learner = key_of(table, "learner", "learner")
    rows = np.flatnonzero(~np.isnan(table.numbers(MEASURED)))
    last = np.full(len(learner.names), -1)
    np.maximum.at(last, learner.codes[rows], rows)
    kept = np.arange(len(table)) <= last[learner.codes]
    return table if kept.all() else table.rows(np.flatnonzero(kept))
