"""Checks for authors of new parts: run them on your own test, adjustment or store in your own test suite.

>>> from bestofk.stats.pairwise import paired_t
>>> check_pairwise(paired_t)
"""

from bestofk.testing.adjust import check_adjust
from bestofk.testing.dataset import check_dataset
from bestofk.testing.folds import check_folds
from bestofk.testing.learner import check_learner
from bestofk.testing.omnibus import check_omnibus
from bestofk.testing.pairwise import check_pairwise
from bestofk.testing.ranges import check_ranges
from bestofk.testing.sharing import check_sharing
from bestofk.testing.store import StoreCase

__all__ = [
    "StoreCase",
    "check_adjust",
    "check_dataset",
    "check_folds",
    "check_learner",
    "check_omnibus",
    "check_pairwise",
    "check_ranges",
    "check_sharing",
]
