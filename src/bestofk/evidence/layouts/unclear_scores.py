"""Numbers beside a truth that may be what a learner said of an item, or how good that was."""

from __future__ import annotations

from bestofk.core.errors import InputError
from bestofk.core.names import plain
from bestofk.evidence.layouts.decisions import DECISION, EITHER, classes_of
from bestofk.evidence.layouts.measured import NumberColumns
from bestofk.evidence.layouts.probabilities import POSITIVE
from bestofk.evidence.layouts.request import Request
from bestofk.evidence.layouts.roles import Roles
from bestofk.measures.catalogue import is_larger_better
from bestofk.tables.table import Table


def refuse_unclear_scores(table: Table, roles: Roles, found: NumberColumns, measure: str, request: Request) -> None:
    """Refuse a column beside the truth of which neither its name nor the caller says what it is."""
    unclear = measure in found.measures and request.larger_is_better is None and is_larger_better(measure) is None
    if "truth" in roles and "prediction" not in roles and unclear and not found.scorer:
        column, classes = found.measures[measure], classes_of(table, roles.column["truth"])
        if plain(column) in POSITIVE | EITHER | DECISION:
            raise InputError(
                f"the column {column} is of one of two classes, and {roles.column['truth']} has {len(classes)}: "
                f"{', '.join(classes[:5])}{', …' if len(classes) > 5 else ''}.",
                table.where(column=column),
                "give a column of probabilities for every class, named as the truth names it, or a column prediction.",
            )
        raise InputError(
            f"the column {found.measures[measure]} may hold scores that rank items, or outcomes.",
            table.where(column=found.measures[measure]),
            "call it 'probability' (of the second class) or 'decision' for --on roc; say --larger-is-better or "
            "--smaller-is-better if it is an outcome per item.",
        )
