"""The one door for input: array-likes in, finite float arrays of the right design out, or a three-line error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from bestofk.core.errors import InputError
from bestofk.core.names import unknown

Array: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]
Names: TypeAlias = tuple[str, ...] | None

#: Differences up to this share of the data's scale are rounding, not evidence.
ROUNDING = 1e-12


def numbers(values: Any, *, name: str, where: str) -> Array:
    """Return finite floats; text, gaps (NaN, masked) and infinities are refused, never repaired."""
    place = f"{where}, argument {name}"
    masked = _masked(values)
    if masked:
        raise InputError(f"{name} has {masked} masked values.", place, "fill or drop the masked values first.")
    if isinstance(values, str | bytes | Mapping) or values is None:
        raise InputError(f"{name} is {_glimpse(values)}, not numbers.", place, "give a list or an array of numbers.")
    try:
        raw = np.asarray(values)
    except ValueError:
        raise InputError(
            f"{name} is ragged: its rows have unequal lengths.", place, "give rows of equal length."
        ) from None
    if raw.dtype.kind not in "biufO":
        raise InputError(f"{name} holds {raw.dtype} values, not numbers.", place, "give numbers only.")
    if raw.dtype.kind == "O":
        _refuse_text(raw, name, place)
    try:
        array = np.asarray(
            raw, dtype=np.float64
        )  # the caller's own where it can be: nothing in this house writes to it
    except (TypeError, ValueError):
        raise InputError(f"{name} holds values that are not numbers.", place, "give numbers only.") from None
    _refuse_gaps(array, name, place)
    return array


def _masked(values: Any) -> int:
    """How many values are masked; numpy would quietly show what lies under the mask."""
    if isinstance(values, np.ma.MaskedArray):
        return int(np.ma.getmaskarray(values).sum())
    if isinstance(values, list | tuple):
        return sum(_masked(entry) for entry in values if isinstance(entry, list | tuple | np.ma.MaskedArray))
    return 0


def _refuse_text(raw: npt.NDArray[Any], name: str, place: str) -> None:
    for position, value in np.ndenumerate(raw):
        if isinstance(value, str | bytes | list | tuple | complex):
            raise InputError(
                f"{name} has {_glimpse(value)} at position {_index(position)}.",
                place,
                "give an array of numbers with rows of equal length.",
            )


def _refuse_gaps(array: Array, name: str, place: str) -> None:
    good = np.isfinite(array)
    if good.all():
        return
    first = tuple(int(i) for i in np.argwhere(~good)[0])
    count = int((~good).sum())
    raise InputError(
        f"{name} has {count} value{'s' if count > 1 else ''} that {'are' if count > 1 else 'is'} NaN or infinite, "
        f"the first ({array[first]}) at position {_index(first)}.",
        place,
        "complete the missing results, or leave the whole pair (data set, fold) out for all learners.",
    )


#: Beyond these sizes squares leave the range of floating point and a variance would be infinite or 0.
LARGEST, SMALLEST = 1e140, 1e-140


def squarable(array: Array, *, name: str, where: str) -> Array:
    """Refuse values whose squares overflow or vanish."""
    if array.size:
        reach = max(float(array.max()), -float(array.min()))
        if reach > LARGEST or 0.0 < reach < SMALLEST:
            raise InputError(
                f"the values of {name} reach {reach:g}, and their squares leave the range of floating point.",
                f"{where}, argument {name}",
                "divide all values by a common factor first; no p value depends on it.",
            )
    return array


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


@dataclass(frozen=True, eq=False)
class Pair:
    """Two learners' losses in one design, their difference, and what counts as zero in it.

    Degenerate tests (equal folds, constant differences) are rare and finding them costs more than the tests
    themselves, so one threshold for the whole batch is tried first, and each test's own only when it does not decide.
    """

    first: Array
    second: Array
    difference: Array
    axes: int

    @cached_property
    def coarse(self) -> float:
        """The largest difference that is rounding in any test of the batch."""
        return ROUNDING * max(float(np.abs(side).max()) for side in (self.first, self.second))

    @cached_property
    def rounding(self) -> Array:
        """The largest difference that is rounding in each test, with the design axes kept as ones."""
        design = tuple(range(-self.axes, 0))
        scales = (np.abs(side).max(axis=design, keepdims=True) for side in (self.first, self.second))
        return np.asarray(ROUNDING * np.maximum(*scales))

    def is_zero(self, values: Array) -> Flags:
        """Say which values in the shape of the design are zero up to rounding."""
        small = np.abs(values) <= self.coarse
        return np.asarray(np.abs(values) <= self.rounding) if small.any() else small

    def is_zero_per_test(self, values: Array) -> Flags:
        """Say which values, one per test, are zero up to rounding."""
        return np.asarray(np.abs(values) <= self.rounding.reshape(self.rounding.shape[: -self.axes]))

    def are_zeros(self, values: Array, squares: Array) -> Flags:
        """Say in which tests all values of the last axis (with sum of squares ``squares``) are zero up to rounding."""
        if (squares > values.shape[-1] * self.coarse**2).all():
            return np.zeros(squares.shape, dtype=bool)
        rounding = self.rounding.reshape(*self.rounding.shape[: -self.axes], 1)
        return np.asarray((np.abs(values) <= rounding).all(axis=-1))


def paired(
    first: Any,
    second: Any,
    *,
    where: str,
    axes: int = 1,
    at_least: int = 2,
    shape: tuple[int, ...] | None = None,
) -> Pair:
    """Take two learners' losses whose last ``axes`` axes are the design; batches in front broadcast."""
    one = squarable(numbers(first, name="first", where=where), name="first", where=where)
    two = squarable(numbers(second, name="second", where=where), name="second", where=where)
    for array, name in ((one, "first"), (two, "second")):
        _check_design(array, name, where, axes, at_least, shape)
    if one.shape[-axes:] != two.shape[-axes:]:
        raise InputError(
            f"first has the design {one.shape[-axes:]} and second {two.shape[-axes:]}.",
            f"{where}, arguments first and second",
            "give both learners' results on the same folds, in the same order.",
        )
    try:
        difference = np.subtract(one, two)
    except ValueError:
        raise InputError(
            f"the batches {one.shape[:-axes]} and {two.shape[:-axes]} do not fit together.",
            f"{where}, arguments first and second",
            "give batches of equal shape.",
        ) from None
    return Pair(one, two, difference, axes)


def _check_design(array: Array, name: str, where: str, axes: int, at_least: int, shape: tuple[int, ...] | None) -> None:
    place = f"{where}, argument {name}"
    if array.ndim < axes or array.size == 0:
        raise InputError(
            f"{name} has the shape {array.shape}.",
            place,
            f"give at least {at_least} values" + (f" in {axes} axes." if axes > 1 else "."),
        )
    design = array.shape[-axes:]
    if shape is not None and design != shape:
        raise InputError(
            f"{where} needs {shape[0]} replications of {shape[1]} folds; got {_described(design)}.",
            place,
            "collect folds of that design, or use a test that fits your folds: paired-t, corrected-t.",
        )
    if int(np.prod(design)) < at_least:
        raise InputError(
            f"{name} has {int(np.prod(design))} value; {where} needs at least {at_least}.",
            place,
            "add folds (or data sets).",
        )


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


def zero_one(
    values: Any, *, name: str, where: str, meaning: str = "give 1 where the outcome holds and 0 where it does not"
) -> Array:
    """Take 0/1 outcomes."""
    array = numbers(values, name=name, where=where)
    bad = (array != 0) & (array != 1)
    if bad.any():
        first = tuple(int(i) for i in np.argwhere(bad)[0])
        raise InputError(
            f"{name} has the value {array[first]:g} at position {_index(first)}.",
            f"{where}, argument {name}",
            f"{meaning}.",
        )
    return array


def level_inside(value: Any, *, name: str, where: str) -> float:
    """Take a level such as alpha: strictly between 0 and 1."""
    return number_inside(value, name=name, where=where, low=0.0, high=1.0)


def number_inside(value: Any, *, name: str, where: str, low: float, high: float) -> float:
    """Take one number strictly between two ends."""
    if isinstance(value, bool | str) or np.ndim(value) or not _is_between(value, low, high):
        raise InputError(
            f"{name} is {_glimpse(value)}.",
            f"{where}, argument {name}",
            f"give a number between {low:g} and {high:g}.",
        )
    return float(value)


def _is_between(value: Any, low: float, high: float) -> bool:
    try:
        return bool(low < float(value) < high)
    except (TypeError, ValueError):
        return False


def count_of(value: Any, *, name: str, where: str, at_least: int = 1) -> int:
    """Take a whole number from ``at_least`` up."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < at_least:
        raise InputError(
            f"{name} is {_glimpse(value)}.",
            f"{where}, argument {name}",
            f"give a whole number from {at_least} up.",
        )
    return int(value)


def flag_of(value: Any, *, name: str, where: str) -> bool:
    """Take True or False."""
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{name} is {_glimpse(value)}.", f"{where}, argument {name}", "give True or False.")
    return bool(value)


def one_of(value: Any, allowed: Iterable[str], *, name: str, where: str) -> str:
    """Take one of the known words."""
    allowed = tuple(allowed)
    if not isinstance(value, str) or value not in allowed:
        raise unknown(value, allowed, what=name, where=f"{where}, argument {name}")
    return value


ALTERNATIVES = ("two-sided", "greater", "less")


def alternative_of(value: Any, *, where: str) -> str:
    """Take the direction of a test; ``greater`` means that the first loses more."""
    return one_of(value, ALTERNATIVES, name="alternative", where=where)


def refuse_duplicates(names: Iterable[Any], *, what: str, where: str) -> None:
    """Refuse a list that names the same thing twice."""
    seen: set[Any] = set()
    for name in names:
        if name in seen:
            raise InputError(f"{what} {name!r} is named twice.", where, f"give every {what} a name of its own.")
        seen.add(name)


def _described(design: tuple[int, ...]) -> str:
    return f"{design[0]} of {design[1]}" if len(design) == 2 else str(design)


def _index(position: tuple[int, ...]) -> str:
    return str(position[0]) if len(position) == 1 else str(position)


def _glimpse(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
