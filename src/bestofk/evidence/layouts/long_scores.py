"""One row per learner, data set, replication and fold; the scores in one column or in several."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.evidence.columns import MOST_FOLDS, SPLITS, UNCLEAR_STEPS
from bestofk.evidence.divisions import Division, Indices, as_split, division_of, indices_of, regrouped
from bestofk.evidence.layouts.grid import (
    Grid,
    Key,
    grid_of,
    key_of,
    one_per_cell,
    refuse_shifted_folds,
    refuse_two_spellings,
    refuse_unpaired,
)
from bestofk.evidence.layouts.measure_columns import (
    NumberColumns,
    chosen_measure,
    direction_of,
    finite_numbers,
    mean_costs,
    number_columns,
    refuse_impossible_columns,
)
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.scores import COUNTS, Cell, Scores
from bestofk.measures.catalogue import same_values
from bestofk.measures.count_columns import contradicting, contradiction, counted_ratio, give_whole, not_whole
from bestofk.tables.table import Table


def long_scores(table: Table, roles: Roles, request: Request) -> Scores:
    """Read scores from a table with a column that names the learner."""
    found, measure, larger = judged_columns(table, roles, request)
    scorer = found.scorer or request.scorer
    keys = score_keys(table, roles)
    if (
        "replication" not in roles
        and request.drawn is None
        and may_be_repeated(roles, len(keys[3].names), scorer=scorer)
    ):
        roles.assume_one_replication()
    grid = grid_of(table, keys)
    refuse_two_spellings(table, roles.column["learner"], keys[0], grid.seen)
    refuse_two_spellings(table, roles.column.get("dataset"), keys[1], np.moveaxis(grid.seen, 1, 0))
    refuse_shifted_folds(table, roles.column.get("fold"), keys, grid.seen)
    refuse_unpaired(table, keys, grid.seen)
    values = score_values(table, found, measure, undefined=bool(request.on))
    if not scorer:
        refuse_contradictions(table, found, measure)
    failures = _failures(table, roles, keys, values)
    scores = Scores(
        learners=keys[0].names,
        datasets=keys[1].names if "dataset" in roles else ("data",),
        replications=keys[2].names,
        folds=keys[3].names,
        values=grid.spread(values),
        planned=np.asarray(grid.seen.any(axis=0)),
        measure=measure,
        larger_is_better=larger,
        others=_grids(table, grid, found.measures, measure),
        measured_costs=_grids(table, grid, found.costs, measure),
        counts=_counts(table, found, grid),
        costs=mean_costs(table, found, keys[0], measure),
        failures=failures,
        fingerprints=_fingerprints(table, roles, grid),
        origin=roles.origin(table),
    )
    if request.drawn is not None:
        return as_split(scores, request.drawn)
    division = written_division(table, roles, keys, request)
    return scores if division is None else regrouped(scores, division)


def may_be_repeated(roles: Roles, number: int, *, scorer: bool = False) -> bool:
    """Whether folds in a row may be repeated ones, or random splits: only a few that are called folds are not."""
    return number > 1 and (scorer or number > MOST_FOLDS or plain(roles.column["fold"]) in SPLITS | UNCLEAR_STEPS)


def judged_columns(table: Table, roles: Roles, request: Request) -> tuple[NumberColumns, str, bool]:
    """The columns of numbers, the measure that is judged by, and whether larger is better."""
    _refuse_predictions(table, roles)
    for role in ("prediction", "truth"):
        roles.drop(role)
    found = number_columns(table, roles, request)
    measure = chosen_measure(table, found, roles, request)
    larger = direction_of(measure, found, roles, request, table.source)
    for name, column in found.measures.items():
        refuse_impossible_columns(table, [column], name, scorer=found.scorer or request.scorer)
    return found, measure, larger


def _refuse_predictions(table: Table, roles: Roles) -> None:
    if "prediction" in roles and "truth" in roles:
        raise InputError(
            f"there are predictions ({roles.column['prediction']}) and no column that names the item.",
            table.source,
            "add a column item with the number of the test instance, the same for every learner.",
        )


def score_keys(table: Table, roles: Roles) -> list[Key]:
    """Return the axes: learners and data sets as they appear, replications and folds in the order of their names."""
    return [
        key_of(table, "learner", roles.column["learner"]),
        key_of(table, "dataset", roles.column.get("dataset")),
        key_of(table, "replication", roles.column.get("replication"), sort=True),
        key_of(table, "fold", roles.column.get("fold"), sort=True),
    ]


def score_values(table: Table, found: NumberColumns, measure: str, *, undefined: bool = False) -> Array:
    """Return the measure of every row, from its column or from the counts; NaN for 0/0 where that is ``undefined``."""
    if measure in found.measures:
        return finite_numbers(table, found.measures[measure])
    counts = {name: finite_numbers(table, column) for name, column in found.counts.items()}
    values = np.asarray(counted_ratio(measure, np.stack([counts[name] for name in COUNTS], axis=-1)))
    if undefined:  # and whoever puts measures side by side says what is wrong with the counts
        return values
    complete = ~np.isnan(list(counts.values())).any(axis=0)
    for name, each in counts.items():
        _refuse_counts(table, found.counts[name], name, each, measure)
    zero = complete & np.isnan(values)
    table.refuse(zero, lambda row: f"{measure} is 0/0.", "choose another measure, or larger folds.")
    return values


def _refuse_counts(table: Table, column: str, name: str, counts: Array, measure: str) -> None:
    whole = give_whole(f"a column of the measure itself instead: {measure}")
    table.refuse(counts < 0, lambda row: f"{name} is negative.", "give counts from 0 up.")
    table.refuse(not_whole(counts), lambda row: f"{name} is {counts[row]:.6g}.", whole, column=column)


def _grids(table: Table, grid: Grid, columns: dict[str, str], but: str = "") -> dict[str, Array]:
    """Columns in the cells of the grid, all but one."""
    return {name: grid.spread(finite_numbers(table, column)) for name, column in columns.items() if name != but}


def _counts(table: Table, found: NumberColumns, grid: Grid) -> Array | None:
    return np.stack(list(_grids(table, grid, found.counts).values()), axis=-1) if found.counts else None


def _failures(table: Table, roles: Roles, keys: list[Key], values: Array) -> dict[Cell, str]:
    """Reasons of the cells without a score."""
    reasons: dict[Cell, str] = {}
    for row, reason in failed_rows(table, roles, values).items():
        learner, dataset, replication, fold = (key.names[key.codes[row]] for key in keys)
        reasons[learner, dataset if "dataset" in roles else "data", replication, fold] = reason
    return reasons


def failed_rows(table: Table, roles: Roles, values: Array) -> dict[int, str]:
    """Reasons of the rows without a score; a score that is there counts, whatever the reason says."""
    if "failure" not in roles:
        return {}
    words = table.text(roles.column["failure"])
    said = words.codes >= 0
    return {int(row): words.categories[words.codes[row]] for row in np.flatnonzero(said & np.isnan(values))}


def _fingerprints(table: Table, roles: Roles, grid: Grid) -> npt.NDArray[np.object_] | None:
    if "fingerprint" not in roles:
        return None
    size = prod(grid.shape[1:])
    column = roles.column["fingerprint"]
    words = table.text(column)
    short = replace(table, columns={column: words.renamed(map(_short_mark, words.categories))})
    return one_per_cell(short, column, grid.cells % size, size, what="fingerprint").reshape(grid.shape[1:])


def _short_mark(word: str) -> str:
    """A fingerprint as it is; a list of test indices by its hash."""
    return sha256(word.encode()).hexdigest()[:12] if word.startswith(("[", "(")) else word


def refuse_contradictions(table: Table, found: NumberColumns, measure: str) -> None:
    """Refuse such a column with its line: the one that is judged, and the error."""
    if not found.counts:
        return
    counts = np.stack([finite_numbers(table, found.counts[name]) for name in COUNTS], axis=-1)
    if not_whole(counts).any():  # shares, or means of counts, do not say how often a learner was wrong
        return
    for name, column in found.measures.items():
        is_error = same_values(name) == same_values("error")  # an f1 may be a mean over classes
        computed = counted_ratio(name, counts) if name == measure or is_error else None
        if computed is None:
            continue
        told = finite_numbers(table, column)
        wrong, scale = contradicting(told, computed)
        if wrong.any():
            row = int(np.argmax(wrong))
            what, fix = contradiction(column, float(told[row]), scale * float(computed[row]))
            raise InputError(what, table.where(row=row, column=column), fix)


def written_division(table: Table, roles: Roles, keys: Sequence[Key], request: Request) -> Division | None:
    """Return how the rows of one data set were divided, where whole lists of test indices tell it."""
    column = roles.column.get("fingerprint", "")
    if plain(column) != "test_indices" or "replication" in roles or len(keys[1].names) > 1:
        return None
    test = _lists(table, column, keys[3])
    if test is None:
        return None
    named = next((name for name in table.names if plain(name) == "train_indices"), None)
    train = None if named is None else _lists(table, named, keys[3])
    where = table.where(column=column)
    return division_of(test, train, where, request)


def _lists(table: Table, column: str, fold: Key) -> Indices | None:
    """The list of every fold, from its first row; None where one is no list of whole numbers."""
    words = table.text(column)
    rows = np.unique(fold.codes, return_index=True)[1]
    if any(words.codes[row] < 0 for row in rows):
        return None
    return indices_of(_parsed(words.categories[words.codes[row]]) for row in rows)


def _parsed(word: str) -> Any:
    try:
        return json.loads(word)
    except (ValueError, RecursionError):
        return None
