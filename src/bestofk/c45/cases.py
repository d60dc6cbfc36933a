"""Rows as both backends read them: numbers and codes of features, codes of classes, weights."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from bestofk.c45.rules import MANY_LEVELS, SMALL
from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError

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


def class_codes(y: Any, rows: int) -> tuple[npt.NDArray[Any], Ints]:
    """The classes in order, and the place of each row's among them."""
    from sklearn.utils import assert_all_finite, column_or_1d
    from sklearn.utils.multiclass import check_classification_targets

    if y is None:
        raise InputError(
            "requires y to be passed, but the target y is None.",
            "C45Classifier.fit, argument y",
            "give a class for each row.",
        )
    if not (isinstance(y, np.ndarray) and y.ndim == 1 and y.dtype.kind in "biuU"):  # these need no look: it takes time
        y = column_or_1d(y, warn=True)
        assert_all_finite(y, input_name="y")
        check_classification_targets(y)
    if len(y) != rows:
        raise InputError(
            f"X has {rows} rows and y has {len(y)}.", "C45Classifier.fit, argument y", "give a class for each row."
        )
    classes, codes = np.unique(y, return_inverse=True)
    return classes, codes.astype(np.int32)


def row_weights(sample_weight: Any, rows: int) -> Array:
    """One for each row unless told otherwise; negative ones are refused."""
    if sample_weight is None:
        return np.ones(rows)
    from sklearn.utils.validation import _check_sample_weight

    given = np.asarray(sample_weight)
    if given.ndim == 1 and given.dtype.kind in "biuf" and not given.any():
        raise InputError(
            "all sample weights are zero.",
            "C45Classifier.fit, argument sample_weight",
            "give some row a weight above 0.",
        )
    rows_of = np.empty((rows, 0))
    weights: Array = _check_sample_weight(sample_weight, rows_of, dtype=np.float64, ensure_non_negative=True)
    return weights
