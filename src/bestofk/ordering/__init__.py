"""From pairwise answers and a prior preference to an order of K learners.

=========================================  ===================================================================
``multitest``                              one-sided tests of all pairs override the prior; always an order
``multi2test``                             the same over many data sets
``test_first``                             does the learner with the smallest mean beat all simpler ones?
``newman_keuls_best`` ``anova_best``       the best, where a range test or ANOVA names one
``ranges`` ``cliques``                     groups that are not told apart: along the order; any
``from_edges`` ``newman_keuls_best_from``  the same rules from results found elsewhere
=========================================  ===================================================================
"""

from bestofk.ordering.best_learner import anova_best, newman_keuls_best, newman_keuls_best_from, test_first
from bestofk.ordering.graph import Order, from_edges
from bestofk.ordering.groups import RangeOrder, cliques, ranges
from bestofk.ordering.methods import ORDERINGS, Ordering
from bestofk.ordering.multi2test import Multi2TestOrder, multi2test
from bestofk.ordering.multitest import MultiTestOrder, multitest

__all__ = [
    "ORDERINGS",
    "Multi2TestOrder",
    "MultiTestOrder",
    "Order",
    "Ordering",
    "RangeOrder",
    "anova_best",
    "cliques",
    "from_edges",
    "multi2test",
    "multitest",
    "newman_keuls_best",
    "newman_keuls_best_from",
    "ranges",
    "test_first",
]
