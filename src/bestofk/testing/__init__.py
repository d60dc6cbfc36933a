"""Checks for authors of new parts: run them on your own test, adjustment or store in your own test suite.

>>> from bestofk.stats.pairwise import paired_t
>>> check_pairwise(paired_t)
"""

from bestofk.testing.design import check_dataset, check_folds, check_learner, check_sharing
from bestofk.testing.layout import check_layout
from bestofk.testing.stats import check_adjust, check_omnibus, check_pairwise, check_ranges
from bestofk.testing.store import StoreCase

__all__ = [
    "StoreCase",
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
