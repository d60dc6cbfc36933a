"""Three learners or more over data sets by their ranks: Friedman, Iman and Davenport, Nemenyi, and the groups left."""

from __future__ import annotations

import numpy as np

from bestofk.comparing import Comparison
from bestofk.core.record import Record
from bestofk.ordering.methods import groups_alike
from bestofk.stats.omnibus import friedman, nemenyi

#: Groups of more learners than these can be too many to list.
MOST_GROUPED = 60


class MeanRanks(Record, kw_only=True):
    """``ranks`` are mean ranks over data sets, 1 is best, learners in the order of ``learners``, best first.

    ``nemenyi`` (K, K) are Nemenyi's p values, two learners differ where mean ranks do by ``critical_difference``.
    ``groups`` are the largest sets of two or more learners of which no pair differs by the *verdict's* own test and
    adjustment (None with a control): the bars of the critical-difference diagram.
    """

    learners: tuple[str, ...]
    ranks: tuple[float, ...]
    chi_square: float
    chi_square_pvalue: float
    f_statistic: float
    f_pvalue: float
    critical_difference: float
    nemenyi: tuple[tuple[float, ...], ...]
    groups: tuple[tuple[str, ...], ...] | None
    alpha: float


def mean_ranks(comparison: Comparison) -> MeanRanks | None:
    """Rank three learners or more on every data set; None for other designs and where results are missing."""
    if comparison.kind != "datasets" or len(comparison.learners) < 3:
        return None
    sample = comparison.sample
    if sample.incomplete:
        return None
    found = nemenyi(np.ascontiguousarray(sample.rows.T), alpha=comparison.alpha)
    overall = friedman(np.ascontiguousarray(sample.rows.T))
    ranks = np.asarray(found.mean_ranks)
    order = sorted(range(len(ranks)), key=lambda i: (ranks[i], comparison.learners[i]))
    names = tuple(comparison.learners[i] for i in order)
    return MeanRanks(
        learners=names,
        ranks=tuple(float(ranks[i]) for i in order),
        chi_square=overall.statistic,
        chi_square_pvalue=overall.pvalue,
        f_statistic=overall.f_statistic,
        f_pvalue=overall.f_pvalue,
        critical_difference=float(found.critical_difference),
        nemenyi=tuple(tuple(float(p) for p in np.asarray(found.pvalue)[i, order]) for i in order),
        groups=groups_in(comparison, names) if len(names) <= MOST_GROUPED else None,
        alpha=comparison.alpha,
    )


def groups_in(comparison: Comparison, order: tuple[str, ...]) -> tuple[tuple[str, ...], ...] | None:
    """Groups of two or more in which no pair differs, best members first; None where not all pairs were compared."""
    if comparison.control is not None:
        return None
    return tuple(group for group in groups_alike(comparison, order) if len(group) > 1)
