"""Groups of learners that no test tells apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bestofk.core.arrays import zero_one
from bestofk.core.errors import InputError
from bestofk.core.options import refuse_duplicates


def cliques(accepts: Any, names: Sequence[Any] | None = None) -> tuple[tuple[Any, ...], ...]:
    """Return the maximal sets in which every pair is accepted, singletons included.

    Parameters
    ----------
    accepts : array_like of bool, (K, K)
        True where the test of the pair does not reject; symmetric, the diagonal is not looked at.
    names : sequence, optional
        Names in the order of the rows; positions otherwise.

    References
    ----------
    Yıldız, Aslan and Alpaydın 2011, section 4. Bron and Kerbosch 1973 for the algorithm.

    Examples
    --------
    >>> cliques([[1, 1, 0], [1, 1, 1], [0, 1, 1]], names=["c45", "qda", "svm"])
    (('c45', 'qda'), ('qda', 'svm'))
    """
    matrix = zero_one(accepts, name="accepts", where="cliques").astype(bool)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.size == 0:
        raise InputError(f"accepts has the shape {matrix.shape}.", "cliques, argument accepts", "give a square table.")
    k = len(matrix)
    off = ~np.eye(k, dtype=bool)
    if ((matrix != matrix.T) & off).any():
        i, j = np.argwhere((matrix != matrix.T) & off)[0]
        raise InputError(
            f"accepts says different things of the pairs ({i}, {j}) and ({j}, {i}).",
            "cliques, argument accepts",
            "give a symmetric table.",
        )
    labels = tuple(names) if names is not None else tuple(range(k))
    refuse_duplicates(labels, what="learner", where="cliques, argument names")
    if len(labels) != k:
        raise InputError(
            f"there are {len(labels)} names for {k} learners.", "cliques, argument names", "name each one."
        )
    neighbours = [frozenset(int(j) for j in np.flatnonzero(matrix[i] & off[i])) for i in range(k)]
    found: list[tuple[int, ...]] = []
    _grow(frozenset(), frozenset(range(k)), frozenset(), neighbours, found)
    return tuple(tuple(labels[i] for i in clique) for clique in sorted(found))


def _grow(
    clique: frozenset[int],
    candidates: frozenset[int],
    done: frozenset[int],
    neighbours: list[frozenset[int]],
    found: list[tuple[int, ...]],
) -> None:
    if not candidates and not done:
        found.append(tuple(sorted(clique)))
        return
    pivot = max(candidates | done, key=lambda i: len(neighbours[i] & candidates))
    for i in sorted(candidates - neighbours[pivot]):
        _grow(clique | {i}, candidates & neighbours[i], done & neighbours[i], neighbours, found)
        candidates, done = candidates - {i}, done | {i}
