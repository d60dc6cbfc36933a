"""What people hand over as features, and how it becomes numbers and codes of levels.

Matrices of numbers, arrays of objects and data frames of any library are opened; levels are learnt on the training rows
and applied to others.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from bestofk.c45.cases import Cases, Features, Ints, features_of
from bestofk.core.arrays import Array, Flags
from bestofk.core.errors import InputError
from bestofk.core.frozen import frozen


@frozen(eq=False)
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


#: Levels of a nominal feature in the order of its branches; None for a numeric one.
Levels: TypeAlias = tuple[Any, ...] | None


class Columns(NamedTuple):
    """What the training rows tell of the features."""

    levels: tuple[Levels, ...]
    features: Features

    @classmethod
    def learnt(cls, opened: Opened, nominal: Flags) -> Columns:
        """Find the levels: those that a categorical column declares, else those that occur, in order."""
        if not nominal.any():
            width = len(nominal)
            return cls((None,) * width, Features(np.arange(width, dtype=np.int32), np.zeros(width, dtype=np.int32)))
        levels = tuple(_levels(opened, place) if flag else None for place, flag in enumerate(nominal))
        # A nominal column without any value has no branch; one level that never occurs keeps it nominal.
        return cls(
            levels, features_of(np.array([0 if each is None else max(len(each), 1) for each in levels], dtype=np.int32))
        )

    def cases(self, opened: Opened) -> Cases:
        """Read rows; a level that was not declared or seen in training is missing."""
        if opened.matrix is not None and not self.features.levels.any():
            return Cases(np.array(opened.matrix.T, order="C"), np.zeros((0, opened.rows), dtype=np.int32))
        numbers = [_numbers(opened.column(place), place) for place, each in enumerate(self.levels) if each is None]
        codes = [_codes(opened, place, each) for place, each in enumerate(self.levels) if each is not None]
        return Cases(_stacked(numbers, opened.rows, np.float64), _stacked(codes, opened.rows, np.int32))


def _stacked(lines: list[Any], rows: int, dtype: Any) -> Any:
    return np.array(lines, dtype=dtype) if lines else np.zeros((0, rows), dtype=dtype)


def _levels(opened: Opened, place: int) -> tuple[Any, ...]:
    declared = opened.declared(place)
    if declared is not None:
        return declared
    line = opened.column(place)
    if line.dtype.kind != "O":
        known = np.unique(line)
        return tuple(known[~np.isnan(known)].tolist())
    found = {value for value in line.tolist() if not is_missing(value)}
    try:
        return tuple(sorted(found))
    except TypeError:  # values of several kinds
        return tuple(sorted(found, key=lambda value: (type(value).__name__, str(value))))


def _codes(opened: Opened, place: int, levels: tuple[Any, ...]) -> Ints:
    own = opened.own_codes(place, levels)
    return _searched(opened.column(place), levels) if own is None else own


def _searched(line: Any, levels: tuple[Any, ...]) -> Ints:
    if line.dtype.kind == "O":
        place_of = {level: place for place, level in enumerate(levels)}
        found = [-1 if is_missing(value) else place_of.get(value, -1) for value in line.tolist()]
        return np.array(found, dtype=np.int32)
    if not levels or isinstance(levels[0], str | bytes):  # numbers, or nothing at all, where text was learnt
        return np.full(len(line), -1, dtype=np.int32)
    if _are_codes(levels):
        return _whole(line, len(levels))
    known: Array = np.array(levels, dtype=np.float64)
    place = np.minimum(np.searchsorted(known, line), len(known) - 1)
    return np.where(known[place] == line, place, -1).astype(np.int32)


def _are_codes(levels: tuple[Any, ...]) -> bool:
    """Whether the levels are 0, 1, 2 and so on, so that no search is needed."""
    return levels[-1] == len(levels) - 1 and levels == tuple(range(len(levels)))


def _whole(line: Array, levels: int) -> Ints:
    inside = (line >= 0.0) & (line < levels)
    code = np.where(inside, line, -1.0).astype(np.int32)
    code[code != np.where(inside, line, -1.0)] = -1
    return code


def _numbers(line: Any, place: int) -> Array:
    try:
        numbers: Array = (
            line
            if line.dtype.kind == "f"
            else np.array([np.nan if is_missing(value) else float(value) for value in line.tolist()])
        )
    except (TypeError, ValueError) as error:
        raise _no_number(f"holds what is no number: {error}.", place) from None
    if np.isinf(numbers).any():
        raise _no_number("holds infinity.", place)
    return numbers


def _no_number(wrong: str, place: int) -> InputError:
    return InputError(
        f"numeric feature {place} {wrong}",
        f"C45Classifier, column {place}",
        "give numbers, NaN where one is missing, or name the column in nominal_features.",
    )


def is_missing(value: Any) -> bool:
    """None, NaN, and what data frames put in their place."""
    return (
        value is None or (isinstance(value, float) and value != value) or type(value).__name__ in ("NAType", "NaTType")
    )


def nominal_flags(chosen: Any, opened: Opened, names: Sequence[str] | None) -> Flags:
    """Which columns are nominal, by the setting ``nominal_features``."""
    if chosen is None:
        return np.zeros(opened.width, dtype=bool)
    if isinstance(chosen, str):
        if chosen != "from_dtype":
            raise _wrong(chosen, "give 'from_dtype', None, a list of columns, or a mask.")
        return np.array([opened.is_nominal(place) for place in range(opened.width)], dtype=bool)
    given: npt.NDArray[Any] = np.asarray(chosen)
    if given.dtype == bool:
        if given.shape != (opened.width,):
            raise _wrong(chosen, f"give a mask of {opened.width} values, one for each feature.")
        return given
    flags = np.zeros(opened.width, dtype=bool)
    flags[[_place(each, opened.width, names) for each in given.ravel().tolist()]] = True
    return flags


def _place(column: Any, width: int, names: Sequence[str] | None) -> int:
    if isinstance(column, str):
        if names is None or column not in names:
            raise _wrong(column, "give a column's name as in the data frame, or its index.")
        return list(names).index(column)
    if not isinstance(column, int) or not -width <= column < width:
        raise _wrong(column, f"give indices from 0 to {width - 1}.")
    return column


def _wrong(value: Any, fix: str) -> InputError:
    return InputError(f"nominal_features names {value!r}.", "C45Classifier, parameter nominal_features", fix)
