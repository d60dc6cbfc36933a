"""Training or test rows as both backends read them: numbers and codes, a line for each feature."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from bestofk.c45.margins import MANY_LEVELS, SMALL
from bestofk.core.arrays import Array, Flags

Ints: TypeAlias = npt.NDArray[np.int32]


class Features(NamedTuple):
    """``slot`` is the line of each feature among the numbers or the codes; ``levels`` is 0 for a numeric feature."""

    slot: Ints
    levels: Ints


class Cases(NamedTuple):
    """``numbers`` are NaN and ``codes`` -1 where missing; rows are the second axis."""

    numbers: Array
    codes: Ints

    def part(self, rows: npt.NDArray[np.intp]) -> Cases:
        """Some of the rows."""
        return Cases(np.ascontiguousarray(self.numbers[:, rows]), np.ascontiguousarray(self.codes[:, rows]))


class Training(NamedTuple):
    """Rows to learn from; ``all_numbers`` has the rows held out as well, ``ascending`` the same in order, NaN last.

    A threshold is a value of the whole training set.
    """

    features: Features
    cases: Cases
    y: Ints
    weights: Array
    classes: int
    all_numbers: Array
    ascending: Array
    averaged: Flags


def features_of(levels: npt.NDArray[np.int32]) -> Features:
    """Number the numeric and the nominal features through."""
    nominal = levels > 0
    slot = np.where(nominal, np.cumsum(nominal), np.cumsum(~nominal)) - 1
    return Features(slot.astype(np.int32), levels)


def entering_the_average(features: Features, weight: float) -> Flags:
    """Which features count in the average gain: those with few levels, or all where none has few."""
    few = (features.levels == 0) | (MANY_LEVELS * weight - features.levels > SMALL)
    return few if few.any() else np.ones_like(few)
