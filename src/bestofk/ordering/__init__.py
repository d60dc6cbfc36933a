"""From pairwise answers and a prior preference to an order of K learners.

=========================================  ===================================================================
``multitest``                              one-sided tests of all pairs override the prior; always an order
``multi2test``                             the same over many data sets
``test_first``                             does the learner with the smallest mean beat all simpler ones?
``newman_keuls_best`` ``anova_best``       the best, where a range test or ANOVA names one
``ranges`` ``cliques``                     groups that are not told apart: along the order; any
``from_edges`` ``multitest_from``
``newman_keuls_best_from``                 the same rules from results found elsewhere
=========================================  ===================================================================
"""

from collections.abc import Callable
from typing import Any

from bestofk.core.shelf import Shelf
from bestofk.ordering.anova_best import anova_best
from bestofk.ordering.cliques import cliques
from bestofk.ordering.graph import Order, from_edges
from bestofk.ordering.methods import Ordering
from bestofk.ordering.multi2test import Multi2TestOrder, multi2test
from bestofk.ordering.multitest import MultiTestOrder, PossibleBest, multitest, multitest_from
from bestofk.ordering.newman_keuls_best import newman_keuls_best, newman_keuls_best_from
from bestofk.ordering.ranges import RangeOrder, ranges
from bestofk.ordering.smallest_mean import test_first

#: From losses to an order, a best learner or groups: each method has an answer of its own.
OrderingMethod = Callable[..., Any]

ORDERINGS: Shelf[OrderingMethod] = Shelf(
    "ordering",
    {
        "anova-best": anova_best,
        "cliques": cliques,
        "multi2test": multi2test,
        "multitest": multitest,
        "newman-keuls-best": newman_keuls_best,
        "ranges": ranges,
        "test-first": test_first,
    },
)

__all__ = [
    "ORDERINGS",
    "Multi2TestOrder",
    "MultiTestOrder",
    "Order",
    "Ordering",
    "PossibleBest",
    "RangeOrder",
    "anova_best",
    "cliques",
    "from_edges",
    "multi2test",
    "multitest",
    "multitest_from",
    "newman_keuls_best",
    "newman_keuls_best_from",
    "ranges",
    "test_first",
]
