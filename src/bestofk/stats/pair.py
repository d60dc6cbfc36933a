"""Two learners' losses at one door: the same design, their difference, what counts as zero in it, and quick sums."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from bestofk.core.arrays import ROUNDING, Array, Flags, numbers, squarable
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen
from bestofk.core.phrases import counted
from bestofk.stats.shapes import common_batch


@frozen(eq=False)
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
    common_batch(one.shape[:-axes], two.shape[:-axes], where=f"{where}, arguments first and second")
    return Pair(one, two, np.subtract(one, two), axes)


def sizes_of(given: Any, n: int, *, where: str) -> Array:
    """Take the sizes of n values; 1 each where none are given."""
    if given is None:
        return np.ones(n)
    sizes = numbers(given, name="sizes", where=where)
    if sizes.shape != (n,) or not (sizes > 0).all():
        raise InputError(
            f"sizes has the shape {sizes.shape}." if sizes.shape != (n,) else "a size is not positive.",
            f"{where}, argument sizes",
            f"give {n} positive numbers, one per value.",
        )
    return sizes


def _check_design(array: Array, name: str, where: str, axes: int, at_least: int, shape: tuple[int, ...] | None) -> None:
    place = f"{where}, argument {name}"
    if array.ndim < axes and shape is not None and array.size:
        raise InputError(
            f"{where} needs {shape[0]} replications of {shape[1]} folds; got the shape {array.shape}.",
            place,
            f"give (replications, folds): values.reshape({shape[0]}, {shape[1]}) if they are in that order.",
        )
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
            "collect folds of that design, or use corrected-t, which fits any folds.",
        )
    if int(np.prod(design)) < at_least:
        raise InputError(
            f"{name} has {counted(int(np.prod(design)), 'value')}; {where} needs at least {at_least}.",
            place,
            "add folds (or data sets).",
        )


def _described(design: tuple[int, ...]) -> str:
    return f"{design[0]} of {design[1]}" if len(design) == 2 else str(design)


def row_sums(values: Array) -> Array:
    """Return the sums along the last axis.

    Examples
    --------
    >>> row_sums(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([3., 7.])
    """
    return np.asarray(np.einsum("...i->...", values))


def row_squares(values: Array) -> Array:
    """Return the sums of squares along the last axis."""
    return np.asarray(np.einsum("...i,...i->...", values, values))
