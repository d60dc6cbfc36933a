"""Orders beside that of the verdict: by mean ranks over data sets, and by each of several measures."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from bestofk.comparing import Comparison
from bestofk.core.record import Record
from bestofk.ordering.groups import cliques
from bestofk.ordering.methods import groups_alike, means_first
from bestofk.stats.omnibus import friedman, nemenyi
from bestofk.stats.omnibus.friedman import row_ranks

#: Groups of more learners than these can be too many to list.
MOST_GROUPED = 60


class MeanRanks(Record, kw_only=True):
    """``ranks`` are mean ranks over data sets, 1 is best, learners in the order of ``learners``, best first.

    Where Nemenyi's test is the verdict's, ``nemenyi`` (K, K) are its p values, and two learners differ where mean ranks
    do by ``critical_difference``; beside another test it says nothing, and both are None.
    ``groups`` are the largest sets of two or more learners of which no pair differs by the *verdict's* own test and
    adjustment (None where not all pairs were tested): the bars of the critical-difference diagram.
    """

    learners: tuple[str, ...]
    ranks: tuple[float, ...]
    chi_square: float
    chi_square_pvalue: float
    f_statistic: float
    f_pvalue: float
    critical_difference: float | None
    nemenyi: tuple[tuple[float, ...], ...] | None
    groups: tuple[tuple[str, ...], ...] | None
    alpha: float


def mean_ranks(comparison: Comparison) -> MeanRanks | None:
    """Rank three learners or more on every data set; None for fewer, and where results are missing."""
    sample = comparison.sample
    if len(sample.learners) < 3 or sample.incomplete:
        return None
    table = np.ascontiguousarray(sample.rows.T)
    overall, ranks = friedman(table), row_ranks(table).mean(axis=0)
    his = comparison.test == "nemenyi" and comparison.control is None
    found = nemenyi(table, alpha=comparison.alpha) if his else None
    order = sorted(range(len(ranks)), key=lambda i: (ranks[i], comparison.learners[i]))
    names = tuple(comparison.learners[i] for i in order)
    return MeanRanks(
        learners=names,
        ranks=tuple(float(ranks[i]) for i in order),
        chi_square=overall.statistic,
        chi_square_pvalue=overall.pvalue,
        f_statistic=overall.f_statistic,
        f_pvalue=overall.f_pvalue,
        critical_difference=None if found is None else float(found.critical_difference),
        nemenyi=None if found is None else tuple(map(tuple, np.asarray(found.pvalue)[np.ix_(order, order)].tolist())),
        groups=groups_in(comparison, names),
        alpha=comparison.alpha,
    )


def groups_in(comparison: Comparison, order: tuple[str, ...]) -> tuple[tuple[str, ...], ...] | None:
    """Groups of two or more in which no pair differs, best members first.

    None where not all pairs were tested, or of so many learners that there may be more groups than can be told.
    """
    if comparison.control is not None or comparison.degenerate.any() or len(order) > MOST_GROUPED:
        return None
    return tuple(group for group in groups_alike(comparison, order) if len(group) > 1)


Groups = tuple[tuple[str, ...], ...]


class MeasureOrder(Record):
    """Learners by one measure, best first.

    ``groups`` are the largest sets of two or more in which no pair is shown to differ in it; None where too many
    learners make too many of them.
    """

    measure: str
    order: tuple[str, ...]
    groups: Groups | None


class MeasureOrders(Record):
    """The measures one by one, the error first where it is known.

    ``plain_front`` are the learners that no other equals or beats in every mean and beats in one, which takes every
    difference for real.
    """

    orders: tuple[MeasureOrder, ...]
    plain_front: tuple[str, ...]


def measure_orders(comparison: Comparison) -> MeasureOrders | None:
    """Order by each measure; None for one measure, or with a control, which compares too few pairs."""
    if comparison.several is None or comparison.control is not None:
        return None
    orders = tuple(_order(comparison, name) for name in comparison.measure_means)
    return MeasureOrders(orders, _plain_front(comparison))


def _order(comparison: Comparison, measure: str) -> MeasureOrder:
    order = means_first(comparison, measure)
    if len(order) > MOST_GROUPED:
        return MeasureOrder(measure, order, None)
    alike = np.eye(len(order), dtype=bool)
    for (i, first), (j, second) in combinations(enumerate(order), 2):
        alike[i, j] = alike[j, i] = not comparison.pair(first, second).part(measure).significant
    return MeasureOrder(measure, order, tuple(group for group in cliques(alike, order) if len(group) > 1))


def _plain_front(comparison: Comparison) -> tuple[str, ...]:
    beaten = set()
    for names in comparison.pairs:
        pair = comparison.pair(*names)
        ahead = {part.better for part in pair.parts} - {None}
        if len(ahead) == 1:
            beaten.add(pair.second if ahead == {pair.first} else pair.first)
    return tuple(name for name in comparison.learners if name not in beaten)
