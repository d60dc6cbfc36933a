"""Runs with one value each: one row per learner and seed, in one task or in several."""

from __future__ import annotations

import numpy as np

from bestofk.core.names import plain, spellings
from bestofk.evidence.curves import Runs
from bestofk.evidence.layouts.grid import Key, joined, key_of, places_within, refuse_two_spellings, twice
from bestofk.evidence.layouts.long_scores import failed_rows, judged_columns, refuse_contradictions, score_values
from bestofk.evidence.layouts.measure_columns import mean_costs
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.tables.table import Table


def long_runs(table: Table, roles: Roles, request: Request) -> Runs:
    """Read runs from a table with a column for the learner and one for the seed."""
    found, measure, larger = judged_columns(table, roles, request)
    learner = key_of(table, "learner", roles.column["learner"])
    task = key_of(table, "task", roles.column.get("dataset"))
    run = key_of(table, _noun(roles.column["replication"]), roles.column["replication"], sort=True)
    _refuse_twice(table, [learner, task, run])
    _refuse_two_spellings(table, roles, learner, task, run)
    values = score_values(table, found, measure)
    refuse_contradictions(table, found, measure)
    names = _run_names(task, run)
    several = len(task.names) > 1
    if several:
        roles.notes.append(f"the runs are of {len(task.names)} tasks: {', '.join(task.names)}")
    order = np.lexsort((run.codes, task.codes, learner.codes))
    own = np.split(order, np.cumsum(np.bincount(learner.codes, minlength=len(learner.names)))[:-1])
    reasons = failed_rows(table, roles, values)
    return Runs(
        learners=learner.names,
        values=tuple(values[rows] for rows in own),
        runs=tuple(tuple(names[row] for row in rows) for rows in own),
        datasets=tuple(tuple(task.names[code] for code in task.codes[rows]) for rows in own) if several else (),
        failures={(learner.names[learner.codes[row]], names[row], 1.0): reason for row, reason in reasons.items()},
        measure=measure,
        larger_is_better=larger,
        costs=mean_costs(table, found, learner, measure),
        origin=roles.origin(table),
    )


def _noun(column: str) -> str:
    return "run" if plain(column).startswith("run") else "seed"


def _run_names(task: Key, run: Key) -> list[str]:
    """The run of every row, with its task where there are several."""
    runs = [run.names[code] for code in run.codes]
    if len(task.names) == 1:
        return runs
    return [f"{task.names[code]}/{name}" for code, name in zip(task.codes, runs, strict=True)]


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
