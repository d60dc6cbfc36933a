"""One column per learner: rows are data sets, folds or replications."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.layouts.cells import flat_cells, key_of, seen_cells, spread
from bestofk.evidence.layouts.measured import finite_numbers, refuse_impossible_columns, split_columns
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.evidence.outcomes.wanted import one_score
from bestofk.evidence.scores import Scores
from bestofk.measures.catalogue import cost_of_name, is_larger_better
from bestofk.measures.checks import settled_direction
from bestofk.tables.table import Numbers, Table


def wide_scores(table: Table, roles: Roles, request: Request) -> Scores:
    """Read scores from a table with one column per learner."""
    columns = learner_columns(table, roles, request)
    keys = [
        key_of(table, "dataset", roles.column.get("dataset")),
        key_of(table, "replication", roles.column.get("replication"), sort=True),
        key_of(table, "fold", roles.column.get("fold"), sort=True),
    ]
    if request.on:
        raise one_score(request.on, "fold" if len(keys[0].names) == 1 else "dataset", table.source)
    measure, larger = wide_measure(table, columns, request)
    flat, shape = flat_cells(table, keys)
    return Scores(
        learners=columns,
        datasets=keys[0].names if "dataset" in roles else ("data",),
        replications=keys[1].names,
        folds=keys[2].names,
        values=np.stack([spread(finite_numbers(table, name), flat, shape) for name in columns]),
        planned=seen_cells(flat, shape),
        measure=measure,
        larger_is_better=larger,
        origin=roles.origin(table),
    )


def with_row_names(table: Table, roles: Roles, request: Request) -> Table:
    """Number the rows of a table without key columns, and read them as data sets unless ``rows`` says otherwise."""
    role = request.nameless_rows.removesuffix("s")
    if request.rows is None and role == "dataset":
        roles.notes.append("no column names the rows: each was read as a data set (rows='folds' or 'items' otherwise)")
        roles.assumed.append("rows-are-datasets")
    if role == "fold" and len(table) > 1:
        roles.assume_one_replication()
    numbered = Numbers(np.arange(1.0, len(table) + 1.0))
    roles.column[role] = role
    return replace(table, columns={role: numbered, **table.columns})


def learner_columns(table: Table, roles: Roles, request: Request) -> tuple[str, ...]:
    """Return the columns that are learners: those asked for, or all columns of numbers that are nothing else."""
    if request.learners is not None:
        for name in request.learners:
            table.column(name)
        roles.leave_out("not among learners=", [name for name in roles.rest if name not in request.learners])
        return request.learners
    numeric, empty, words = split_columns(table, roles.rest)
    roles.leave_out("words", words)
    if empty:
        raise InputError(
            f"column {empty[0]!r} has no scores.", table.where(column=empty[0]), "fill it, or remove the column."
        )
    if all(is_fact(name) for name in numeric):
        raise InputError(
            f"no column holds scores; the columns are {', '.join(table.names)}.",
            table.source,
            "give one column of numbers per learner, or a column learner and one per measure.",
        )
    facts = [name for name in numeric if is_fact(name)]
    roles.leave_out("facts about the data sets", facts)
    columns = [name for name in numeric if name not in facts]
    refuse_summaries(table, columns)
    _refuse_measures(table, columns)
    return tuple(columns)


def wide_measure(table: Table, columns: tuple[str, ...], request: Request) -> tuple[str, bool]:
    """Return the measure and its direction, which columns named after learners do not tell; check their values."""
    if request.on:
        return "score", True  # whatever it is, there are no several measures of it
    measure = request.measure or "score"
    where = f"{table.source}, one column per learner"
    larger = settled_direction(measure, request.larger_is_better, where=where)
    if request.learners is None:
        refuse_other_sizes(table, columns, above=100)  # no percent either: no score at all
    refuse_impossible_columns(table, columns, measure)
    if request.learners is None:
        refuse_other_sizes(table, columns)
    return measure, larger


def _refuse_measures(table: Table, numeric: list[str]) -> None:
    """Columns that are measures and not learners: a table of one learner, or of one that is not named."""
    known = [n for n in numeric if is_larger_better(n) is not None or plain(n).startswith("test_")]
    costs = [n for n in numeric if cost_of_name(n) is not None]
    if costs or len(known) == len(numeric):
        raise InputError(
            f"no column names the learner; measures or costs are {', '.join(dict.fromkeys(known + costs))}.",
            table.source,
            "add a column learner; if these are the learners themselves, say so: learners=[...].",
        )


FACTS = frozenset(
    {
        *("n_instances", "n_samples", "n_rows", "instances", "samples", "rows", "n_features", "n_columns", "features"),
        *("n_classes", "classes", "size"),
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
    >>> is_fact("n_instances"), is_fact("Classes"), is_fact("train_size"), is_fact("svm")
    (True, True, True, False)
    """
    return plain(name) in FACTS or "step" in roles_of_name(name)


def refuse_summaries(table: Table, columns: Sequence[str]) -> None:
    """Refuse a column that is made of the others."""
    found = [name for name in columns if plain(name) in SUMMARIES or plain(name).endswith(SUMMARY_ENDINGS)]
    if found:
        found += [name for name in columns if plain(name) in EXTREMES]
        raise InputError(
            f"column {found[0]} looks like a summary of the others.",
            table.where(column=found[0]),
            _choose([name for name in columns if name not in found], columns),
        )


def refuse_other_sizes(table: Table, columns: Sequence[str], *, above: float = 0.0) -> None:
    """Refuse a column, its median above a size, whose numbers are of another size than those of every other column."""
    sizes = {name: float(np.nanmedian(np.abs(table.numbers(name)))) for name in columns}
    for name in sorted(columns, key=lambda each: -sizes[each]):
        others = [each for each in columns if each != name]
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
    names = list(others if len(others) > 1 else columns)
    return f"say which columns are learners: learners={names} (--learners {','.join(names)})."
