"""Groups of learners that no test tells apart: along the order of means, or any."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from bestofk.core.arrays import zero_one
from bestofk.core.errors import InputError
from bestofk.core.options import level_inside, refuse_duplicates
from bestofk.core.record import Record
from bestofk.ordering.contest import contest
from bestofk.stats.method import cites, method_of
from bestofk.stats.omnibus.range_tests import underlines
from bestofk.stats.pairwise import PAIRWISE
from bestofk.stats.shapes import wrong_shape


class RangeOrder(Record):
    """``order`` by mean loss, best first; ``ranges`` the maximal underlined groups, no singletons."""

    order: tuple[Any, ...]
    ranges: tuple[tuple[Any, ...], ...]
    test: str
    alpha: float

    def __repr__(self) -> str:
        groups = " ".join("[" + " ".join(map(str, group)) + "]" for group in self.ranges) or "none"
        return f"{' '.join(map(str, self.order))}; not told apart: {groups}"


@cites(
    "yildiz-aslan",
    assumes="what its pairwise test assumes, and that groups follow the order of means",
    not_for="claims at alpha about all pairs: its tests are not adjusted (cliques)",
)
def ranges(losses: Any, test: str = "paired-t", alpha: float = 0.05, **options: Any) -> RangeOrder:
    """Sort learners by mean loss and underline contiguous groups whose two ends do not differ.

    Larger groups are tried first; what lies inside an underlined group is not tried. The test is two-sided and not
    adjusted, as in the paper. Turn scores into losses first: a measure whose larger values are better is negated.

    Parameters
    ----------
    losses : dict of name → design, or array_like (K, design)
    test : str
        A registered pairwise test.
    alpha : float
        Level of each test.

    References
    ----------
    Yıldız, Aslan and Alpaydın 2011, section 4, *Comparison of multiple algorithms*.

    Examples
    --------
    >>> ranges({"c45": [.30, .31, .33], "lda": [.21, .22, .20], "svm": [.22, .21, .24]})
    lda svm c45; not told apart: [lda svm]
    """
    where = "ranges"
    alpha = level_inside(alpha, name="alpha", where=where)
    run = PAIRWISE[test]
    given = contest(losses, None, axes=method_of(run).axes_with(options), where=where)
    if given.batch:
        raise InputError(f"losses are a batch of shape {given.batch}.", f"{where}, argument losses", "give one table.")
    order = given.by_mean()
    k = len(order)
    first, second = np.triu_indices(k, 1)
    accepted = np.zeros((k, k), dtype=bool)
    accepted[first, second] = run(given.of(order[first]), given.of(order[second]), **options).pvalue > alpha
    names = tuple(given.preferred[i] for i in order)
    return RangeOrder(order=names, ranges=underlines(accepted, names), test=test, alpha=alpha)


@cites(
    "yildiz-aslan",
    assumes="what the pairs' own test assumes",
    not_for="calling learners equal: a group says only that no difference is shown",
)
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
        raise wrong_shape(matrix, "accepts", "cliques", "give a square table.")
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
