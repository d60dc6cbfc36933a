"""Curves along training, one row per learner, run and step; and runs, one row per learner and seed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.names import plain, spellings
from bestofk.core.phrases import counted
from bestofk.evidence.curves import Curves, Runs
from bestofk.evidence.evidence import MOSTLY_CUT
from bestofk.evidence.layouts.grid import Key, grid_of, joined, key_of, places_within, refuse_two_spellings, twice
from bestofk.evidence.layouts.long_scores import (
    failed_rows,
    judged_columns,
    may_be_repeated,
    refuse_contradictions,
    score_values,
)
from bestofk.evidence.layouts.measure_columns import finite_numbers, mean_costs, measured_column, number_columns
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.step_grids import aligned, mostly_cut, single_curves
from bestofk.tables.table import Table


def long_curves(table: Table, roles: Roles, request: Request) -> Curves:
    """Read curves from a table with a column for the learner and one for the step."""
    for role in ("prediction", "truth", "fingerprint", "failure"):
        roles.drop(role)
    found = number_columns(table, roles, request)
    measure, larger, points = measured_column(table, roles, found, request, "curves")
    learner = key_of(table, "learner", roles.column["learner"])
    dataset = key_of(table, "dataset", roles.column.get("dataset"))
    run, (step, steps) = _run_key(table, roles, dataset), _step_key(table, roles)
    cells = grid_of(table, [learner, run, step])
    seen, values = cells.seen, cells.spread(points)
    refuse_two_spellings(table, roles.column["learner"], learner, np.asarray(seen.any(axis=-1)))
    dataset_of = run.names_in(dataset)
    own = [np.flatnonzero(each.any(axis=-1)) for each in seen]  # the runs of every learner
    made = Curves(
        learners=learner.names,
        steps=tuple(steps.tolist()),
        values=tuple(each[rows] for each, rows in zip(values, own, strict=True)),
        runs=tuple(tuple(run.names[row] for row in rows) for rows in own),
        datasets=tuple(tuple(dataset_of[row] for row in rows) for rows in own),
        planned=tuple(each[rows] for each, rows in zip(seen, own, strict=True)),
        folds=_folds(table, roles, run, dataset),
        measure=measure,
        larger_is_better=larger,
        costs=mean_costs(table, found, learner, measure),
        origin=roles.origin(table),
    )
    if request.align is not None:
        single = single_curves(made)
        steps, curves, note = aligned(single, request.align, where=table.source)
        roles.assumed += [MOSTLY_CUT] if request.align != "relative" and mostly_cut(single, steps) else []
        parts = np.split(np.stack(curves), np.cumsum([len(rows) for rows in own])[:-1])
        made = replace(made, steps=tuple(steps.tolist()), values=tuple(parts), planned=())
        roles.notes += [note] if note else []
    roles.notes += _about_datasets(made)
    return replace(made, origin=roles.origin(table))


def _about_datasets(curves: Curves) -> list[str]:
    """Over which data sets means are, where some learner has not all."""
    lacks = [f"{learner} has no curve of {name}" for learner, name in curves.lacking_datasets()]
    shared = ", ".join(curves.shared_datasets())
    note = f"{'; '.join(lacks)}: means are over the data sets that all learners have, {shared}"
    return [note] if lacks and shared else []


def _run_key(table: Table, roles: Roles, dataset: Key) -> Key:
    """What tells the curves of a learner apart: data set, replication, fold, or what of these there is."""
    parts = ["dataset"] if len(dataset.names) > 1 else []
    parts += [role for role in ("replication", "fold") if role in roles]
    keys = [key_of(table, role, roles.column[role], sort=True) for role in parts]
    return joined("run", keys) if keys else key_of(table, "run", None)


def _folds(table: Table, roles: Roles, run: Key, dataset: Key) -> int:
    """How many folds a replication has, 0 where there are none; without replications all folds are one."""
    if "fold" not in roles:
        return 0
    replication = key_of(table, "replication", roles.column.get("replication"))
    counts = Counter(zip(run.names_in(dataset), run.names_in(replication), strict=True))
    number, fewest = max(counts.values()), min(counts.values())
    if fewest < number:
        raise InputError(
            f"a replication of a data set has curves of {counted(fewest, 'fold')}, another of {number}.",
            table.source,
            "give the curves of all folds; judge data sets apart that have other numbers: --filter COLUMN=VALUE.",
        )
    if "replication" not in roles and may_be_repeated(roles, number):
        roles.assume_one_replication()
    return number


def _step_key(table: Table, roles: Roles) -> tuple[Key, Array]:
    column = roles.column["step"]
    values = finite_numbers(table, column)
    fix = "give the step of every point."
    table.refuse(np.isnan(values), lambda row: "the step is empty.", fix, column=column)
    steps, codes = np.unique(values, return_inverse=True)
    return Key("step", codes, tuple(f"{step:g}" for step in steps)), steps


def long_runs(table: Table, roles: Roles, request: Request) -> Runs:
    """Read runs from a table with a column for the learner and one for the seed."""
    found, measure, larger = judged_columns(table, roles, request)
    learner = key_of(table, "learner", roles.column["learner"])
    task = key_of(table, "task", roles.column.get("dataset"))
    seed = key_of(table, _noun(roles.column["replication"]), roles.column["replication"], sort=True)
    _refuse_twice(table, [learner, task, seed])
    _refuse_two_spellings(table, roles, learner, task, seed)
    values = score_values(table, found, measure)
    refuse_contradictions(table, found, measure)
    run = seed if len(task.names) == 1 else joined("run", [task, seed])
    order = np.lexsort((run.codes, learner.codes))
    own = np.split(order, np.cumsum(np.bincount(learner.codes, minlength=len(learner.names)))[:-1])
    reasons = failed_rows(table, roles, values).items()
    return Runs(
        learners=learner.names,
        values=tuple(values[rows] for rows in own),
        runs=tuple(tuple(run.names[code] for code in run.codes[rows]) for rows in own),
        datasets=tuple(tuple(task.names[code] for code in task.codes[rows]) for rows in own),
        failures={(learner.names[learner.codes[row]], run.names[run.codes[row]], 1.0): why for row, why in reasons},
        measure=measure,
        larger_is_better=larger,
        costs=mean_costs(table, found, learner, measure),
        origin=roles.origin(table),
    )


def _noun(column: str) -> str:
    return "run" if plain(column).startswith("run") else "seed"


def _refuse_two_spellings(table: Table, roles: Roles, learner: Key, task: Key, run: Key) -> None:
    for key, column, others in (
        (learner, roles.column["learner"], [task, run]),
        (task, roles.column.get("dataset"), [learner, run]),
    ):
        if spellings(key.names):  # without them there is nothing to look up, in many places maybe
            place = joined("place", others)
            seen = np.zeros((len(key.names), len(place.names)), dtype=bool)
            seen[key.codes, place.codes] = True
            refuse_two_spellings(table, column, key, seen)


def _refuse_twice(table: Table, keys: list[Key]) -> None:
    cells = joined("run", keys).codes
    if places_within(cells).any():
        apart = "if they differ in the task, add a column task; if in a setting, name it in the learner"
        raise twice(table, keys, cells, f"keep one row per run; {apart}.")
