"""From pairwise answers and a prior preference to an order of K learners."""

from bestofk.ordering.cliques import cliques
from bestofk.ordering.graph import Order, from_edges
from bestofk.ordering.multitest import MultiTestOrder, multitest
from bestofk.ordering.newman_keuls_best import newman_keuls_best, newman_keuls_best_from

__all__ = [
    "MultiTestOrder",
    "Order",
    "cliques",
    "from_edges",
    "multitest",
    "newman_keuls_best",
    "newman_keuls_best_from",
]
