"""Classes as codes, and weights of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from bestofk.c45.cases import Ints
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError


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
