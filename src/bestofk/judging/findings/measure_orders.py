"""Each of several measures by itself: the order of its means, and the groups whose ends are not shown to differ."""

from __future__ import annotations

import numpy as np

from bestofk.comparing import Comparison
from bestofk.core.record import Record
from bestofk.ordering.methods import means_first
from bestofk.stats.omnibus.range_tests import underlines

Groups = tuple[tuple[str, ...], ...]


class MeasureOrder(Record):
    """Learners by one measure, best first; ``groups`` are underlined: their two ends are not shown to differ."""

    measure: str
    order: tuple[str, ...]
    groups: Groups


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
    accepted = np.zeros((len(order), len(order)), dtype=bool)
    for i, first in enumerate(order):
        for j in range(i + 1, len(order)):
            accepted[i, j] = not comparison.pair(first, order[j]).part(measure).significant
    return MeasureOrder(measure, order, underlines(accepted, order))


def _plain_front(comparison: Comparison) -> tuple[str, ...]:
    beaten = set()
    for names in comparison.pairs:
        pair = comparison.pair(*names)
        ahead = {part.better for part in pair.parts} - {None}
        if len(ahead) == 1:
            beaten.add(pair.second if ahead == {pair.first} else pair.first)
    return tuple(name for name in comparison.learners if name not in beaten)
