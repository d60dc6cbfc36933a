"""Every way of ordering by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bestofk.core.shelf import Shelf
from bestofk.ordering.anova_best import anova_best
from bestofk.ordering.cliques import cliques
from bestofk.ordering.multi2test import multi2test
from bestofk.ordering.multitest import multitest
from bestofk.ordering.newman_keuls_best import newman_keuls_best
from bestofk.ordering.ranges import ranges
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
