"""Order by several measures: who dominates whom with significance, who is not dominated, and each measure by itself."""

from __future__ import annotations

import numpy as np

from bestofk.comparing.measures_comparison import MeasuresComparison, MeasuresPair, MeasureTest
from bestofk.core.record import Record
from bestofk.ordering.cliques import cliques
from bestofk.ordering.graph import from_edges
from bestofk.stats.omnibus.range_test import underlines

Groups = tuple[tuple[str, ...], ...]


class MeasureOrder(Record):
    """Learners by one measure, best first; ``groups`` are underlined: their two ends are not told apart."""

    measure: str
    order: tuple[str, ...]
    groups: Groups

    def __repr__(self) -> str:
        said = " ".join("[" + " ".join(group) + "]" for group in self.groups)
        return f"{self.measure}: {' '.join(self.order)}" + (f"; not told apart: {said}" if said else "")


class MeasuresOrdering(Record, kw_only=True):
    """MultiTest on vectors. One learner dominates another when the multivariate test tells them apart and it is shown
    to be better in every measure (intersection–union, adjusted by Holm).

    ``front`` are the learners that nobody dominates, ``plain_front`` those of the means alone (which takes every
    difference for real). ``order`` is the prior, overruled by dominance alone; without a prior learners stand by mean
    error, or by the first measure where the error is not known. ``edges`` (i, j): the preferred i is dominated by j.
    ``cliques`` are not told apart by the vectors, ``error_cliques`` not by the error.
    """

    best: str | None
    order: tuple[str, ...]
    prior: tuple[str, ...] | None
    prior_from: str
    listed_by: str
    edges: tuple[tuple[str, str], ...]
    dominated_by: tuple[tuple[str, tuple[str, ...]], ...]
    front: tuple[str, ...]
    plain_front: tuple[str, ...]
    cliques: Groups
    error_cliques: Groups | None
    by_measure: tuple[MeasureOrder, ...]

    def __repr__(self) -> str:
        lines = [f"Order, best first: {', '.join(self.order)}.", f"Not dominated: {', '.join(self.front)}."]
        return "\n".join(lines)


def order_by_measures(
    comparison: MeasuresComparison, prior: tuple[str, ...] | None = None, *, prior_from: str = ""
) -> MeasuresOrdering:
    """Order learners by dominance with significance and a prior preference, most preferred first."""
    learners = comparison.learners
    dominated = {name: _dominators(comparison, name) for name in learners}
    listed_by = "error" if comparison.error_means else comparison.names[0]
    start = prior if prior is not None else _by_means(comparison, listed_by)
    edges = [(tail, head) for i, tail in enumerate(start) for head in start[i + 1 :] if head in dominated[tail]]
    order = from_edges(edges, start).order
    front = tuple(name for name in order if not dominated[name])
    over_all = all(order[0] in dominated[name] for name in order[1:])
    best = order[0] if prior is not None or over_all else None
    return MeasuresOrdering(
        best=best,
        order=order,
        prior=prior,
        prior_from=prior_from,
        listed_by="" if prior is not None else listed_by,
        edges=tuple(edges),
        dominated_by=tuple((name, dominated[name]) for name in order if dominated[name]),
        front=front,
        plain_front=tuple(name for name in order if name in _plain_front(comparison)),
        cliques=_cliques(comparison, order),
        error_cliques=_error_cliques(comparison, order),
        by_measure=tuple(measure_order(comparison, name) for name in _names(comparison)),
    )


def measure_order(comparison: MeasuresComparison, measure: str) -> MeasureOrder:
    """One measure by itself, or the error: best first by its direction, groups underlined (the paper's section 4)."""
    order = _by_means(comparison, measure)
    accepted = np.zeros((len(order), len(order)), dtype=bool)
    for i, first in enumerate(order):
        for j in range(i + 1, len(order)):
            accepted[i, j] = not _of(comparison.pair(first, order[j]), measure).significant
    return MeasureOrder(measure, order, underlines(accepted, order))


def _names(comparison: MeasuresComparison) -> tuple[str, ...]:
    beside = ("error",) if comparison.error_means and "error" not in comparison.names else ()
    return (*beside, *comparison.names)


def _of(pair: MeasuresPair, measure: str) -> MeasureTest:
    found = next((test for test in pair.tests if test.measure == measure), pair.error)
    assert found is not None
    return found


def _by_means(comparison: MeasuresComparison, measure: str) -> tuple[str, ...]:
    """Best first by the mean of one measure; equal means in the order of the evidence."""
    larger = {each.name: each.larger_is_better for each in comparison.measures}.get(measure, False)
    of_error = measure not in comparison.names
    means = (
        comparison.error_means if of_error else {name: comparison.means[name][measure] for name in comparison.learners}
    )
    return tuple(sorted(comparison.learners, key=lambda name: -means[name] if larger else means[name]))


def _dominators(comparison: MeasuresComparison, name: str) -> tuple[str, ...]:
    pairs = (comparison.pair(name, other) for other in comparison.learners if other != name)
    return tuple(each.dominating for each in pairs if each.dominating is not None and each.dominating != name)


def _plain_front(comparison: MeasuresComparison) -> frozenset[str]:
    """Learners that no other is at least as good as in every mean and better in one."""
    beaten = set()
    for pair in comparison.pairs:
        ahead = {test.better for test in pair.tests} - {None}
        if len(ahead) == 1:
            beaten.add(pair.second if ahead == {pair.first} else pair.first)
    return frozenset(comparison.learners) - beaten


def _cliques(comparison: MeasuresComparison, order: tuple[str, ...]) -> Groups:
    alike = [[a == b or not comparison.pair(a, b).significant for b in order] for a in order]
    return cliques(alike, order)


def _error_cliques(comparison: MeasuresComparison, order: tuple[str, ...]) -> Groups | None:
    if not comparison.error_means:
        return None
    alike = [[a == b or not _of(comparison.pair(a, b), "error").significant for b in order] for a in order]
    return cliques(alike, order)
