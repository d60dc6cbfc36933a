"""Checks for test suites: of new models against old ones, and of new parts (tests, adjustments, stores).

>>> from bestofk.stats.pairwise import paired_t
>>> check_pairwise(paired_t)
"""

from bestofk.testing.design import check_dataset, check_folds, check_learner, check_sharing
from bestofk.testing.gate import assert_not_worse
from bestofk.testing.layout import check_layout
from bestofk.testing.stats import check_adjust, check_omnibus, check_pairwise, check_ranges
from bestofk.testing.store import StoreCase

__all__ = [
    "StoreCase",
    "assert_not_worse",
    "check_adjust",
    "check_dataset",
    "check_folds",
    "check_layout",
    "check_learner",
    "check_omnibus",
    "check_pairwise",
    "check_ranges",
    "check_sharing",
]
