"""How large a fitted model is: the numbers it keeps, counted, so that the answer is quick and the same everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

#: A node of a scikit-learn tree: feature, threshold, two children; its values are counted apart.
PER_NODE = 4
DEEPEST = 12


def fitted_numbers(estimator: Any, fresh: Iterable[str] = ()) -> int:
    """Count the numbers that fitting added to an estimator, in its arrays, trees and parts.

    ``fresh`` are the names of attributes it had before: parameters are no part of what was learnt. A learner that
    keeps its training rows (nearest neighbours) is as large as they are.

    Examples
    --------
    >>> class Line:
    ...     def __init__(self):
    ...         self.slope_, self.offset_ = np.zeros(3), 1.5
    >>> fitted_numbers(Line())
    4
    """
    before = set(fresh)
    own = [value for name, value in getattr(estimator, "__dict__", {}).items() if name not in before]
    steps = getattr(estimator, "steps", None)  # a pipeline is fitted in its parameters
    return _numbers([*own, steps] if steps else own, {id(estimator)}, 0)


def _numbers(value: Any, seen: set[int], depth: int) -> int:
    if isinstance(value, np.ndarray):
        return _of_array(value, seen, depth)
    if isinstance(value, bool | int | float | np.number):
        return 1
    if (
        value is None
        or isinstance(value, str | bytes | type)
        or callable(value)
        or depth > DEEPEST
        or id(value) in seen
    ):
        return 0
    seen.add(id(value))
    if isinstance(value, Mapping):
        return sum(_numbers(each, seen, depth + 1) for each in value.values())
    if isinstance(value, list | tuple):
        return sum(_numbers(each, seen, depth + 1) for each in value)
    return _of_object(value, seen, depth)


def _of_array(value: np.ndarray[Any, Any], seen: set[int], depth: int) -> int:
    if value.dtype.kind in "biufc":
        return int(value.size)
    return sum(_numbers(each, seen, depth + 1) for each in value.ravel()) if value.dtype.kind == "O" else 0


def _of_object(value: Any, seen: set[int], depth: int) -> int:
    if hasattr(value, "node_count"):
        return PER_NODE * int(value.node_count) + int(np.size(getattr(value, "value", ())))
    if hasattr(value, "nnz"):
        return int(value.nnz)
    if not hasattr(value, "__dict__"):
        return 0
    return sum(_numbers(each, seen, depth + 1) for each in vars(value).values())
