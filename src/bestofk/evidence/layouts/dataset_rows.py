"""One data set of several: its scores or curves, or its rows in a table of items, read as if there were no others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bestofk.core.errors import InputError
from bestofk.core.names import plain, unknown
from bestofk.core.phrases import listed
from bestofk.evidence import Battles, Items, Results
from bestofk.evidence.layouts.grid import key_of
from bestofk.evidence.layouts.roles import Roles, roles_of
from bestofk.tables.cells import class_word
from bestofk.tables.table import Table, Text


def holds_items(roles: Roles) -> bool:
    """Whether rows are about items, one by one."""
    return "item" in roles or ("truth" in roles and "learner" not in roles)


def items_number_rows(table: Table, roles: Roles) -> bool:
    """Whether no two rows share an item, beside folds or data sets: it only numbers the rows."""
    if not ("item" in roles and "learner" in roles and any(r in roles for r in ("dataset", "fold", "replication"))):
        return False
    words = table.text(roles.column["item"])
    return len(words.categories) >= len(table) and len(np.unique(words.codes)) == len(table)


def tables_by_dataset(table: Table, told: Mapping[str, str]) -> dict[str, Table]:
    """The rows of every data set of a table of predictions, where there are several; empty for any other table."""
    roles = roles_of(table, told=told)
    if not holds_items(roles) or not {"dataset", "truth"} <= set(roles.column) or items_number_rows(table, roles):
        return {}
    found = key_of(table, "dataset", roles.column["dataset"])
    if len(found.names) < 2:
        return {}
    sizes = np.bincount(found.codes, minlength=len(found.names))
    rows = np.split(np.argsort(found.codes, kind="stable"), np.cumsum(sizes)[:-1])
    of_classes = _columns_of_classes(table, roles)
    return {name: _with_rows(table, each, of_classes) for name, each in zip(found.names, rows, strict=True)}


def learners_in(table: Table, told: Mapping[str, str]) -> tuple[str, ...] | None:
    """The learners that rows of a long table are of; None for a wide table, whose columns they are."""
    roles = roles_of(table, told=told)
    return key_of(table, "learner", roles.column["learner"]).names if "learner" in roles else None


def rows_of_dataset(table: Table, roles: Roles, dataset: str, learners: Sequence[str] | None = None) -> Table:
    """Keep the rows of one data set; a task, which is a group of items, may be named as well."""
    role = "dataset" if "dataset" in roles else "group"
    column = roles.column.get(role, "")
    if role == "group" and plain(column) != "task":
        raise no_datasets(dataset)
    found = key_of(table, role, column)
    if dataset not in found.names:
        raise unknown(dataset, found.names, what="data set", where=WHERE)
    rows = np.flatnonzero(found.codes == found.names.index(dataset))
    if "learner" in roles:
        learner = key_of(table, "learner", roles.column["learner"])
        own = [learner.names[code] for code in np.unique(learner.codes[rows])]
        refuse_without_dataset(learner.names, own, dataset, learners, table.source)
    return _with_rows(table, rows, _columns_of_classes(table, roles))


def refuse_without_dataset(
    learners: Iterable[str], own: Sequence[str], dataset: str, asked: Sequence[str] | None, where: str
) -> None:
    """Refuse a learner without results on the data set that is asked for, unless others are asked for."""
    lacking = [name for name in dict.fromkeys(learners) if name not in own and (asked is None or name in asked)]
    if lacking:
        raise InputError(
            f"{listed(lacking)} {'has' if len(lacking) == 1 else 'have'} no results on {dataset}.",
            where,
            f"add them, or say which learners are compared: --learners {','.join(dict.fromkeys(own))}.",
        )


def _columns_of_classes(table: Table, roles: Roles) -> frozenset[str]:
    """Columns of one class each: ``learner:class``, or named as the truth names a class."""
    if "truth" not in roles:
        return frozenset()
    classes = set(table.text(roles.column["truth"]).categories)
    return frozenset(name for name in roles.rest if ":" in name or name in classes or class_word(name) in classes)


def _with_rows(table: Table, rows: npt.NDArray[np.intp], of_classes: frozenset[str]) -> Table:
    """Some rows; probabilities of classes that only other data sets have, which are empty here, are gone.

    Those of a learner, or of a long table, that has none at all here stay: they are missing.
    """
    kept = table.rows(rows)
    text = {name: each for name, each in kept.columns.items() if isinstance(each, Text)}
    used = {name: set(each.used) for name, each in text.items()}  # not classes of other data sets
    kept = kept.with_columns(
        {name: each.renamed(w if w in used[name] else "" for w in each.categories) for name, each in text.items()}
    )
    empty = {name for name in of_classes if kept.column(name).empty.all() and not table.column(name).empty.all()}
    filled = {name.rpartition(":")[0] for name in of_classes - empty}
    return kept.without(name for name in empty if name.rpartition(":")[0] in filled)


WHERE = "argument dataset"


def of_dataset(evidence: Results, dataset: str) -> Results:
    """Return the evidence of this data set; items are chosen by the rows of their table, before they are read."""
    if isinstance(evidence, Items):
        return evidence
    if isinstance(evidence, Battles) or not evidence.dataset_names:
        raise no_datasets(dataset)
    known = evidence.dataset_names
    if dataset not in known:
        raise unknown(dataset, known, what="data set", where=WHERE)
    return evidence.without(datasets=[name for name in known if name != dataset])


def no_datasets(dataset: str) -> InputError:
    """The error where nothing names data sets."""
    fix = "leave it out, or say which rows are meant: --filter COLUMN=VALUE."
    return InputError(f"dataset is {dataset!r}, and there are no data sets.", WHERE, fix)


def refuse_items_read_already(evidence: Results, dataset: str | None) -> None:
    """Items keep no data sets: they are to be chosen where the items are read."""
    if dataset is not None and isinstance(evidence, Items):
        raise InputError(
            f"dataset is {dataset!r}, and these items were read already, without the names of their data sets.",
            f"{WHERE}, {evidence.origin.source}",
            f"read the file or the frame itself with it: bk.read(source, dataset={dataset!r}).",
        )
