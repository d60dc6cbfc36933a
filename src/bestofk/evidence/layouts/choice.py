"""Which kind of evidence a table holds, by the names of its columns."""

from __future__ import annotations

from dataclasses import replace

from bestofk.core.errors import InputError
from bestofk.core.names import plain, unknown
from bestofk.core.phrases import counted
from bestofk.evidence.columns import UNCLEAR_STEPS
from bestofk.evidence.curves import Curves
from bestofk.evidence.items import Items
from bestofk.evidence.layouts.cells import key_of
from bestofk.evidence.layouts.curve_tables import long_curves, wide_curves
from bestofk.evidence.layouts.dataset_rows import holds_items, items_number_rows, rows_of_dataset
from bestofk.evidence.layouts.item_tables import long_items
from bestofk.evidence.layouts.long_scores import long_scores
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles, noun, roles_of
from bestofk.evidence.layouts.search_results import is_search, search_scores
from bestofk.evidence.layouts.tidy import is_tidy, measures_in, on_one_measure, side_by_side
from bestofk.evidence.layouts.unnamed import with_named_index
from bestofk.evidence.layouts.wide_items import predicted_items, wide_items
from bestofk.evidence.layouts.wide_scores import wide_scores, with_row_names
from bestofk.evidence.logs.harness_files import refuse_one_model
from bestofk.evidence.logs.optuna import refuse_trials
from bestofk.evidence.logs.training import from_training_logs
from bestofk.evidence.logs.weka import is_weka, weka_scores
from bestofk.evidence.scores import Scores
from bestofk.tables.table import Table


def evidence_from_table(table: Table, request: Request) -> Scores | Items | Curves:
    """Read a table as the evidence that its columns say it is."""
    if len(table) == 0:
        raise InputError("there are no rows.", table.source, "give one row per result.")
    refuse_trials(table.names, table.source)
    if is_weka(table):
        return selected(weka_scores(table, request), request.learners)
    if is_search(table):
        return selected(search_scores(table, request), request.learners)
    table, request, logged = from_training_logs(table, request)
    table, notes, assumed = with_named_index(table, request)
    notes[:0] = [*request.notes, *logged]
    if is_tidy(table) and request.on:
        names = measures_in(table)
        asked = {name: on_one_measure(table, replace(request, measure=name)) for name in names}
        parts = {n: _by_columns(each, what, [*notes, *said[:1]], assumed) for n, (each, what, said) in asked.items()}
        return side_by_side(parts, request, table.source)
    if is_tidy(table):
        table, request, tidied = on_one_measure(table, request)
        notes += tidied
    return _by_columns(table, request, notes, assumed)


def _by_columns(table: Table, request: Request, notes: list[str], assumed: list[str]) -> Scores | Items | Curves:
    """Read a table whose columns have names and whose rows are of one kind."""
    roles = roles_of(table)
    roles.notes[:0] = notes
    roles.assumed += assumed
    if items_number_rows(table, roles):
        roles.leave_out("numbers the rows", [roles.column.pop("item")])
    roles.leave_out("lists or objects", table.left_out)
    roles.leave_out("not in all files", table.partial)
    if request.dataset is not None and holds_items(roles):
        table = rows_of_dataset(table, roles, request.dataset)
        roles.keep_only(table.names)
    refuse_two_ways(table, roles, request)
    return _long(table, roles, request) if "learner" in roles else _wide(table, roles, request)


def selected(evidence: Scores | Items | Curves, learners: tuple[str, ...] | None) -> Scores | Items | Curves:
    """Return the evidence of the learners asked for only."""
    if learners is None:
        return evidence
    for name in learners:
        if name not in evidence.learners:
            raise unknown(name, evidence.learners, what="learner", where=evidence.origin.source)
    return evidence.without([name for name in evidence.learners if name not in learners])


def _long(table: Table, roles: Roles, request: Request) -> Scores | Items | Curves:
    if "item" in roles:
        return selected(long_items(table, roles, request), request.learners)
    if "step" in roles:
        return selected(long_curves(table, roles, request), request.learners)
    return selected(long_scores(table, roles, request), request.learners)


def _wide(table: Table, roles: Roles, request: Request) -> Scores | Items | Curves:
    refuse_one_model(table, roles, request)
    for role in ("failure", "fingerprint"):
        roles.drop(role)
    if "truth" in roles:
        return predicted_items(table, roles, request)
    roles.drop("prediction")
    if not any(role in roles for role in KEY_ROLES):
        table = with_row_names(table, roles, request)
    if "item" in roles:
        return wide_items(table, roles, request)
    return wide_curves(table, roles, request) if "step" in roles else wide_scores(table, roles, request)


ROW_ROLES = {"datasets": ("dataset",), "folds": ("fold", "replication"), "items": ("item", "truth")}
KEY_ROLES = ("dataset", "replication", "fold", "item", "truth", "step")


def refuse_two_ways(table: Table, roles: Roles, request: Request) -> None:
    """Refuse a table whose columns allow two readings, or one that is not the reading asked for."""
    _refuse_items_and_steps(table, roles)
    _refuse_unclear_steps(table, roles)
    _refuse_other_rows(table, roles, request)


def _refuse_items_and_steps(table: Table, roles: Roles) -> None:
    if "item" in roles and "step" in roles:
        raise InputError(
            f"the table may be read two ways: outcomes per item ({roles.column['item']}) "
            f"or curves along {roles.column['step']}.",
            table.source,
            "remove or rename the column that is not meant.",
        )


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
        f"rename {name} to step (training) or to replication (repeated folds).",
    )


def _refuse_other_rows(table: Table, roles: Roles, request: Request) -> None:
    there = [role for role in KEY_ROLES if role in roles]
    if request.rows is None or not there or any(role in roles for role in ROW_ROLES[request.rows]):
        return
    raise InputError(
        f"rows is {request.rows!r}, but the column {roles.column[there[0]]!r} says the {noun(there[0])}.",
        table.source,
        "leave rows out, or rename the column.",
    )
