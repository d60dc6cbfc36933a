"""From a table and what the user said of its columns to a data set."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any, get_args

import numpy as np

from bestofk.core.arrays import Array
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.names import unknown
from bestofk.design.datasets.columns import coded, feature_of, groups_of
from bestofk.design.datasets.dataset import Dataset, Feature, Task
from bestofk.tables.cells import MISSING_IN_DATA, Purpose, as_number
from bestofk.tables.table import Column, Numbers, Table, Text

#: How tables of data to learn from are read: no column is one of names, true and false are categories.
DATA = Purpose(
    "example",
    lambda name: False,
    missing=MISSING_IN_DATA,
    dropped=MISSING_IN_DATA,
    strict=False,
    lenient_names=False,
    dates=False,
)
USUAL = ("class", "target", "label", "y")
#: More different whole numbers than this may be amounts: the user is asked.
MOST_CLASSES = 30
#: A column with this share of numbers among its values is one of numbers with mistakes in it.
MOSTLY = 0.8
COMMAS = re.compile(r"[-+]?\d+(,\d+)+(\.\d+)?", re.ASCII)


@frozen
class Wishes:
    """What the user said about the columns of a data set; ``groups`` is a column's name or one value per row."""

    name: str | None = None
    target: str | None = None
    groups: Any = None
    ordered: bool = False
    nominal: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    task: str | None = None

    @property
    def group_columns(self) -> tuple[str, ...]:
        """The column that holds the groups, if one is named."""
        return (self.groups,) if isinstance(self.groups, str) else ()

    def names(self, column: str) -> bool:
        """Whether the user speaks of a column."""
        return column in (self.target, *self.nominal, *self.drop, *self.group_columns)


@frozen(eq=False)
class DataTable:
    """Columns in order. ``raw`` is the user's own object where a learner may want it; None for files.

    ``refused`` are columns that can be no feature, with what they hold; ``spoilt`` those of a file that look like
    numbers with something wrong in them, with what it is: they may be called nominal.
    """

    name: str
    source: str
    columns: Mapping[str, Column]
    raw: Any = None
    refused: Mapping[str, str] = field(default_factory=dict)
    spoilt: Mapping[str, str] = field(default_factory=dict)

    @property
    def where(self) -> str:
        """Where errors in it are."""
        return f"data set {self.name}, {self.source}"

    def refusal(self, wrong: str, fix: str) -> InputError:
        """The error of a table that makes no data set."""
        return InputError(wrong, self.where, fix)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all columns, those that can be no feature last."""
        return (*self.columns, *self.refused)


def spoilt_columns(table: Table) -> dict[str, str]:
    """Columns of words that are nearly numbers, with what is wrong in them."""
    found = {name: _spoilt(column, table) for name, column in table.columns.items() if isinstance(column, Text)}
    return {name: said for name, said in found.items() if said}


def _spoilt(column: Text, table: Table) -> str:
    counts = np.bincount(column.codes[column.codes >= 0], minlength=len(column.categories))
    wrong = [i for i, word in enumerate(column.categories) if as_number(word, DATA.missing, finite=False) is None]
    there, amiss = int(counts.sum()), int(counts[wrong].sum())
    commas = bool(wrong) and all(COMMAS.fullmatch(column.categories[code]) for code in wrong)
    if not wrong or (not commas and amiss > (1.0 - MOSTLY) * there):
        return ""
    row = int(np.argmax(np.isin(column.codes, wrong)))
    place = f"holds {column.categories[column.codes[row]]!r} in {table.row_name(row)}"
    if commas:
        return f"{place}: numbers have a decimal point and no other sign"
    return f"{place}, and {there - amiss} of its {there} values are numbers"


def dataset_of_table(table: DataTable, wishes: Wishes) -> Dataset:
    """Return the data set of a table that holds its own target."""
    target = target_name(table, wishes.target)
    if target in wishes.drop:
        raise table.refusal(f"the target {target} is among the columns to drop.", "name another target.")
    _refuse_unreadable(table, [target])
    return dataset_of_parts(table, table.columns[target], target, wishes, beside=False)


def dataset_of_parts(
    table: DataTable, y: Column, target: str, wishes: Wishes, *, beside: bool = True, called: str = ""
) -> Dataset:
    """Return the data set of a table and its target, which lies beside the table or is a column of it.

    ``called`` is the target in errors, where it has no name of its own.
    """
    called = called or f"the target {target}"
    _refuse_unknown(table, target, wishes, called)
    aside = {*wishes.drop, *wishes.group_columns, *(() if beside else (target,))}
    kept = [name for name in table.names if name not in aside]
    _refuse_unreadable(table, [*kept, target])
    _refuse_spoilt(table, [name for name in kept if name not in wishes.nominal])
    features = tuple(
        feature_of(name, table.columns[name], nominal=name in wishes.nominal, where=table.where) for name in kept
    )
    values, classes = _learnt(y, wishes, table, called, nominal=target in wishes.nominal)
    return Dataset(
        name=table.name,
        features=features,
        y=values,
        classes=classes,
        target=target,
        groups=_groups(table, wishes, len(values)),
        ordered=bool(wishes.ordered),
        raw=_raw(table, kept, features),
        source=table.source,
    )


def _refuse_unknown(table: DataTable, target: str, wishes: Wishes, called: str) -> None:
    named = {"nominal": wishes.nominal, "drop": wishes.drop, "groups": wishes.group_columns}
    for option, names in named.items():
        for name in names:
            if name not in table.names and name != wishes.target:
                raise unknown(name, table.names, what=f"column in {option}", where=table.where)
    if target in wishes.group_columns:
        raise table.refusal(
            f"{called} is also the column of groups: no class would be both trained on and tested.",
            "name another column as groups, or leave groups out.",
        )


def _refuse_unreadable(table: DataTable, names: Iterable[str]) -> None:
    for name in names:
        if name in table.refused:
            wrong = f"column {name} holds {table.refused[name]}, which is neither a number nor a category."
            raise table.refusal(wrong, f'turn it into numbers or categories, or leave it out (drop = ["{name}"]).')


def _refuse_spoilt(table: DataTable, names: Iterable[str]) -> None:
    for name in names:
        if name in table.spoilt:
            fix = f'correct it or leave the cell empty; if these are categories: nominal = ["{name}"].'
            raise table.refusal(f"column {name} {table.spoilt[name]}.", fix)


def _groups(table: DataTable, wishes: Wishes, rows: int) -> np.typing.NDArray[np.int64] | None:
    if wishes.groups is None:
        return None
    _refuse_unreadable(table, wishes.group_columns)
    values = table.columns[wishes.groups] if wishes.group_columns else wishes.groups
    return groups_of(values, rows, table.where)


def _raw(table: DataTable, kept: list[str], features: tuple[Feature, ...]) -> Any:
    """What learners that prepare data themselves are given: the user's own object, without the columns set aside."""
    unnamed = isinstance(table.raw, np.ndarray) and table.raw.dtype == object
    if table.raw is None or (unnamed and not any(feature.nominal for feature in features)):
        return None
    if len(kept) == len(table.names):
        return table.raw
    if isinstance(table.raw, np.ndarray):
        return table.raw[:, [position for position, name in enumerate(table.columns) if name in kept]]
    return table.raw[kept] if hasattr(table.raw, "iloc") else table.raw.select(kept)


def target_name(table: DataTable, wished: str | None) -> str:
    """Return the column to be learnt: the one named, or the only one with a usual name."""
    if wished is not None:
        if wished not in table.names:
            raise unknown(wished, table.names, what="target column", where=table.where)
        return wished
    usual = [name for name in table.names if name.lower() in USUAL]
    if len(usual) == 1:
        return usual[0]
    found = f"{' and '.join(usual)} could both be it" if usual else f"none is called {', '.join(USUAL)}"
    raise table.refusal(
        f"which column is the target is not said, and {found}.",
        f'name it: target = "{list(table.columns)[-1]}", for example. Columns: {", ".join(table.columns)}.',
    )


def _learnt(
    cells: Column, wishes: Wishes, table: DataTable, called: str, *, nominal: bool
) -> tuple[Array, tuple[str, ...]]:
    """Return the target and its classes; none for regression.

    Text, true and false are classes, numbers with fractions are amounts; whole numbers are classes when at most 30
    differ, otherwise the user has to say.
    """
    numbers = cells.values if isinstance(cells, Numbers) else None
    if numbers is not None and np.isinf(numbers).any():
        row = int(np.flatnonzero(np.isinf(numbers))[0]) + 1
        raise table.refusal(f"{called} is infinite at row {row}.", "leave the row out, or correct it.")
    known = None if numbers is None else np.unique(numbers[~np.isnan(numbers)])
    if _task(None if nominal else known, wishes, table, called) == "classification":
        return coded(cells)
    if numbers is None or known is None:
        wrong = f"{called} holds text, and regression needs numbers."
        raise table.refusal(wrong, 'leave out task = "regression".')
    if len(known) == 1:
        wrong = f"{called} is {known[0]:g} in every row."
        raise table.refusal(wrong, "give a target that differs between rows.")
    return numbers, ()


def _task(known: Array | None, wishes: Wishes, table: DataTable, called: str) -> str:
    """What is to be learnt, by the different numbers of the target; None for categories."""
    if wishes.task is not None:
        if wishes.task not in get_args(Task):
            raise unknown(wishes.task, get_args(Task), what="task", where=table.where)
        return wishes.task
    if known is None:
        return "classification"
    if (known != np.round(known)).any():
        return "regression"
    if len(known) <= MOST_CLASSES:
        return "classification"
    raise table.refusal(
        f"{called} holds {len(known)} different whole numbers: classes or amounts?",
        'say task = "classification" or task = "regression".',
    )
