"""K learners' values at one door: arrays, ragged lists, dicts of names and data frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from bestofk.core.arrays import Array, numbers, squarable
from bestofk.core.errors import InputError
from bestofk.core.options import refuse_duplicates
from bestofk.stats.shapes import common_batch, wrong_shape

Names: TypeAlias = tuple[Any, ...] | None


def named_columns(losses: Any) -> Mapping[Any, Any] | None:
    """Return learners by name from a dict or a data frame (one column per learner); None for anything else."""
    if isinstance(losses, Mapping):
        return losses
    if hasattr(losses, "columns") and hasattr(losses, "to_numpy"):
        refuse_duplicates(losses.columns, what="learner", where="columns of the data frame")
        return {column: losses[column].to_numpy() for column in losses.columns}
    return None


def stacked(columns: Mapping[Any, Any], *, axis: int, name: str, where: str) -> Array:
    """Stack named learners' values, all of one shape, along a new axis."""
    arrays = [numbers(values, name=f"{name}[{key!r}]", where=where) for key, values in columns.items()]
    if len({array.shape for array in arrays}) > 1:
        shapes = ", ".join(f"{key} {array.shape}" for key, array in zip(columns, arrays, strict=True))
        raise InputError(
            f"the learners have unequal numbers of values: {shapes}.",
            f"{where}, argument {name}",
            "give every learner's result on every fold (or data set).",
        )
    if not arrays or arrays[0].ndim == 0:
        raise InputError(
            f"{name} names {len(arrays)} learners without values.",
            f"{where}, argument {name}",
            "give values by learner.",
        )
    if axis < -arrays[0].ndim - 1:
        raise InputError(
            f"{name} has {arrays[0].ndim} axis per learner.",
            f"{where}, argument {name}",
            f"give every learner an array of {-axis - 1} axes.",
        )
    return np.stack(arrays, axis=axis)


def named_table(losses: Any, *, axis: int, where: str, name: str = "losses") -> tuple[Names, Array]:
    """Take a table from an array, or from values by name with the learners along ``axis``; and the names."""
    columns = named_columns(losses)
    if columns is None:
        return None, numbers(losses, name=name, where=where)
    return tuple(columns), stacked(columns, axis=axis, name=name, where=where)


def learner_table(
    losses: Any, *, where: str, learners: int, name: str = "losses", at_least: int = 2
) -> tuple[Names, Array]:
    """Take a table of K learners: ``learners`` is the axis they lie on (-2 or -1); a dict gives them names."""
    place = f"{where}, argument {name}"
    names, table = named_table(losses, axis=learners, name=name, where=where)
    squarable(table, name=name, where=where)
    if table.ndim < 2:
        raise InputError(f"{name} has the shape {table.shape}.", place, "give a table of learners and folds.")
    if table.shape[learners] < 2:
        raise InputError(
            f"{name} has {table.shape[learners]} learner.", place, "give at least two learners to compare."
        )
    other = -1 if learners == -2 else -2
    if table.shape[other] < at_least:
        raise InputError(
            f"{name} has {table.shape[other]} value per learner; {where} needs at least {at_least}.",
            place,
            "add folds (or data sets).",
        )
    if table.size == 0:
        raise InputError(f"{name} has the shape {table.shape}: a batch of nothing.", place, "give at least one table.")
    return names, table


def groups_of(losses: Any, *, where: str, name: str = "losses") -> tuple[Names, list[Array]]:
    """Take K groups of unequal or equal size: an array (..., K, L), a ragged list, or a dict of names."""
    columns = named_columns(losses)
    if columns is None:
        return None, separate_groups(_rows(losses, name, where), name=name, where=where)
    return tuple(columns), separate_groups(columns.values(), name=name, where=where, labels=tuple(columns))


def separate_groups(entries: Iterable[Any], *, name: str, where: str, labels: Names = None) -> list[Array]:
    """Take one group (..., nᵢ) of values per learner."""
    place = f"{where}, argument {name}"
    groups = []
    for i, entry in enumerate(entries):
        label = f"{name}[{i if labels is None else labels[i]!r}]"
        groups.append(squarable(numbers(entry, name=label, where=where), name=label, where=where))
        if groups[-1].ndim < 1 or groups[-1].size == 0:
            raise InputError(f"{label} has no values.", place, "give every learner at least one value.")
    if len(groups) < 2:
        raise InputError(f"{name} has {len(groups)} learner.", place, "give at least two learners to compare.")
    common_batch(*(group.shape[:-1] for group in groups), where=place)
    if sum(group.shape[-1] for group in groups) <= len(groups):
        raise InputError(f"{name} has one value per learner; {where} needs more.", place, "add folds (or data sets).")
    return groups


def _rows(losses: Any, name: str, where: str) -> list[Any]:
    if isinstance(losses, Sequence) and not isinstance(losses, str | bytes) and not _is_regular(losses):
        return list(losses)
    table = numbers(losses, name=name, where=where)
    if table.ndim < 2:
        raise wrong_shape(table, name, where, "give one row of values per learner.")
    return [table[..., i, :] for i in range(table.shape[-2])]


def _is_regular(losses: Sequence[Any]) -> bool:
    try:
        return bool(np.asarray(losses).dtype.kind != "O")
    except ValueError:
        return False


def tables_of(values: Any, *, where: str) -> tuple[Names, Array]:
    """Take (..., L, k, p), or a dict of name → (k, p): at least two learners and two folds (or data sets)."""
    names, table = named_table(values, axis=-3, name="values", where=where)
    squarable(table, name="values", where=where)
    if table.ndim < 3 or table.size == 0 or table.shape[-3] < 2 or table.shape[-2] < 2:
        raise wrong_shape(
            table, "values", where, "give (learners, folds, measures) with at least two learners and two folds."
        )
    return names, table
