"""Learners sorted by mean, with groups underlined whose two ends are not different."""

from __future__ import annotations

from typing import Any

import numpy as np

from bestofk.core.errors import InputError
from bestofk.core.options import level_inside
from bestofk.core.record import Record
from bestofk.ordering.contest import contest
from bestofk.stats.method import method_of
from bestofk.stats.omnibus.range_tests import underlines
from bestofk.stats.pairwise import PAIRWISE


class RangeOrder(Record):
    """``order`` by mean loss, best first; ``ranges`` the maximal underlined groups, no singletons."""

    order: tuple[Any, ...]
    ranges: tuple[tuple[Any, ...], ...]
    test: str
    alpha: float

    def __repr__(self) -> str:
        groups = " ".join("[" + " ".join(map(str, group)) + "]" for group in self.ranges) or "none"
        return f"{' '.join(map(str, self.order))}; not told apart: {groups}"


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
