"""Curves along training: one row per learner, run and step, or one column per learner."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.evidence.curves import Curves
from bestofk.evidence.layouts.cells import Key, flat_cells, joined, key_of, seen_cells, spread
from bestofk.evidence.layouts.measured import (
    chosen_measure,
    direction_of,
    finite_numbers,
    mean_costs,
    number_columns,
    refuse_impossible_columns,
)
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.layouts.wide_scores import learner_columns, wide_measure
from bestofk.evidence.step_grids import Aligned, OneCurve, aligned, grids_by_dataset, offers, unequal_grids
from bestofk.tables.table import Table


def long_curves(table: Table, roles: Roles, request: Request) -> Curves:
    """Read curves from a table with a column for the learner and one for the step."""
    for role in ("prediction", "truth", "fingerprint", "failure"):
        roles.drop(role)
    found = number_columns(table, roles)
    measure = chosen_measure(table, found, roles, request)
    if measure not in found.measures:
        raise InputError("curves have confusion counts.", table.source, "give one column with the measure.")
    refuse_impossible_columns(table, [found.measures[measure]], measure, scorer=found.scorer)
    learner = key_of(table, "learner", roles.column["learner"])
    run, (step, steps) = _run_key(table, roles), _step_key(table, roles)
    flat, shape = flat_cells(table, [learner, run, step])
    seen = seen_cells(flat, shape)
    values = spread(finite_numbers(table, found.measures[measure]), flat, shape)
    larger = direction_of(measure, found, roles, request, table.source)
    grid = _one_grid(table, [learner, run, step], seen, values, steps, request, _dataset_of_run(table, roles, run))
    if grid.note:
        roles.notes.append(grid.note)
    return Curves(
        learners=grid.learners,
        values=grid.values,
        steps=grid.steps,
        runs=grid.runs,
        datasets=_datasets(table, roles, run, grid),
        measure=measure,
        larger_is_better=larger,
        costs=mean_costs(table, found, learner, measure),
        origin=roles.origin(table),
    )


def wide_curves(table: Table, roles: Roles, request: Request) -> Curves:
    """Read curves from a table with a column for the step and one per learner."""
    columns = learner_columns(table, roles, request)
    measure, larger = wide_measure(table, columns, request)
    run, (step, steps) = _run_key(table, roles), _step_key(table, roles)
    flat, shape = flat_cells(table, [run, step])
    seen = np.broadcast_to(seen_cells(flat, shape), (len(columns), *shape))
    values = np.stack([spread(finite_numbers(table, name), flat, shape) for name in columns])
    learner = Key("learner", run.codes, columns)
    grid = _one_grid(table, [learner, run, step], seen, values, steps, request, _dataset_of_run(table, roles, run))
    if grid.note:
        roles.notes.append(grid.note)
    return Curves(
        learners=grid.learners,
        values=grid.values,
        steps=grid.steps,
        runs=grid.runs,
        datasets=_datasets(table, roles, run, grid),
        measure=measure,
        larger_is_better=larger,
        origin=roles.origin(table),
    )


def _datasets(table: Table, roles: Roles, run: Key, grid: Aligned) -> tuple[tuple[str, ...], ...]:
    """The data set of every curve, a block that the learners share; nothing where there is one."""
    if not _several_datasets(table, roles):
        return ()
    of_run = _dataset_of_run(table, roles, run)
    names = key_of(table, "dataset", roles.column["dataset"]).names
    roles.notes.append(f"the curves are of {len(names)} data sets, which are blocks: {', '.join(names)}")
    found = tuple(tuple(of_run[name] for name in names) for names in grid.runs)
    roles.notes += _unshared(grid.learners, found)
    return found


def _unshared(learners: Sequence[str], found: Sequence[Sequence[str]]) -> list[str]:
    """Say over which data sets means are, where some learner has not all."""
    every = dict.fromkeys(name for names in found for name in names)
    lacks = [
        f"{one} has no curve of {name}"
        for one, own in zip(learners, found, strict=True)
        for name in every
        if name not in own
    ]
    shared = [name for name in every if all(name in own for own in found)]
    if not lacks or not shared:
        return []
    return [f"{'; '.join(lacks)}: means are over the data sets that all learners have, {', '.join(shared)}"]


def _several_datasets(table: Table, roles: Roles) -> bool:
    return "dataset" in roles and len(key_of(table, "dataset", roles.column["dataset"]).names) > 1


def _dataset_of_run(table: Table, roles: Roles, run: Key) -> dict[str, str]:
    """The data set of every run, by name; nothing where there is one data set."""
    if not _several_datasets(table, roles):
        return {}
    dataset = key_of(table, "dataset", roles.column["dataset"])
    codes, rows = np.unique(run.codes, return_index=True)
    return {run.names[code]: dataset.names[dataset.codes[row]] for code, row in zip(codes, rows, strict=True)}


def _run_key(table: Table, roles: Roles) -> Key:
    """What tells the curves of a learner apart: data set, replication, fold, or what of these there is."""
    parts = [role for role in ("replication", "fold") if role in roles]
    if _several_datasets(table, roles):
        parts.insert(0, "dataset")
    if not parts:
        return key_of(table, "run", None)
    return joined("run", [key_of(table, role, roles.column[role], sort=True) for role in parts])


def _step_key(table: Table, roles: Roles) -> tuple[Key, Array]:
    column = roles.column["step"]
    values = finite_numbers(table, column)
    if np.isnan(values).any():
        row = int(np.argmax(np.isnan(values)))
        raise InputError("the step is empty.", table.where(row=row, column=column), "give the step of every point.")
    steps, codes = np.unique(values, return_inverse=True)
    return Key("step", codes, tuple(f"{step:g}" for step in steps)), steps


def _one_grid(
    table: Table,
    keys: Sequence[Key],
    seen: Flags,
    values: Array,
    steps: Array,
    request: Request,
    dataset_of: Mapping[str, str],
) -> Aligned:
    """Bring the curves that are there, (learners, runs, steps), to one grid, or refuse unequal ones with an offer."""
    learner, run, _ = keys
    there = np.asarray(seen.any(axis=-1))
    curves = [
        OneCurve(
            learner.names[i],
            run.names[j],
            steps[seen[i, j]],
            values[i, j][seen[i, j]],
            dataset_of.get(run.names[j], ""),
        )
        for i, j in np.argwhere(there)
    ]
    how = getattr(request, "align", None)
    if how is None and (there[..., None] & ~seen).any():
        if dataset_of and grids_by_dataset(curves) is not None:
            raise unequal_grids(curves, table.source)
        raise _uneven(table, keys, seen, [each.steps for each in curves])
    return aligned(curves, how, where=table.source)


def _uneven(table: Table, keys: Sequence[Key], seen: Flags, grids: Sequence[Array]) -> InputError:
    there = np.asarray(seen.any(axis=-1))
    place = [key.names[i] for key, i in zip(keys, np.argwhere(there[..., None] & ~seen)[0], strict=True)]
    named = zip(keys[:-1], place, strict=False)
    curve = ", ".join(f"{key.role} {name}" for key, name in named if len(key.names) > 1 or key.role == "learner")
    return InputError(
        f"the curve of {curve} has no step {place[-1]}, which other curves have.",
        table.source,
        f"{'; or '.join(['complete it', *offers(grids)])}.",
    )
