"""What people hand over as features: matrices of numbers, arrays of objects, data frames of any library."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bestofk.c45.cases import Ints
from bestofk.core.arrays import Array
from bestofk.core.errors import InputError


@dataclass(frozen=True, eq=False)
class Opened:
    """One of three: a matrix of numbers, an array of objects, or a frame (as narwhals opens it)."""

    rows: int
    width: int
    matrix: Array | None = None
    objects: Any = None
    frame: Any = None

    def column(self, place: int) -> Any:
        """One feature: numbers, or objects."""
        if self.matrix is not None:
            return self.matrix[:, place]
        if self.objects is not None:
            return self.objects[:, place]
        return _line(self.frame[:, place])

    def declared(self, place: int) -> tuple[Any, ...] | None:
        """Levels that the column itself declares, those that do not occur included."""
        if self.frame is None or not _is_categorical(self.frame[:, place]):
            return None
        native = self.frame[:, place].to_native()
        declared = getattr(getattr(native, "cat", None), "categories", getattr(native.dtype, "categories", None))
        return None if declared is None else tuple(declared.tolist() if hasattr(declared, "tolist") else declared)

    def own_codes(self, place: int, levels: tuple[Any, ...]) -> Ints | None:
        """The codes that a categorical column of pandas has already, where it declares the same levels."""
        if self.frame is None or not _is_categorical(self.frame[:, place]) or self.declared(place) != levels:
            return None
        codes = getattr(getattr(self.frame[:, place].to_native(), "cat", None), "codes", None)
        return None if codes is None else np.array(codes, dtype=np.int32)

    def is_nominal(self, place: int) -> bool:
        """By type: categories, text and truth values; objects unless all are numbers."""
        if self.matrix is not None:
            return False
        if self.frame is not None and (_is_categorical(self.frame[:, place]) or self._kinds[place] == "Boolean"):
            return True
        line = self.column(place)
        return line.dtype.kind == "O" and any(isinstance(value, str | bytes | bool) for value in line.tolist())

    @cached_property
    def _kinds(self) -> list[str]:
        return [type(kind).__name__ for kind in self.frame.schema.values()]


def opened(estimator: Any, X: Any, *, reset: bool) -> Opened:
    """Check the features by scikit-learn's rules and open them; ``reset`` in training."""
    from sklearn.utils.validation import validate_data

    if hasattr(X, "columns") or hasattr(X, "column_names"):
        return _of_frame(estimator, X, reset)
    if isinstance(X, list | tuple):
        X = _of_lists(X)
    if getattr(getattr(X, "dtype", None), "kind", "f") in "OUS":
        objects = validate_data(estimator, X, reset=reset, dtype=None, ensure_all_finite=False).astype(object)
        return _numbers_if_all_are(objects)
    matrix = validate_data(estimator, X, reset=reset, dtype=np.float64, ensure_all_finite="allow-nan")
    return Opened(matrix.shape[0], matrix.shape[1], matrix=matrix)


def _of_frame(estimator: Any, X: Any, reset: bool) -> Opened:
    import narwhals
    from sklearn.utils.validation import validate_data

    _refuse_repeated(list(getattr(X, "columns", [])))
    frame = narwhals.from_native(X, eager_only=True)
    if all(kind.is_numeric() for kind in frame.schema.values()) or 0 in frame.shape:
        matrix = validate_data(estimator, X, reset=reset, dtype=np.float64, ensure_all_finite="allow-nan")
        return Opened(matrix.shape[0], matrix.shape[1], matrix=matrix)
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    return Opened(frame.shape[0], frame.shape[1], frame=frame)


def _refuse_repeated(names: list[Any]) -> None:
    repeated = [name for name in names if names.count(name) > 1]
    if repeated:
        raise InputError(
            f"column {repeated[0]!r} occurs {names.count(repeated[0])} times.",
            "C45Classifier, columns of the data frame",
            "give each column a name of its own.",
        )


def _of_lists(X: Any) -> Any:
    """Lists with text keep their numbers as numbers."""
    try:
        textual = np.asarray(X).dtype.kind in "US"
    except ValueError:  # ragged: scikit-learn says so
        return X
    return np.array(X, dtype=object) if textual else X


def _numbers_if_all_are(objects: Any) -> Opened:
    """An array of objects that are all numbers, or that can be nothing else, is a matrix."""
    plain = all(not isinstance(value, str | bytes | bool) for value in objects.ravel().tolist())
    if not plain:
        return Opened(objects.shape[0], objects.shape[1], objects=objects)
    from bestofk.c45.columns import is_missing

    numbers = [np.nan if is_missing(value) else float(value) for value in objects.ravel().tolist()]
    return Opened(objects.shape[0], objects.shape[1], matrix=np.array(numbers).reshape(objects.shape))


def _is_categorical(column: Any) -> bool:
    return type(column.dtype).__name__ in ("Categorical", "Enum")


def _line(column: Any) -> Any:
    """Numbers as floats; categories, text and all else as objects."""
    if column.dtype.is_numeric():
        import narwhals

        return np.asarray(column.cast(narwhals.Float64).to_numpy(), dtype=np.float64)
    line = np.empty(len(column), dtype=object)
    line[:] = column.to_list()
    return line
