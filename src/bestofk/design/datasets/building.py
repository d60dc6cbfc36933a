"""From a table and what the user said of its columns to a data set."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.names import unknown
from bestofk.design.datasets.columns import feature_of, groups_of
from bestofk.design.datasets.dataset import Dataset, Feature
from bestofk.design.datasets.table import Cells, Table, Wishes
from bestofk.design.datasets.targets import learnt, target_name


def dataset_of_table(table: Table, wishes: Wishes) -> Dataset:
    """Return the data set of a table that holds its own target."""
    target = target_name(table, wishes.target)
    if target in wishes.drop:
        raise InputError(f"the target {target} is among the columns to drop.", table.where, "name another target.")
    aside = {target, *wishes.drop} | ({wishes.groups} if isinstance(wishes.groups, str) else set())
    return dataset_of_parts(table, table.columns[target], target, wishes, aside)


def dataset_of_parts(table: Table, y: Cells, target: str, wishes: Wishes, aside: Iterable[str]) -> Dataset:
    """Return the data set of a table and a target that lies beside it; columns set aside are no features."""
    _refuse_unknown(table, wishes)
    _refuse_target_as_groups(table, target, wishes)
    aside = set(aside)
    kept = [name for name in table.columns if name not in aside]
    _refuse_unreadable(table, [*kept, target])
    _refuse_spoilt(table, [name for name in kept if name not in wishes.nominal])
    features = tuple(
        feature_of(name, table.columns[name], nominal=name in wishes.nominal, where=table.where) for name in kept
    )
    values, classes = learnt(y, target, wishes, table.where)
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


def _refuse_unknown(table: Table, wishes: Wishes) -> None:
    named = {"nominal": wishes.nominal, "drop": wishes.drop}
    if isinstance(wishes.groups, str):
        named["groups"] = (wishes.groups,)
    for option, names in named.items():
        for name in names:
            if name not in table.columns and name != wishes.target:
                raise unknown(name, table.columns, what=f"column in {option}", where=table.where)


def _refuse_target_as_groups(table: Table, target: str, wishes: Wishes) -> None:
    if isinstance(wishes.groups, str) and wishes.groups == target:
        raise InputError(
            f"the target {target} is also the column of groups: no class would be both trained on and tested.",
            table.where,
            "name another column as groups, or leave groups out.",
        )


def _refuse_unreadable(table: Table, names: Iterable[str]) -> None:
    for name in names:
        if name in table.refused:
            raise InputError(
                f"column {name} holds {table.refused[name]}, which is neither a number nor a category.",
                table.where,
                f'turn it into numbers or categories, or leave it out (drop = ["{name}"]).',
            )


def _refuse_spoilt(table: Table, names: Iterable[str]) -> None:
    for name in names:
        if name in table.spoilt:
            raise InputError(
                f"column {name} {table.spoilt[name]}.",
                table.where,
                f'correct it or leave the cell empty; if these are categories: nominal = ["{name}"].',
            )


def _groups(table: Table, wishes: Wishes, rows: int) -> np.typing.NDArray[np.int64] | None:
    if wishes.groups is None:
        return None
    values = table.columns[wishes.groups] if isinstance(wishes.groups, str) else wishes.groups
    return groups_of(values, rows, table.where)


def _raw(table: Table, kept: list[str], features: tuple[Feature, ...]) -> Any:
    """What learners that prepare data themselves are given: the user's own object, without the columns set aside."""
    unnamed = isinstance(table.raw, np.ndarray) and table.raw.dtype == object
    if table.raw is None or (unnamed and not any(feature.nominal for feature in features)):
        return None
    if len(kept) == len(table.columns):
        return table.raw
    positions = [position for position, name in enumerate(table.columns) if name in kept]
    if isinstance(table.raw, np.ndarray):
        return table.raw[:, positions]
    return table.raw.iloc[:, positions] if hasattr(table.raw, "iloc") else table.raw.select(kept)
