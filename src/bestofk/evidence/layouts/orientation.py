"""What names are of: learners, data sets, folds; and a table of both without a heading that says which are in rows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bestofk.core.errors import InputError
from bestofk.evidence.columns import roles_of_name
from bestofk.evidence.layouts.request import Request
from bestofk.tables.table import Table

#: More rows than these are no learners.
MOST = 100
#: What names of one word and a number may be of.
NUMBERED = ("learner", "dataset", "replication", "fold", "item")
_NUMBERED = re.compile(r"(.*?[^\W\d])[\W_]*\d+")


def role_of_names(names: Sequence[str]) -> str:
    """What names are of, where they are all one word that says it and a number; else "".

    Examples
    --------
    >>> role_of_names(["fold1", "fold2"]), role_of_names(["model 1", "model 2"]), role_of_names(["svm", "iris"])
    ('fold', 'learner', '')
    """
    numbered = {match[1] if (match := _NUMBERED.fullmatch(name.strip())) else "" for name in names}
    roles = roles_of_name(numbered.pop()) if len(numbered) == 1 else ()
    return roles[0] if roles and roles[0] in NUMBERED else ""


def row_role(table: Table, column: str, columns: Sequence[str], request: Request) -> str:
    """What a column of words beside columns of numbers names: learners, or what the rows are that learners have.

    "" where learners are in columns and nothing tells what rows are; where nothing tells where they are, that is asked.
    """
    rows = table.text(column).used
    if request.learners is not None and set(request.learners) & {*rows, *columns}:
        return "learner" if not set(request.learners) <= set(columns) else ""
    if request.nameless_rows != "datasets" or request.rows is not None:
        return ""
    of_rows, of_columns = role_of_names(rows), role_of_names(columns)
    if of_rows != "learner" and (of_columns == "learner" or of_rows not in ("", of_columns)):
        return of_rows
    if of_columns != "learner" and (of_rows == "learner" or of_columns != ""):
        return "learner"
    raise _asked(table, column, rows, columns)


def _asked(table: Table, column: str, rows: Sequence[str], columns: Sequence[str]) -> InputError:
    down, across = (f"{', '.join(names[:2])}{' …' if len(names) > 2 else ''}" for names in (rows, columns))
    index, nameless = column in table.index, column.startswith("unnamed")
    what = "the index" if index else "the first column, which has no name," if nameless else f"the column {column}"
    named = "frame.rename_axis('learner' or 'dataset')" if index else "call it learner or dataset"
    return InputError(
        f"{what} may name learners or data sets: are {down} learners and {across} data sets, or the other way round?",
        table.source if index or nameless else table.where(column=column),
        f"say --transpose (transpose=True) if {down} are learners, --rows datasets (rows='datasets') if {across} are, "
        f"or {named}; and name the measure (--measure accuracy).",
    )
