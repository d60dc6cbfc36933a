"""Adjusted p values of a family of tests: compare them with the family-wise alpha itself.

Each function takes p values along the last axis and returns adjusted ones in the same order: never below the raw
value, never above 1, in the same ranking.

===================================================  ====================================================
``bonferroni`` ``holm`` ``hochberg`` ``hommel``      any tests; family-wise error (the last two: independent)
``li`` ``holland``                                   any tests; family-wise error under independence
``finner``                                           any tests; family-wise error only when all hypotheses are true
``shaffer`` ``bergmann_hommel``                      all pairs of K learners, in the order (0,1), (0,2), …
``benjamini_hochberg`` ``benjamini_yekutieli``       false discovery rate
``none``                                             raw p values, when that is what is wanted
===================================================  ====================================================
"""

from collections.abc import Callable
from typing import Any

from bestofk.core.arrays import Array
from bestofk.core.shelf import Shelf
from bestofk.stats.adjust.logical import bergmann_hommel, shaffer
from bestofk.stats.adjust.stepwise import (
    benjamini_hochberg,
    benjamini_yekutieli,
    bonferroni,
    finner,
    hochberg,
    holland,
    holm,
    hommel,
    li,
    none,
)
from bestofk.stats.method import named

#: From p values along the last axis to adjusted ones in the same order.
Adjustment = Callable[[Any], Array]

#: Every adjustment imported above whose mark has a name.
ADJUST: Shelf[Adjustment] = Shelf("adjust", named(globals()))

__all__ = [
    "ADJUST",
    "benjamini_hochberg",
    "benjamini_yekutieli",
    "bergmann_hommel",
    "bonferroni",
    "finner",
    "hochberg",
    "holland",
    "holm",
    "hommel",
    "li",
    "none",
    "shaffer",
]
