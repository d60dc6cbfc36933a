"""The rows of one data set in a table of items, which are then read as if the table had no others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from bestofk.core.names import unknown
from bestofk.evidence.columns import plain
from bestofk.evidence.layouts.cells import key_of
from bestofk.evidence.layouts.roles import Roles, roles_of
from bestofk.evidence.one_dataset import WHERE, no_datasets
from bestofk.evidence.table import Column, Numbers, Table, Text


def holds_items(roles: Roles) -> bool:
    """Whether rows are about items, one by one."""
    return "item" in roles or ("truth" in roles and "learner" not in roles)


def items_number_rows(table: Table, roles: Roles) -> bool:
    """Whether no two rows share an item, beside folds or data sets: it only numbers the rows."""
    if not ("item" in roles and "learner" in roles and any(r in roles for r in ("dataset", "fold", "replication"))):
        return False
    words = table.text(roles.column["item"])
    return len(words.categories) >= len(table) and len(np.unique(words.codes)) == len(table)


def datasets_with_folds(table: Table) -> tuple[str, ...]:
    """The data sets of a table of items where there are several and rows have folds: those of each are its own."""
    roles = roles_of(table)
    folds = "fold" in roles or "replication" in roles
    if not holds_items(roles) or "dataset" not in roles or not folds or items_number_rows(table, roles):
        return ()
    names = key_of(table, "dataset", roles.column["dataset"]).names
    return names if len(names) > 1 else ()


def rows_of_dataset(table: Table, roles: Roles, dataset: str) -> Table:
    """Keep the rows of one data set; a task, which is a group of items, may be named as well."""
    role = "dataset" if "dataset" in roles else "group"
    column = roles.column.get(role, "")
    if role == "group" and plain(column) != "task":
        raise no_datasets(dataset)
    found = key_of(table, role, column)
    if dataset not in found.names:
        raise unknown(dataset, found.names, what="data set", where=WHERE)
    return _with_rows(table, np.flatnonzero(found.codes == found.names.index(dataset)))


def _with_rows(table: Table, rows: npt.NDArray[np.intp]) -> Table:
    return replace(
        table,
        columns={name: _taken(each, rows) for name, each in table.columns.items()},
        row_name=lambda row: table.row_name(int(rows[row])),
        source_of=None if table.source_of is None else lambda row: table.file_of(int(rows[row])),
    )


def _taken(column: Column, rows: npt.NDArray[np.intp]) -> Column:
    """The cells of these rows; words that only other rows have are gone, such as classes of other data sets."""
    if isinstance(column, Numbers):
        return Numbers(column.values[rows])
    used, codes = np.unique(column.codes[rows], return_inverse=True)
    words = tuple(column.categories[code] for code in used if code >= 0)
    return Text((codes - int(used[0] < 0)).astype(np.int32), words)
