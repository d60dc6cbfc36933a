"""How large a fitted model is: the numbers it keeps, counted, so that the answer is quick and the same everywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

#: A node of a scikit-learn tree: feature, threshold, two children; its values are counted apart.
PER_NODE = 4
DEEPEST = 12
#: Types that are told at once: kinds of arrays whose values count, single numbers, and what counts for nothing.
COUNTED = "biufc"
SINGLE = frozenset({bool, int, float, np.float64, np.int64})
NONE = frozenset({type(None), str, bytes, type})

_Count = Callable[[Any, set[int], int], int]


def fitted_numbers(estimator: Any, fresh: Iterable[str] = ()) -> int:
    """Count the numbers that fitting added to an estimator, in its arrays, trees and parts.

    ``fresh`` are the names of attributes it had before: parameters are no part of what was learnt. A learner that
    keeps its training rows (nearest neighbours) is as large as they are. An estimator may know better: its property
    ``n_parameters`` is taken where it has one.

    Examples
    --------
    >>> class Line:
    ...     def __init__(self):
    ...         self.slope_, self.offset_ = np.zeros(3), 1.5
    >>> fitted_numbers(Line())
    4
    """
    if isinstance(getattr(type(estimator), "n_parameters", None), property):
        return int(estimator.n_parameters)
    before = fresh if isinstance(fresh, frozenset) else frozenset(fresh)
    total, rest = 0, []
    for name, value in getattr(estimator, "__dict__", {}).items():
        if name in before:
            continue
        kind = type(value)
        if kind is np.ndarray and value.dtype.kind in COUNTED:
            total += value.size
        elif kind in SINGLE:
            total += 1
        elif kind not in NONE:
            rest.append(value)
    steps = getattr(estimator, "steps", None)  # a pipeline is fitted in its parameters
    if steps:
        rest.append(steps)
    seen = {id(estimator)}
    for value in rest:
        total += _numbers(value, seen, 1)
    return total


def _numbers(value: Any, seen: set[int], depth: int) -> int:
    kind = type(value)
    how = _HOW.get(kind)
    if how is None:
        how = _HOW[kind] = _how(value)
    if how is _nothing or depth > DEEPEST or id(value) in seen:
        return 0
    if how is not _one and how is not _of_array:
        seen.add(id(value))
    return how(value, seen, depth)


def _how(value: Any) -> _Count:
    """The way to count values of this type; found out once, for it takes several questions."""
    if isinstance(value, np.ndarray):
        return _of_array
    if isinstance(value, bool | int | float | np.number):
        return _one
    if value is None or isinstance(value, str | bytes | type) or callable(value):
        return _nothing
    if isinstance(value, Mapping):
        return _of_mapping
    if isinstance(value, list | tuple):
        return _of_sequence
    parts = (("node_count", _of_tree), ("nnz", _of_sparse), ("__dict__", _of_object))
    return next((how for name, how in parts if hasattr(value, name)), _nothing)


def _nothing(value: Any, seen: set[int], depth: int) -> int:
    return 0


def _one(value: Any, seen: set[int], depth: int) -> int:
    return 1


def _of_mapping(value: Any, seen: set[int], depth: int) -> int:
    return _of_sequence(value.values(), seen, depth)


def _of_sequence(value: Any, seen: set[int], depth: int) -> int:
    return sum(_numbers(each, seen, depth + 1) for each in value)


def _of_array(value: np.ndarray[Any, Any], seen: set[int], depth: int) -> int:
    if value.dtype.kind in COUNTED:
        return int(value.size)
    return sum(_numbers(each, seen, depth + 1) for each in value.ravel()) if value.dtype.kind == "O" else 0


def _of_sparse(value: Any, seen: set[int], depth: int) -> int:
    return int(value.nnz)


def _of_object(value: Any, seen: set[int], depth: int) -> int:
    return _of_mapping(vars(value), seen, depth)


def _of_tree(tree: Any, seen: set[int], depth: int) -> int:
    nodes = int(tree.node_count)
    try:
        return nodes * (PER_NODE + int(tree.n_outputs * tree.max_n_classes))  # ``value`` would be copied to be measured
    except AttributeError:
        return PER_NODE * nodes + int(np.size(getattr(tree, "value", ())))


_HOW: dict[type, _Count] = {}
