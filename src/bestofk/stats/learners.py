"""K learners' values at one door: arrays, ragged lists, dicts of names and data frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from bestofk.core.errors import InputError
from bestofk.stats.arrays import Array, numbers, squarable
from bestofk.stats.options import refuse_duplicates

Names: TypeAlias = tuple[str, ...] | None


def named_columns(losses: Any) -> Mapping[str, Any] | None:
    """Return learners by name from a dict or a data frame (one column per learner); None for anything else."""
    if isinstance(losses, Mapping):
        names = [str(key) for key in losses]
        refuse_duplicates(names, what="learner", where="names of the learners")
        return dict(zip(names, losses.values(), strict=True))
    if hasattr(losses, "columns") and hasattr(losses, "to_numpy"):
        names = [str(column) for column in losses.columns]
        refuse_duplicates(names, what="learner", where="columns of the data frame")
        return {name: losses[column].to_numpy() for name, column in zip(names, losses.columns, strict=True)}
    return None


def stacked(columns: Mapping[str, Any], *, axis: int, name: str, where: str) -> Array:
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
    return np.stack(arrays, axis=axis)


def learner_table(
    losses: Any, *, where: str, learners: int, name: str = "losses", at_least: int = 2
) -> tuple[Names, Array]:
    """Take a table of K learners: ``learners`` is the axis they lie on (-2 or -1); a dict gives them names."""
    place = f"{where}, argument {name}"
    columns = named_columns(losses)
    if columns is None:
        names, table = None, numbers(losses, name=name, where=where)
    else:
        names = tuple(columns)
        table = stacked(columns, axis=learners, name=name, where=where)
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
    place = f"{where}, argument {name}"
    columns = named_columns(losses)
    names: Names = None if columns is None else tuple(columns)
    entries = _rows(losses, name, where) if columns is None else list(columns.values())
    if len(entries) < 2:
        raise InputError(f"{name} has {len(entries)} learner.", place, "give at least two learners to compare.")
    groups = [
        squarable(numbers(entry, name=f"{name}[{i}]", where=where), name=f"{name}[{i}]", where=where)
        for i, entry in enumerate(entries)
    ]
    for i, group in enumerate(groups):
        if group.ndim < 1 or group.size == 0:
            raise InputError(f"{name}[{i}] is empty.", place, "give every learner at least one value.")
    try:
        np.broadcast_shapes(*(group.shape[:-1] for group in groups))
    except ValueError:
        raise InputError("the groups' batches do not fit together.", place, "give batches of equal shape.") from None
    if sum(group.shape[-1] for group in groups) <= len(groups):
        raise InputError(f"{name} has one value per learner; {where} needs more.", place, "add folds (or data sets).")
    return names, groups


def _rows(losses: Any, name: str, where: str) -> list[Any]:
    if isinstance(losses, Sequence) and not isinstance(losses, str | bytes) and not _is_regular(losses):
        return list(losses)
    table = numbers(losses, name=name, where=where)
    if table.ndim < 2:
        raise InputError(
            f"{name} has the shape {table.shape}.",
            f"{where}, argument {name}",
            "give one row of values per learner.",
        )
    return [table[..., i, :] for i in range(table.shape[-2])]


def _is_regular(losses: Sequence[Any]) -> bool:
    try:
        return np.asarray(losses).dtype.kind != "O"
    except ValueError:
        return False
